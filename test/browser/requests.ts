// A person at the console without a browser: requests to it in process, in virtual time, with what a browser would add.
import { seededRandom } from '../../src/base/random.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { createConsole } from '../../src/control-plane/console/console.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from '../../src/control-plane/index.ts';
import { consoleWorld } from './console-world.ts';

export const ORIGIN = 'http://127.0.0.1:4001';

export interface Seen {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  readonly location: string | null;
}

export interface Desk {
  readonly clock: VirtualClock;
  readonly plane: ControlPlane;
  readonly key: string;
  /** Lets time pass, then everything that was due has happened. */
  pass(ms: number): Promise<void>;
  visitor(): Visitor;
  /** A visitor who has signed in. */
  person(key?: string): Promise<Visitor>;
}

/** A stream of events as it comes in. */
export interface Followed {
  readonly status: number;
  /** The names and data of the events that have come so far. */
  readonly events: readonly { readonly name: string; readonly data: string }[];
  readonly isOver: () => boolean;
  close(): Promise<void>;
}

/** One browser: its cookie, and the token of the last page that had one. */
export interface Visitor {
  cookie: string;
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
  /** Opens a stream of events, as the script of a page does. */
  follow(path: string, headers?: Record<string, string>): Promise<Followed>;
  /** Sends a form as a page of the console does; `headers` replace what a browser adds. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string | undefined>): Promise<Seen>;
  /** Sends the form of an operation. */
  ask(operation: string, fields?: Record<string, string>): Promise<Seen>;
}

export function makeDesk(options: ControlPlaneOptions = {}, adminToken?: string): Desk {
  const clock = new VirtualClock();
  const operationMs = { min: 1000, max: 1000 };
  const plane = createControlPlane({ clock, random: seededRandom(3), operationMs, seed: consoleWorld, ...options });
  const console = createConsole(plane, { adminToken });
  const key = plane.rootKey?.reveal() ?? '';
  const visitor = (): Visitor => makeVisitor(async (request) => console.fetch(request));
  return {
    clock,
    plane,
    key,
    pass: (ms) => clock.advance(ms),
    visitor,
    person: async (value = key) => {
      const person = visitor();
      await person.post('/sign-in', { api_key: value });
      await person.get('/');
      return person;
    },
  };
}

/** Address of the form of an operation. */
export function formOf(operation: string, values: Record<string, string> = {}): string {
  const query = new URLSearchParams(values).toString();
  return `/requests/${operation}${query === '' ? '' : `?${query}`}`;
}

function makeVisitor(serve: (request: Request) => Promise<Response>): Visitor {
  const send = async (request: Request): Promise<Seen> => {
    const { status, headers, ...response } = await answerOf(await serve(request));
    const set = /^([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1];
    if (set !== undefined && set !== '') visitor.cookie = set.endsWith('=') ? '' : set;
    visitor.token = /name="token" value="([^"]+)"/.exec(response.html)?.[1] ?? visitor.token;
    return { status, headers, html: response.html, location: headers.get('location') };
  };
  const visitor: Visitor = {
    cookie: '',
    token: '',
    get: (path, headers = {}) => send(new Request(ORIGIN + path, { headers: { Cookie: visitor.cookie, ...headers } })),
    follow: async (path, headers = {}) =>
      followed(await serve(new Request(ORIGIN + path, { headers: { Cookie: visitor.cookie, ...headers } }))),
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

async function answerOf(response: Response): Promise<{ status: number; headers: Headers; html: string }> {
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** Reads on in the background for as long as there is more. */
function followed({ status, body }: Response): Followed {
  const events: { name: string; data: string }[] = [];
  let isOver = false;
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const read = async (): Promise<void> => {
    for (let text = ''; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('event: ')) events.push(eventOf(block));
    }
    isOver = true;
  };
  void read();
  return { status, events, isOver: () => isOver, close: () => reader.cancel() };
}

function eventOf(block: string): { name: string; data: string } {
  const lines = block.split('\n');
  const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
  return { name: lines[0]?.slice(7) ?? '', data: data.join('\n') };
}
