// One visit of a signed-in person: who it is, what is asked, and how an answer becomes a page.
import { layout } from './layout.ts';
import type { Frame } from './layout.ts';
import { page } from './respond.ts';
import type { Notice, Session, Sessions } from './sessions.ts';
import type { Viewer } from './view.ts';

export interface Visit extends Viewer {
  readonly request: Request;
  readonly url: URL;
  /** A parameter of the path, by its name. */
  readonly param: (name: string) => string;
  readonly session: Session;
  readonly sessions: Sessions;
}

/** A visit that sends a form; it has been checked to come from a page of this session. */
export interface FormVisit extends Visit {
  readonly form: URLSearchParams;
}

/** A page for this visit, with the notice that was left for it. */
export function show(visit: Visit, frame: Omit<Frame, 'session' | 'account' | 'notice'>, status?: number): Response {
  const notice = takeNotice(visit.session);
  const account = accountOf(visit);
  return page(
    layout({ ...frame, session: visit.session, account, ...(notice === undefined ? {} : { notice }) }),
    status,
  );
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
