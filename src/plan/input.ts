// Describes everything from which a plan is made. Planning itself reads no file and sends no request.
import type { Address } from '../model/address.ts';
import type { DesiredState, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveState } from '../model/live.ts';
import type { Allowance } from '../model/outcome/impact.ts';
import type { Block } from '../model/outcome/plan.ts';
import type { KindRules } from './kind-rules.ts';

export type { Allowance };

/**
 * Says who has seen the plan. `reviewed`: a person saw every step, or a saved plan contains it. `unattended`: nobody saw the plan, so a removal
 * or an outage needs an allowance. `no_impact`: nobody saw the plan, and only changes without effect on clients and data run.
 */
export type Consent = 'reviewed' | 'unattended' | 'no_impact';

/** Names the attributes that the update of a resource leaves out because something blocks them. */
export interface HeldBack {
  readonly address: Address;
  readonly paths: readonly string[];
  readonly blockedBy: readonly Block[];
}

export interface PlanInput {
  readonly baseUrl: string;
  /** Identifies one of several embedded control planes with the same base URL; a saved plan belongs to one of them. */
  readonly store?: string;
  readonly desired: DesiredState;
  readonly live: LiveState;
  readonly kinds: readonly KindRules[];
  /** The service's time, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** Says why the time at the service is not known: then nothing is sent that depends on time. Null or missing if the time is known. */
  readonly clockDoubt?: string | null;
  readonly consent: Consent;
  readonly allow: readonly Allowance[];
  readonly due: boolean;
  /** True if the operation logs are not read; the plan records this, so its hash differs. */
  readonly noHistory?: boolean;
  /** Problems found while reading the account. An error keeps its project, or its account-wide kind, out of the plan. */
  readonly problems?: readonly Diagnostic[];
  /** Address globs; an empty `target` means everything. */
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** During verification, the ids that the run created, by address: a declaration without a slot then matches only its own id. */
  readonly made?: ReadonlyMap<Address, ResourceId>;
  /** For a plan that is made again, its removals by set and retention rules (addresses by id): rules remove nothing more. Missing otherwise. */
  readonly removals?: ReadonlyMap<ResourceId, Address>;
  /** The attributes that updates leave out; if missing, those that guards block, unless guards block the whole update. */
  readonly held?: readonly HeldBack[];
}

export type Selection = Pick<PlanInput, 'target' | 'exclude'>;

/** True if a target matches one of the resource's addresses (or there is no target), and no exclusion does. */
export type Selects = (addresses: readonly string[]) => boolean;
