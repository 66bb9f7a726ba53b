// The input of a plan: values only.
import type { Address } from '../model/address.ts';
import type { DesiredState, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveState } from '../model/live.ts';
import type { Allowance } from '../model/outcome/consent.ts';
import type { Block } from '../model/outcome/plan.ts';
import type { KindRules } from './kind-rules.ts';

export type { Allowance };

/**
 * The consent of the run. `reviewed`: a person or a saved plan saw every step · `unattended`: nobody did, so a removal or an outage needs
 * an allowance · `no_impact`: nobody did, and only changes without effect on clients and data run.
 */
export type Consent = 'reviewed' | 'unattended' | 'no_impact';

/** The attributes that the update of a resource leaves out because something blocks them. */
export interface HeldBack {
  readonly address: Address;
  readonly paths: readonly string[];
  readonly blockedBy: readonly Block[];
}

export interface PlanInput {
  readonly baseUrl: string;
  /** Tells embedded control planes with one base URL apart; a saved plan belongs to one of them. */
  readonly store?: string;
  readonly desired: DesiredState;
  readonly live: LiveState;
  readonly kinds: readonly KindRules[];
  /** The service's time, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** The reason why the time is not known: then no change that depends on time is sent. Null or missing if the time is known. */
  readonly clockDoubt?: string | null;
  readonly consent: Consent;
  readonly allow: readonly Allowance[];
  readonly due: boolean;
  /** True if the user chose not to read the operation logs. */
  readonly noHistory?: boolean;
  /** Problems found while reading the account. An error belongs to the project (or section) of its address. */
  readonly problems?: readonly Diagnostic[];
  /** Address globs; an empty `target` means everything. */
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** The ids that the verified run created, by address: each of these declarations matches only its own id. */
  readonly made?: ReadonlyMap<Address, ResourceId>;
  /** By id, the addresses that the reviewed plan removes by rule: rules remove nothing else. Missing if no reviewed plan is made again. */
  readonly removals?: ReadonlyMap<ResourceId, Address>;
  /** The attributes that updates leave out. If missing: the attributes that guards block, unless nothing else differs. */
  readonly held?: readonly HeldBack[];
}

/** Address globs; an empty `target` means everything. */
export type Selection = Pick<PlanInput, 'target' | 'exclude'>;

/** True if one of a resource's addresses is targeted (or nothing is) and none is excluded. */
export type Selects = (addresses: readonly string[]) => boolean;
