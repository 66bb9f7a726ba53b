// Types that the flows of planning and applying share.
import type { Verification } from '../apply/judge/verify.ts';
import type { LiveState } from '../model/live.ts';
import type { RunResult } from '../model/outcome/result.ts';
import type { Plan, PlannedUpkeep } from '../model/outcome/plan.ts';
import type { Session } from './connect.ts';
import type { ReconcilerOptions } from './types.ts';
import type { Workspace } from './workspace.ts';

/** A reconciler's connection to the service and to its folder. */
export interface Parts extends Session, Workspace {
  readonly options: ReconcilerOptions;
}

/** A reading of the account, and the plan of it. */
export interface Look {
  readonly plan: Plan;
  readonly live: LiveState;
}

/** The result of verifying a run, and the resources as they are now. */
export interface VerifiedRun {
  readonly verification: Verification;
  readonly resources: RunResult['resources'];
  /** The upkeep that the account asks for now; left out where the account could not be read. */
  readonly upkeep?: readonly PlannedUpkeep[];
}
