// One account, one site, one clock: the reconciler and a disk in memory before a local control plane, all in virtual time.
import type { RunProgram } from '../../src/apply/sinks/index.ts';
import { handlerTransport } from '../../src/client/http/handler-transport.ts';
import type { Send } from '../../src/client/types.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from '../../src/control-plane/index.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createReconciler } from '../../src/reconciler/index.ts';
import type { Reconciler, ReconcilerOptions } from '../../src/reconciler/types.ts';
import { Disk } from '../simulation/world/disk.ts';
import { Life } from '../simulation/world/life.ts';
import { HOME } from './files.ts';
import { VirtualClock } from './virtual-clock.ts';

export const BASE_URL = 'http://localhost/api/v2';
/** Journal, lock and secrets. */
export const STATE = '/home/state';

type Answer = Awaited<ReturnType<Send>>;

/** One request of a run on its way. */
export interface Exchange {
  /** `METHOD /path?query`. */
  readonly call: string;
  /** Counts from 0. */
  readonly number: number;
  /** Sends it; with `lost`, the connection breaks before it arrives, or after it is done. */
  pass(lost?: 'lost_before' | 'lost_after' | null): Promise<Answer>;
  /** It is never answered. */
  hang(): Promise<Answer>;
}

export interface Site {
  readonly clock: VirtualClock;
  readonly controlPlane: ControlPlane;
  readonly disk: Disk;
  /** `METHOD /path?query` of every request of runs, oldest first. */
  readonly seen: string[];
  /** Does something real during which time stands still. */
  still<T>(work: () => Promise<T>): Promise<T>;
  /** The program as it is started once. */
  started(life?: Life, more?: Partial<ReconcilerOptions>): Reconciler;
  /** Somebody else's request; the status and body of the answer. */
  api(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** What the service answers to a request in place of what it would; null where that stands. */
export type Answers = (request: Request, asItIs: () => Promise<Response>) => Promise<Response> | Response | null;

export interface SiteOptions extends ControlPlaneOptions {
  /** What happens to each exchange, in place of a plain `pass()`. */
  readonly around?: (exchange: Exchange) => Promise<Answer>;
  readonly answers?: Answers;
  readonly runProgram?: RunProgram;
}

const noProgram: RunProgram = async () => ({ end: 'not_started', code: null, stderr: '', problem: 'ENOENT' });

/** Somebody else's request, answered at once. */
export async function somebody(
  { handle, rootKey }: Pick<ControlPlane, 'handle' | 'rootKey'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return handle(
    new Request(`${BASE_URL}${path}`, {
      method,
      headers: { authorization: `Bearer ${rootKey?.reveal() ?? ''}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

export function openSite({
  around = async ({ pass }) => pass(),
  answers = () => null,
  runProgram = noProgram,
  ...options
}: SiteOptions = {}): Site {
  // Handling a request takes no time, however long it really takes.
  let handling = 0;
  const clock = new VirtualClock(undefined, () => handling > 0);
  const controlPlane = createControlPlane({ clock, ...options });
  // A real disk would take real time, which the virtual clock runs ahead of.
  const disk = new Disk(['/', HOME]);
  const seen: string[] = [];
  const still: Site['still'] = async (work) => {
    handling++;
    try {
      return await work();
    } finally {
      handling--;
    }
  };
  const silence = handlerTransport(() => new Promise(() => {}), { baseUrl: BASE_URL, clock });
  const send: Send = async (request) => {
    const call = `${request.method} ${request.path}`;
    const number = seen.push(call) - 1;
    const pass: Exchange['pass'] = async (lost) => {
      const handle = async (arrived: Request): Promise<Response> => {
        if (lost === 'lost_before') throw new Error('the connection broke');
        const asItIs = async (): Promise<Response> => controlPlane.handle(arrived);
        const response = await (answers(arrived, asItIs) ?? asItIs());
        if (lost === 'lost_after') throw new Error('the connection broke');
        return response;
      };
      return still(async () => handlerTransport(handle, { baseUrl: BASE_URL })(request));
    };
    return around({ call, number, pass, hang: async () => silence(request) });
  };
  let lives = 0;
  return {
    clock,
    controlPlane,
    disk,
    seen,
    still,
    started: (life = new Life(++lives, null), more = {}) =>
      createReconciler({
        baseUrl: BASE_URL,
        credential: controlPlane.rootKey ?? '',
        send: async (request) => life.call(`${request.method} ${request.path}`, async () => send(request)),
        clock,
        cwd: HOME,
        stateDir: STATE,
        random: seededRandom(life.pid),
        machine: {
          fileSystem: disk.seenBy(life),
          processes: { self: { pid: life.pid, startTime: `${life.pid}`, host: 'here' }, isAlive: () => false },
          runProgram: async (call) => life.call(`run ${call.args.join(' ')}`, async () => runProgram(call)),
        },
        ...more,
      }),
    async api(method, path, body) {
      const response = await clock.run(somebody(controlPlane, method, path, body));
      const text = await response.text();
      controlPlane.settle();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    },
  };
}
