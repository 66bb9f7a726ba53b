// Upkeep: what every apply does besides the changes, so that what is as the files say stays so. It is no difference, and counts as none.
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { KindName, ResourceId } from '../desired.ts';

/** `renew`: an expiry is put off again · `refill`: the places of its secret get what they lack, read again from the service · `forget`: they delete what they hold. */
export type UpkeepAction = 'renew' | 'refill' | 'forget';

/** One act of upkeep. It follows from the live reading and from what the places hold, and is judged again by the read-back. */
export interface Upkeep<Request = unknown> {
  readonly address: Address;
  readonly kind: KindName;
  readonly action: UpkeepAction;
  /** Null where it has none, or none yet. */
  readonly resourceId: ResourceId | null;
  readonly projectId: string | null;
  /** Id of its parent within the project, where that exists. */
  readonly parentId?: ResourceId;
  /** Why it is to be done, in sentences. */
  readonly reasons: readonly string[];
  /** The places that it is about, as `file:ci.json`. */
  readonly sinks: readonly string[];
  /** True for what can be done only when the changes have been: what it needs is known after apply. */
  readonly isPending: boolean;
  /** What has the secret that it stores; absent where that is itself, or in no file. */
  readonly restsOn?: Address;
  /** The request of a renewal. */
  readonly step?: Request;
  /** What only its kind understands. */
  readonly options: JsonObject;
}

/** What is to be done besides the changes, proposed by the kind. */
export interface UpkeepIntent extends Pick<Upkeep, 'action' | 'reasons' | 'restsOn'> {
  readonly sinks?: readonly string[];
  readonly isPending?: boolean;
  /** What a renewal sends. */
  readonly send?: JsonObject;
  readonly options?: JsonObject;
}

/** How it went. */
export interface UpkeepResult {
  readonly address: Address;
  readonly action: UpkeepAction;
  readonly outcome: 'done' | 'failed';
  /** Why it failed. */
  readonly message: string | null;
  readonly sinks: readonly string[];
}
