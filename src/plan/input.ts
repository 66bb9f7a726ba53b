// What a plan is made from: values only.
import type { Address } from '../model/address.ts';
import type { DesiredState, ResourceId } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveState } from '../model/live.ts';
import type { Allowance } from '../model/outcome/consent.ts';
import type { KindRules } from './kind-rules.ts';

export type { Allowance };

/**
 * Who has consented. `reviewed`: a person or a saved plan saw every step · `unattended`: nobody did, so what removes or
 * takes a service away needs an allowance · `no_impact`: nobody did, and only what harms nobody may run.
 */
export type Consent = 'reviewed' | 'unattended' | 'no_impact';

export interface PlanInput {
  readonly baseUrl: string;
  /** Which store it is, where many stand behind one base URL. */
  readonly store?: string;
  readonly desired: DesiredState;
  readonly live: LiveState;
  readonly kinds: readonly KindRules[];
  /** The service's time. */
  readonly nowMs: number;
  /** Why that is not known, in words: then nothing that the clock drives is carried out. Absent where it is known. */
  readonly clockDoubt?: string | null;
  readonly consent: Consent;
  readonly allow: readonly Allowance[];
  /** Whether due changes are to run. */
  readonly due: boolean;
  /** Whether operation logs were left out on purpose. */
  readonly noHistory?: boolean;
  /** What was found while reading: an error is of the project (or section) that its address names. */
  readonly problems?: readonly Diagnostic[];
  /** Address globs; empty `target` = everything. */
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** What the run that is read back made for its declarations: they are that, and nothing else. */
  readonly made?: ReadonlyMap<Address, ResourceId>;
}

/** Address globs; an empty `target` means everything. */
export type Selection = Pick<PlanInput, 'target' | 'exclude'>;

/** True when one of a resource's addresses is targeted (or nothing is) and none is excluded. */
export type Selects = (addresses: readonly string[]) => boolean;
