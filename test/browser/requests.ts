// A person at the console without a browser: requests to it in process, in virtual time, with what a browser would add.
import { createConsole } from '../../src/control-plane/console/console.ts';
import type { ControlPlaneOptions } from '../../src/control-plane/index.ts';
import { makeWorld, type TestWorld } from '../control-plane/world.ts';
import { consoleWorld } from './console-world.ts';

const ORIGIN = 'http://127.0.0.1:4001';

export interface Seen {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  readonly location: string | null;
}

export interface Desk extends TestWorld {
  visitor(): Visitor;
  /** A visitor who has signed in. */
  person(key?: string): Promise<Visitor>;
}

/** One browser: its cookie, and the token of the last page that had one. */
export interface Visitor {
  cookie: string;
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
  /** Asks for the live part of a page that shows this state, as the script of the page does. */
  look(path: string, state?: string): Promise<Seen>;
  /** Sends a form as a page of the console does; `headers` replace what a browser adds. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string | undefined>): Promise<Seen>;
  /** Sends the form of an operation. */
  ask(operation: string, fields?: Record<string, string>): Promise<Seen>;
}

export function makeDesk(options: ControlPlaneOptions = {}, adminToken?: string): Desk {
  const world = makeWorld({ seed: consoleWorld, ...options });
  const console = createConsole({ controlPlane: world.plane, adminToken, requests: [] });
  const visitor = (): Visitor => makeVisitor(async (request) => console.fetch(request));
  return {
    ...world,
    visitor,
    person: async (value = world.key) => {
      const person = visitor();
      await person.post('/sign-in', { api_key: value });
      await person.get('/');
      return person;
    },
  };
}

/** A desk, and somebody who has signed in there. */
export async function signedIn(
  ...args: Parameters<typeof makeDesk>
): Promise<{ readonly desk: Desk; readonly person: Visitor }> {
  const desk = makeDesk(...args);
  return { desk, person: await desk.person() };
}

/** Address of the form of an operation. */
export function formOf(operation: string, values: Record<string, string> = {}): string {
  const query = new URLSearchParams(values).toString();
  return `/requests/${operation}${query === '' ? '' : `?${query}`}`;
}

function makeVisitor(serve: (request: Request) => Promise<Response>): Visitor {
  const send = async (request: Request): Promise<Seen> => {
    const response = await serve(request);
    const { status, headers } = response;
    const html = await response.text();
    const set = /^([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1];
    if (set !== undefined && set !== '') visitor.cookie = set.endsWith('=') ? '' : set;
    visitor.token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? visitor.token;
    return { status, headers, html, location: headers.get('location') };
  };
  const visitor: Visitor = {
    cookie: '',
    token: '',
    get: (path, headers = {}) => send(new Request(ORIGIN + path, { headers: { Cookie: visitor.cookie, ...headers } })),
    look: (path, state = 'none') => visitor.get(path, { 'X-State': state }),
    ask: (operation, fields) => visitor.post(`/requests/${operation}`, fields),
    post: (path, fields = {}, replaced = {}) => {
      const headers = new Headers({ Cookie: visitor.cookie, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' });
      headers.set('Content-Type', 'application/x-www-form-urlencoded');
      for (const [name, value] of Object.entries(replaced))
        if (value === undefined) headers.delete(name);
        else headers.set(name, value);
      const body = new URLSearchParams({ token: visitor.token, ...fields }).toString();
      return send(new Request(ORIGIN + path, { method: 'POST', headers, body }));
    },
  };
  return visitor;
}
