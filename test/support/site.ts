// One account, one site, one clock: the program's commands on a disk in memory before a local control plane, all in virtual time.
import type { ProgramCall, RunProgram } from '../../src/apply/sinks/run-program.ts';
import { handlerTransport } from '../../src/client/http/handler-transport.ts';
import type { HttpRequest, Send } from '../../src/client/types.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from '../../src/control-plane/index.ts';
import { seededRandom } from '../../src/base/random.ts';
import type { DriftReport } from '../../src/model/outcome/drift.ts';
import type { ApplyEvent } from '../../src/model/outcome/event.ts';
import type { Plan } from '../../src/model/outcome/plan.ts';
import type { RunResult } from '../../src/model/outcome/result.ts';
import type { Allowance } from '../../src/plan/input.ts';
import type { PlanRecord } from '../../src/plan/make-plan.ts';
import { createReconciler } from '../../src/reconciler/index.ts';
import type {
  ApplyRequest,
  PlanOutcome,
  PlanRequest,
  Reconciler,
  ReconcilerOptions,
} from '../../src/reconciler/types.ts';
import { Disk } from '../simulation/world/disk.ts';
import { Life, type CrashPoint } from '../simulation/world/life.ts';
import { desiredOf, HOME } from './files.ts';
import { VirtualClock } from './virtual-clock.ts';

export const BASE_URL = 'http://localhost/api/v2';
/** Journal, lock and secrets. */
export const STATE = '/home/state';

type Lost = 'lost_before' | 'lost_after' | null;

/** What happens to one exchange of a run, counted from 1: its request never arrives, or its reply is lost. */
export type FaultAt = (call: number) => Lost;

/** What the service answers to a request in place of what it would; null where that stands. */
export type Answers = (request: Request, asItIs: () => Promise<Response>) => Promise<Response> | Response | null;

export interface SiteOptions extends ControlPlaneOptions {
  /** The file of commands that name none. */
  readonly file?: string;
  readonly reconciler?: Partial<ReconcilerOptions>;
  /** What the store of secrets holds before, by name. */
  readonly stored?: readonly string[];
  readonly answers?: Answers;
  /** How long each exchange takes. */
  readonly latencyMs?: number;
  /** The machine's clock is so far ahead of the service's. */
  readonly skewMs?: number;
  /** What happens elsewhere as soon as a request is answered. */
  readonly meanwhile?: (call: string, site: Site) => unknown;
  /** True for exchanges that are never answered. */
  readonly stalls?: (call: string) => boolean;
}

/** What a command is asked for besides its file. */
export interface Asked
  extends Partial<Omit<PlanRequest, 'allow'>>, Partial<Omit<ApplyRequest, 'plan' | 'desired' | 'reading' | 'request'>> {
  readonly file?: string;
  /** As `--allow` takes them. */
  readonly allow?: readonly string[];
  readonly orgId?: string;
  /** An earlier plan is applied, with what it was made for; `record` for one that was made elsewhere. */
  readonly plan?: Plan;
  readonly record?: PlanRecord;
  /** Comes between the plan and its execution. */
  readonly between?: (plan: Plan) => unknown;
  readonly faultAt?: FaultAt;
  readonly life?: Life;
}

export interface Ran {
  readonly plan: Plan;
  readonly result: RunResult;
  readonly events: readonly ApplyEvent[];
  /** `METHOD /path` of planning, of what came after, and of that what was no GET. */
  readonly planned: readonly string[];
  readonly sent: readonly string[];
  readonly writes: readonly string[];
}

export interface Site {
  readonly clock: VirtualClock;
  readonly controlPlane: ControlPlane;
  readonly disk: Disk;
  /** What the store of secrets holds, by name; it refuses everything under the names of `sealed`. */
  readonly vault: Map<string, string>;
  readonly sealed: Set<string>;
  /** `METHOD /path` of every request of runs, oldest first. */
  readonly seen: string[];
  /** The program as it is started once. */
  started(life?: Life, more?: Partial<ReconcilerOptions>): Reconciler;
  /** A text is the file. */
  outcome(asked?: string | Asked, allow?: readonly string[]): Promise<PlanOutcome>;
  plan(asked?: string | Asked, allow?: readonly string[]): Promise<Plan>;
  drift(): Promise<Awaited<ReturnType<Reconciler['drift']>> & { readonly report: DriftReport }>;
  /** Plans and applies as one process. */
  apply(asked?: string | Asked, allow?: readonly string[]): Promise<Ran>;
  /** Applies a saved plan. */
  saved(plan: Plan, asked?: Asked): Promise<Ran>;
  /** A run that may die on the way: its calls to the outside, and what became of it (null where it died). */
  live(
    asked: Asked,
    crash: CrashPoint | null,
  ): Promise<{ readonly calls: readonly string[]; readonly ran: Ran | null }>;
  /** Somebody else's request; the status and body of the answer. */
  api(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
}

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

/** What is no GET. */
const writesIn = (calls: readonly string[]): readonly string[] => calls.filter((call) => !call.startsWith('GET'));

/** `drop:shop/a` as the program reads it. */
export function allowed(words: readonly string[]): readonly Allowance[] {
  return words.map((word) => {
    const at = word.indexOf(':');
    return { action: word.slice(0, at), address: word.slice(at + 1) };
  });
}

export function openSite({
  file: own = '',
  reconciler: tuned = {},
  stored = [],
  answers = () => null,
  latencyMs,
  skewMs = 0,
  meanwhile,
  stalls = () => false,
  ...options
}: SiteOptions = {}): Site {
  // Handling a request takes no time, however long it really takes.
  let handling = 0;
  let lives = 0;
  let exchanges = 0;
  let faultAt: FaultAt = () => null;
  const clock = new VirtualClock(undefined, () => handling > 0);
  const controlPlane = createControlPlane({ clock, ...options });
  // A real disk would take real time, which the virtual clock runs ahead of.
  const disk = new Disk(['/', HOME]);
  const vault = new Map(stored.map((name) => [name, '']));
  const sealed = new Set<string>();
  const seen: string[] = [];
  const silence = handlerTransport(() => new Promise(() => {}), { baseUrl: BASE_URL, clock });
  const exchange = async (request: HttpRequest, call: string, lost: Lost): ReturnType<Send> => {
    const handle = async (arrived: Request): Promise<Response> => {
      if (lost === 'lost_before') throw new Error('the connection broke');
      const asItIs = async (): Promise<Response> => controlPlane.handle(arrived);
      const response = await (answers(arrived, asItIs) ?? asItIs());
      if (lost === 'lost_after') throw new Error('the connection broke');
      return response;
    };
    handling++;
    try {
      const reply = await handlerTransport(handle, { baseUrl: BASE_URL })(request);
      await meanwhile?.(call, site);
      return reply;
    } finally {
      handling--;
    }
  };
  const send: Send = async (request) => {
    const call = `${request.method} ${request.path.split('?')[0] ?? ''}`;
    seen.push(call);
    if (stalls(call)) return silence(request);
    if (latencyMs !== undefined) await clock.sleep(latencyMs);
    return exchange(request, call, faultAt(++exchanges));
  };
  const started: Site['started'] = (life = new Life(++lives, null), more = {}) =>
    createReconciler({
      baseUrl: BASE_URL,
      credential: controlPlane.rootKey ?? '',
      send: async (request) => life.call(`${request.method} ${request.path}`, async () => send(request)),
      clock: skewMs === 0 ? clock : skewed(clock, skewMs),
      cwd: HOME,
      stateDir: STATE,
      random: seededRandom(life.pid),
      machine: {
        fileSystem: disk.seenBy(life),
        processes: {
          self: { pid: life.pid, startTime: `${life.pid}`, host: 'here' },
          isAlive: ({ host }) => host !== 'here',
        },
        runProgram: async (call) => life.call(`run ${call.args.join(' ')}`, async () => store(vault, sealed, call)),
      },
      sinks: new Map([['vault', '/vault']]),
      requestsPerMinute: Infinity,
      ...tuned,
      ...more,
    });

  const startedFor = ({ orgId, life }: Asked): Reconciler => started(life, orgId === undefined ? {} : { orgId });

  const made = new WeakMap<Plan, Omit<Made, 'plan'>>();
  const planned = async (reconciler: Reconciler, asked: Asked): Promise<PlanOutcome> => {
    const { file = own, allow = [], desired = await desiredOf(file) } = asked;
    const request = { ...requestOf(asked), allow: allowed(allow) };
    const outcome = await reconciler.plan({ ...request, desired });
    if (outcome.plan !== null) made.set(outcome.plan, { desired, reading: outcome.reading, request });
    return outcome;
  };
  const madeFor = (plan: Plan, { record, allow }: Asked): Made => {
    const of =
      record === undefined ? made.get(plan) : { desired: record.input.desired, reading: record.input, request: {} };
    if (of === undefined) throw new Error('this plan was not made here');
    return { plan, ...of, request: { ...of.request, ...(allow === undefined ? {} : { allow: allowed(allow) }) } };
  };
  const applied = async (asked: Asked): Promise<Ran> => {
    const reconciler = startedFor(asked);
    const from = seen.length;
    const plan = asked.plan ?? planIn(await planned(reconciler, asked));
    const until = seen.length;
    await asked.between?.(plan);
    const begin = seen.length;
    const events: ApplyEvent[] = [];
    const onEvent = (event: ApplyEvent): void => {
      events.push(event);
      asked.onEvent?.(event);
    };
    const result = await reconciler.apply({ ...asked, ...madeFor(plan, asked), onEvent });
    const sent = seen.slice(begin);
    return { plan, result, events, planned: seen.slice(from, until), sent, writes: writesIn(sent) };
  };
  const outcome: Site['outcome'] = async (asked, allow) => {
    const all = askedFor(asked, allow);
    return clock.run(planned(startedFor(all), all));
  };
  const apply: Site['apply'] = async (asked, allow) => {
    const all = askedFor(asked, allow);
    [faultAt, exchanges] = [all.faultAt ?? (() => null), 0];
    return clock.run(applied(all)).finally(() => (faultAt = () => null));
  };
  const site: Site = {
    clock,
    controlPlane,
    disk,
    vault,
    sealed,
    seen,
    started,
    outcome,
    plan: async (asked, allow) => planIn(await outcome(asked, allow)),
    async drift() {
      const { report, ...rest } = await clock.run(started().drift({ desired: await desiredOf(own) }));
      if (report === null) throw new Error(JSON.stringify(rest.diagnostics));
      return { report, ...rest };
    },
    apply,
    saved: async (plan, asked) => apply({ ...asked, plan, isSaved: true }),
    async live(asked, crash) {
      const life = new Life(++lives, crash);
      const ran = await clock.run(Promise.race([applied({ ...asked, life }), life.death.then(() => null)]));
      life.isDead = true;
      return { ran, calls: life.calls };
    },
    async api(method, path, body) {
      const response = await clock.run(somebody(controlPlane, method, path, body));
      const text = await response.text();
      controlPlane.settle();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    },
  };
  return site;
}

type Made = Pick<ApplyRequest, 'plan' | 'desired' | 'reading' | 'request'>;

function askedFor(asked: string | Asked = {}, allow?: readonly string[]): Asked {
  return typeof asked === 'string' ? { file: asked, ...(allow === undefined ? {} : { allow }) } : asked;
}

/** What goes to the planner, and again to the executor. */
function requestOf({ due, target, exclude, consent, noHistory, once, signal }: Asked): Omit<PlanRequest, 'desired'> {
  const all = { due, target, exclude, consent, noHistory, once, signal };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function planIn({ plan, diagnostics }: PlanOutcome): Plan {
  if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return plan;
}

/** The machine's clock: it runs as the other one does, and shows another time. */
function skewed(clock: VirtualClock, byMs: number): ReconcilerOptions['clock'] & object {
  return {
    nowMs: () => clock.nowMs() + byMs,
    monotonicMs: () => clock.monotonicMs(),
    after: (ms, act) => clock.after(ms, act),
    sleep: async (ms, signal) => clock.sleep(ms, signal),
  };
}

/** The only program there is: a store of secrets that keeps what it is given. */
async function store(
  kept: Map<string, string>,
  sealed: ReadonlySet<string>,
  { args: [verb = '', name = ''], stdin }: ProgramCall,
): ReturnType<RunProgram> {
  if (sealed.has(name)) return { end: 'exited', code: 1, stderr: 'sealed', problem: null };
  if (verb === 'put') kept.set(name, stdin ?? '');
  if (verb === 'forget') kept.delete(name);
  return { end: 'exited', code: verb === 'forget' || kept.has(name) ? 0 : 3, stderr: '', problem: null };
}
