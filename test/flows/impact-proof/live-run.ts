// One plan carried out against a control plane in virtual time, with a client connected: what was said, and what then happened.
import { limitsOf, type ComputeLimits } from '../../../src/control-plane/resources/compute/connections.ts';
import type { ComputeRecord, LedgerEntry, Switches, World } from '../../../src/control-plane/index.ts';
import type { Change } from '../../../src/model/outcome/plan.ts';
import { desiredOf } from '../../support/files.ts';
import { openSite } from '../../support/site.ts';

const PROJECT = 'spring-example-302709';
export const COMPUTE = 'ep-cool-darkness-123456';

export interface RunInput {
  readonly state: 'active' | 'idle';
  /** Members of the compute's entry in the file, as YAML flow text. */
  readonly wish: string;
  /** Attributes of the live compute that are not the common ones. */
  readonly live?: Partial<NonNullable<NonNullable<World['projects']>[0]['computes']>[0]>;
  readonly switches?: Partial<Switches>;
}

export interface RunOutcome {
  /** What the plan said of the compute; undefined when it had nothing to say of it. */
  readonly said: Change | undefined;
  /** Whether the plan had anything to do at all. */
  readonly steps: number;
  /** Committed mutations of this compute by the run. */
  readonly ledger: readonly LedgerEntry[];
  /** Whether the connection that was open before is still open; null when there was none. */
  readonly stillConnected: boolean | null;
  readonly before: ComputeRecord;
  /** The same compute, once everything has come to rest; undefined when it is gone. */
  readonly after: ComputeRecord | undefined;
  readonly limitsBefore: ComputeLimits;
  readonly limitsAfter: ComputeLimits | null;
  readonly computes: readonly ComputeRecord[];
}

function worldOf({ state, live }: RunInput): World {
  return {
    version: 1,
    projects: [
      {
        id: PROJECT,
        name: 'shop',
        created_at: '-30d',
        branches: [
          { id: 'br-wispy-meadow-118737', name: 'main' },
          { id: 'br-calm-sea-220011', name: 'staging' },
        ],
        computes: [
          {
            id: COMPUTE,
            branch: 'main',
            type: 'read_write',
            current_state: state,
            autoscaling_limit_min_cu: 1,
            autoscaling_limit_max_cu: 2,
            suspend_timeout_seconds: -1,
            created_at: '-30d',
            started_at: '-8d',
            ...live,
          },
        ],
      },
    ],
  };
}

/** Plans the wish for the pinned compute, applies it with every consent, and lets everything come to rest. */
export async function carryOut(input: RunInput): Promise<RunOutcome> {
  const site = openSite({ seed: worldOf(input), switches: input.switches ?? {} });
  const { clock, controlPlane: plane } = site;
  try {
    const desired = await desiredOf(
      `version: 1\nprojects:\n  shop:\n    id: ${PROJECT}\n    computes:\n      one: { ${input.wish} }\n`,
    );
    const reconciler = site.started();
    const open = input.state === 'active' ? plane.truth.connect(COMPUTE) : null;
    const before = plane.truth.compute(COMPUTE);
    if (before === undefined) throw new Error('the world has no such compute');
    const limitsBefore = limitsOf(before);
    const seqBefore = plane.ledger().length;
    const { plan, reading } = await clock.run(reconciler.plan({ desired }));
    if (plan === null) throw new Error('no plan was made');
    const result = await clock.run(reconciler.apply({ plan, desired, reading, request: {} }));
    if (result.status !== 'converged') throw new Error(`the run ended as ${result.status}`);
    await clock.advance(60_000);
    const after = plane.truth.compute(COMPUTE);
    return {
      said: plan.changes.find(({ action }) => action !== 'none'),
      steps: plan.steps.length,
      ledger: plane
        .ledger()
        .slice(seqBefore)
        .filter(({ kind, id }) => kind === 'compute' && id === COMPUTE),
      stillConnected: open?.isOpen() ?? null,
      before,
      after,
      limitsBefore,
      limitsAfter: after === undefined ? null : limitsOf(after),
      computes: plane.truth.computes(),
    };
  } finally {
    plane.close();
  }
}
