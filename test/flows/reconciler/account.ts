// An account in virtual time, and a reconciler that speaks to it: every request is written down in order.
import type { Clock } from '../../../src/base/time/clock.ts';
import { desiredOf, HOME } from '../../support/files.ts';
import { openSite } from '../../support/site.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import type { ControlPlane, ControlPlaneOptions } from '../../../src/control-plane/index.ts';
import type { RunProgram } from '../../../src/apply/sinks/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import type { ApplyRequest, Reconciler, ReconcilerOptions } from '../../../src/reconciler/types.ts';
import type { Disk } from '../../simulation/world/disk.ts';
import { Life } from '../../simulation/world/life.ts';

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

/** Opens the account. */
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
  const vault = new Map(stored.map((name) => [name, '']));
  const sealed = new Set<string>();
  const seen: string[] = [];
  const statuses: number[] = [];
  const site = openSite({
    ...options,
    runProgram: programOf(vault, sealed),
    around: async ({ call, number, pass, hang }) => {
      const words = call.split('?')[0] ?? '';
      seen.push(words);
      if (stalls?.(words, number) === true) return hang();
      if (latencyMs !== undefined) await site.clock.sleep(latencyMs);
      return site.still(async () => {
        const response = await pass();
        statuses.push(response.status);
        await meanwhile?.(words, statuses.length - 1, site);
        return response;
      });
    },
  });
  const { clock, controlPlane, disk } = site;
  const connect = (life: Life): Reconciler =>
    site.started(life, {
      ...(skewMs === 0 ? {} : { clock: skewed(clock, skewMs) }),
      sinks: new Map([['vault', '/vault']]),
      ...asked,
    });
  let reconciler = connect(first);
  const desired = await desiredOf(file);
  const planned = async (): ReturnType<Reconciler['plan']> => reconciler.plan({ desired });
  return {
    clock,
    controlPlane,
    cwd: HOME,
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
