// What the flows of planning and applying share.
import type { Verification } from '../apply/judge/verify.ts';
import type { LiveResource } from '../model/live.ts';
import type { RunResult } from '../model/outcome/result.ts';
import type { PlannedUpkeep } from '../model/outcome/plan.ts';
import type { Session } from './connect.ts';
import type { ReconcilerOptions } from './types.ts';
import type { Workspace } from './workspace.ts';

/** How long a step may take where the caller does not say. */
export const DEFAULT_STEP_TIMEOUT_MS = 600_000;

export interface ApplyParts {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly options: ReconcilerOptions;
}

/** What the read-back found, and the resources as they are now. */
export interface VerifiedRun {
  readonly verification: Verification;
  readonly resources: RunResult['resources'];
  /** What upkeep it asks for now; left out where nobody made a plan of it. */
  readonly upkeep?: readonly PlannedUpkeep[];
  /** What is live now, and of which projects that is everything; without it, nothing was read. */
  readonly found?: { readonly live: readonly LiveResource[]; readonly wasRead: (projectId: string | null) => boolean };
}
