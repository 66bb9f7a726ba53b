// An account in virtual time, and a reconciler that speaks to it: every request is written down in order.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/base/time/clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { handlerTransport } from '../../../src/client/http/handler-transport.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from '../../../src/control-plane/index.ts';
import type { RunProgram } from '../../../src/apply/sinks/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import type { Send } from '../../../src/client/types.ts';
import { createReconciler } from '../../../src/reconciler/index.ts';
import type { ApplyRequest, Machine, Reconciler, ReconcilerOptions } from '../../../src/reconciler/types.ts';
import { Disk } from '../../simulation/world/disk.ts';
import { Life } from '../../simulation/world/life.ts';

/** Never settles. */
const NEVER: Promise<Response> = new Promise(() => {});

const BASE_URL = 'http://localhost/api/v2';

export interface Account {
  readonly clock: VirtualClock;
  readonly controlPlane: ControlPlane;
  readonly cwd: string;
  /** All files but the declared one. */
  readonly disk: Disk;
  /** What the store of secrets holds, by name. */
  readonly vault: Map<string, string>;
  /** Names under which the store of secrets refuses everything. */
  readonly sealed: Set<string>;
  readonly reconciler: Reconciler;
  /** `METHOD /path`, oldest first. */
  readonly seen: string[];
  /** How each was answered, in the order of the answers. */
  readonly statuses: number[];
  readonly desired: DesiredState;
  /** A new process in the place of the one before, on the same disk. */
  restart(life?: Life): void;
  /** Plans as `trueup apply` does. */
  plan(): Promise<Plan>;
  /** Plans, tells `between` about it, and applies. */
  apply(between?: (plan: Plan) => Promise<void> | void, more?: Partial<ApplyRequest>): Promise<Applied>;
  close(): void;
}

export interface Applied {
  readonly result: RunResult;
  readonly events: readonly ApplyEvent[];
  /** The requests after the plan was made. */
  readonly after: readonly string[];
}

export interface AccountOptions extends ControlPlaneOptions {
  readonly file: string;
  readonly reconciler?: Partial<ReconcilerOptions>;
  /** What the store of secrets holds before. */
  readonly stored?: readonly string[];
  /** The process that speaks to the service and to the disk; it may die on the way. */
  readonly life?: Life;
  /** How long each exchange takes. */
  readonly latencyMs?: number;
  /** By so much the machine's clock is ahead of the service's. */
  readonly skewMs?: number;
  /** What happens elsewhere as soon as a request is answered, by `METHOD /path` and how many were answered before. */
  readonly meanwhile?: (
    request: string,
    before: number,
    account: Pick<Account, 'controlPlane' | 'clock'>,
  ) => Promise<void> | void;
  /** Exchanges that are never answered, by `METHOD /path` and how many requests came before. */
  readonly stalls?: (request: string, before: number) => boolean;
}

/** Opens the account; `close` removes its folder. */
export async function openAccount({
  file,
  reconciler: asked,
  latencyMs,
  skewMs = 0,
  stalls,
  meanwhile,
  stored = [],
  life: first = new Life(1, null),
  ...options
}: AccountOptions): Promise<Account> {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-account-'));
  // Handling a request takes no time, however long it really takes.
  let handling = 0;
  const clock = new VirtualClock(undefined, () => handling > 0);
  const controlPlane = createControlPlane({ clock, ...options });
  const seen: string[] = [];
  const statuses: number[] = [];
  writeFileSync(join(cwd, 'trueup.yaml'), file);
  const transport = handlerTransport((request) => controlPlane.handle(request), { baseUrl: BASE_URL });
  const silence = handlerTransport(() => NEVER, { baseUrl: BASE_URL, clock });
  const send: Send = async (request) => {
    const words = `${request.method} ${request.path.split('?')[0] ?? ''}`;
    seen.push(words);
    if (stalls?.(words, seen.length - 1) === true) return silence(request);
    if (latencyMs !== undefined) await clock.sleep(latencyMs);
    handling++;
    try {
      const response = await transport(request);
      statuses.push(response.status);
      await meanwhile?.(words, statuses.length - 1, { controlPlane, clock });
      return response;
    } finally {
      handling--;
    }
  };
  const credential = controlPlane.rootKey ?? '';
  // A real disk would take real time, which the virtual clock runs ahead of.
  const disk = new Disk(['/', cwd]);
  const vault = new Map(stored.map((name) => [name, '']));
  const sealed = new Set<string>();
  const connect = (life: Life): Reconciler => {
    const runProgram = programOf(vault, sealed);
    const machine: Machine = {
      fileSystem: disk.seenBy(life),
      processes: { self: { pid: life.pid, startTime: '1', host: 'here' }, isAlive: () => false },
      runProgram: async (call) => life.call(`run ${call.args.join(' ')}`, async () => runProgram(call)),
    };
    return createReconciler({
      baseUrl: BASE_URL,
      credential,
      send: async (request) => life.call(`${request.method} ${request.path}`, async () => send(request)),
      clock: skewMs === 0 ? clock : skewed(clock, skewMs),
      cwd,
      stateDir: join(cwd, 'state'),
      machine,
      sinks: new Map([['vault', '/vault']]),
      ...asked,
    });
  };
  let reconciler = connect(first);
  const { desired, diagnostics } = await reconciler.load({
    paths: [join(cwd, 'trueup.yaml')],
    cwd,
    stdin: async () => new Uint8Array(),
    variables: { flags: new Map(), files: [], env: new Map() },
  });
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  const planned = async (): ReturnType<Reconciler['plan']> => reconciler.plan({ desired });
  return {
    clock,
    controlPlane,
    cwd,
    disk,
    vault,
    sealed,
    get reconciler() {
      return reconciler;
    },
    restart(life = new Life(2, null)) {
      reconciler = connect(life);
    },
    seen,
    statuses,
    desired,
    async plan() {
      const { plan, diagnostics: problems } = await clock.run(planned());
      if (plan === null) throw new Error(JSON.stringify(problems));
      return plan;
    },
    async apply(between, more) {
      return clock.run(
        (async () => {
          const { plan, reading, diagnostics: problems } = await planned();
          if (plan === null) throw new Error(JSON.stringify(problems));
          await between?.(plan);
          const events: ApplyEvent[] = [];
          const from = seen.length;
          const result = await reconciler.apply({
            plan,
            desired,
            reading,
            request: {},
            onEvent: (event) => events.push(event),
            ...more,
          });
          return { result, events, after: seen.slice(from) };
        })(),
      );
    },
    close() {
      controlPlane.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

/** The machine's clock: it runs as the other one does, and shows another time. */
function skewed(clock: VirtualClock, byMs: number): Clock {
  return {
    nowMs: () => clock.nowMs() + byMs,
    monotonicMs: () => clock.monotonicMs(),
    after: (ms, act) => clock.after(ms, act),
    sleep: async (ms, signal) => clock.sleep(ms, signal),
  };
}

/** The only program there is: a store of secrets that keeps what it is given. */
function programOf(kept: Map<string, string>, sealed: ReadonlySet<string>): RunProgram {
  return async ({ args: [verb = '', name = ''], stdin }) => {
    if (sealed.has(name)) return { end: 'exited', code: 1, stderr: 'sealed', problem: null };
    if (verb === 'put') kept.set(name, stdin ?? '');
    if (verb === 'forget') kept.delete(name);
    const code = verb === 'forget' || kept.has(name) ? 0 : 3;
    return { end: 'exited', code, stderr: '', problem: null };
  };
}
