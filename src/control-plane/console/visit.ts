// One visit of a signed-in person: who it is, what is asked, and how an answer becomes a page.
import type { RequestLine } from '../api/request-log.ts';
import type { Secret } from '../../base/secret.ts';
import { layout, type Frame } from './page/layout.ts';
import { page } from './page/respond.ts';
import type { Notice, Session, Sessions } from './sessions.ts';
import type { Viewer } from './view.ts';

export interface Visit extends Viewer {
  readonly request: Request;
  readonly url: URL;
  /** The address that it comes from. */
  readonly address: string;
  /** A parameter of the path, by its name. */
  readonly param: (name: string) => string;
  readonly session: Session;
  readonly sessions: Sessions;
  /** Access to the pages for testing; absent if the admin interface is off. */
  readonly adminToken: string | undefined;
  /** The newest requests to the API, oldest first. */
  readonly requests: () => readonly RequestLine[];
}

/** A visit that sends a form; it has been checked to come from a page of this session. */
export interface FormVisit extends Visit {
  readonly form: URLSearchParams;
}

/** A page of someone signed in; `live` is the part of it that is kept fresh. */
export type Page = Pick<Frame, 'title' | 'current' | 'main' | 'live'>;

/** The page, with what was left for it to say. */
export function show(visit: Visit, shown: Page, status?: number): Response {
  const { session, url } = visit;
  const notice = takeNotice(session);
  const told = takeTold(session, url.searchParams.get('told'));
  const more = { ...(notice === undefined ? {} : { notice }), ...(told === undefined ? {} : { told }) };
  const eventsPath = `${url.pathname === '/' ? '' : url.pathname}/events${url.search}`;
  return page(layout({ ...shown, session, account: accountOf(visit), eventsPath, ...more }), status);
}

/** The name of the account that the key gives access to. */
export function accountOf({ controlPlane }: Viewer): string {
  return controlPlane.engine.state.meta.account.name;
}

function takeNotice(session: Session): Notice | undefined {
  const { notice } = session;
  delete session.notice;
  return notice;
}

/** The secret that this page shows. A second visit learns only that it was shown. */
function takeTold(
  session: Session,
  id: string | null,
): { readonly title: string; readonly value?: Secret } | undefined {
  const { told } = session;
  if (id === null) return undefined;
  if (told?.id !== id || told.value === undefined) return { title: 'Shown once' };
  const { value, title } = told;
  session.told = { id, title };
  return { title, value };
}
