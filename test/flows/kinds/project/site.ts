// An account in virtual time in which the file changes from one command to the next; every request is written down.
import { desiredOf } from '../../../support/files.ts';
import { openSite as openSharedSite, STATE, type Answers } from '../../../support/site.ts';
import type { VirtualClock } from '../../../support/virtual-clock.ts';
import type { ControlPlane, ControlPlaneOptions } from '../../../../src/control-plane/index.ts';
import type { DesiredState } from '../../../../src/model/desired.ts';
import type { ApplyEvent } from '../../../../src/model/outcome/event.ts';
import type { Plan } from '../../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../../src/model/outcome/result.ts';
import type { Allowance } from '../../../../src/plan/input.ts';
import type { PlanRecord } from '../../../../src/plan/make-plan.ts';
import type { PlanOutcome, PlanRequest, Reconciler } from '../../../../src/reconciler/types.ts';
import { Life, type CrashPoint } from '../../../simulation/world/life.ts';

export interface Ran {
  readonly plan: Plan;
  readonly result: RunResult;
  readonly events: readonly ApplyEvent[];
  /** `METHOD /path?query` of planning, and of what came after. */
  readonly planned: readonly string[];
  readonly sent: readonly string[];
}

/** Addresses, as `--target` and `--exclude` take them. */
type Selection = Pick<PlanRequest, 'target' | 'exclude'>;

/** What happens to one exchange of a run, counted from 1: its request never arrives, or its reply is lost. */
export type FaultAt = (call: number) => 'lost_before' | 'lost_after' | null;

export interface Site {
  readonly clock: VirtualClock;
  readonly controlPlane: ControlPlane;
  plan(yaml: string, allow?: readonly string[]): Promise<{ readonly plan: Plan; readonly seen: readonly string[] }>;
  /** The same with everything that it tells. */
  outcome(yaml: string, allow?: readonly string[], selection?: Selection): Promise<PlanOutcome>;
  apply(yaml: string, allow?: readonly string[], faultAt?: FaultAt): Promise<Ran>;
  /** A run that may die on the way; its calls to the outside, and what became of it (null where it died). */
  live(
    yaml: string,
    allow: readonly string[],
    crash: CrashPoint | null,
  ): Promise<{ readonly calls: readonly string[]; readonly result: RunResult | null }>;
  /** A saved plan, carried out as it is; `record` for one that was not made here. */
  saved(
    plan: Plan,
    allow?: readonly string[],
    record?: PlanRecord,
  ): Promise<{ readonly result: RunResult; readonly sent: readonly string[] }>;
  /** Text of a file of the secrets folder; null where there is none. */
  secret(name: string): string | null;
  /** Somebody else's request; the status and body of the answer. */
  api(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** `orgId`: the organization that runs ask for, at the time of each. */
export function openSite(
  options: ControlPlaneOptions = {},
  orgId: () => string | null = () => null,
  answers: Answers = () => null,
): Site {
  let lives = 0;
  let fault: FaultAt = () => null;
  let calls = 0;
  const site = openSharedSite({
    ...options,
    answers,
    around: async ({ pass }) => pass(fault(++calls)),
  });
  const { clock, controlPlane, disk, seen } = site;
  const started = (life: Life): Reconciler => {
    const org = orgId();
    return site.started(life, { requestsPerMinute: Infinity, ...(org === null ? {} : { orgId: org }) });
  };
  const records = new WeakMap<Plan, PlanRecord>();
  const born = (crash: CrashPoint | null = null): Life => new Life(++lives, crash);
  const applied = async (reconciler: Reconciler, yaml: string, allow: readonly string[]): Promise<Ran> => {
    const from = seen.length;
    const { desired, outcome: told } = await planned(reconciler, yaml, allow);
    const { plan, reading, diagnostics } = told;
    if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    const until = seen.length;
    const events: ApplyEvent[] = [];
    const onEvent = (event: ApplyEvent): number => events.push(event);
    const result = await reconciler.apply({ plan, desired, reading, request: requestOf(allow), onEvent });
    return { plan, result, events, planned: seen.slice(from, until), sent: seen.slice(until) };
  };
  const outcome: Site['outcome'] = async (yaml, allow = [], selection = {}) =>
    clock.run(planned(started(born()), yaml, allow, selection).then(({ outcome: told }) => told));
  return {
    clock,
    controlPlane,
    outcome,
    async plan(yaml, allow = []) {
      const from = seen.length;
      const { plan, record, diagnostics } = await outcome(yaml, allow);
      if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
      records.set(plan, record);
      return { plan, seen: seen.slice(from) };
    },
    async apply(yaml, allow = [], faultAt = () => null) {
      [fault, calls] = [faultAt, 0];
      try {
        return await clock.run(applied(started(born()), yaml, allow));
      } finally {
        fault = () => null;
      }
    },
    async live(yaml, allow, crash) {
      const life = born(crash);
      const run = applied(started(life), yaml, allow).then(({ result }) => result);
      const result = await clock.run(Promise.race([run, life.death.then(() => null)]));
      life.isDead = true;
      return { result, calls: life.calls };
    },
    async saved(plan, allow = [], record) {
      const from = seen.length;
      const made = record ?? records.get(plan);
      if (made === undefined) throw new Error('this plan was not made here');
      const { desired, live } = made.input;
      const request = { ...requestOf(allow), target: made.input.target, exclude: made.input.exclude };
      const applying = started(born()).apply({ plan, desired, reading: { live }, isSaved: true, request });
      return { result: await clock.run(applying), sent: seen.slice(from) };
    },
    secret: (name) => disk.text(`${STATE}/secrets/${name}`),
    api: site.api,
  };
}

function requestOf(allow: readonly string[]): {
  readonly allow: readonly Allowance[];
  readonly consent: 'reviewed';
  readonly due: false;
} {
  const allowed = allow.map((word) => ({
    action: word.slice(0, word.indexOf(':')),
    address: word.slice(word.indexOf(':') + 1),
  }));
  return { allow: allowed, consent: 'reviewed', due: false };
}

async function planned(
  reconciler: Reconciler,
  yaml: string,
  allow: readonly string[],
  selection: Selection = {},
): Promise<{ readonly desired: DesiredState; readonly outcome: PlanOutcome }> {
  const desired = await desiredOf(yaml);
  return { desired, outcome: await reconciler.plan({ ...requestOf(allow), ...selection, desired }) };
}
