// Upkeep: the work of every apply that keeps the live state as declared. It is no difference.
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { KindName, ResourceId } from '../desired.ts';

/** `renew`: sets an expiry again · `refill`: gives the sinks a missing secret · `forget`: deletes the secret from its sinks. */
export type UpkeepAction = 'renew' | 'refill' | 'forget';

/** A piece of upkeep. It follows from the reading and from the sinks, and verification judges it again. */
export interface Upkeep<Request = unknown> {
  readonly address: Address;
  readonly kind: KindName;
  readonly action: UpkeepAction;
  /** Null if it has none yet. */
  readonly resourceId: ResourceId | null;
  readonly projectId: string | null;
  /** Id of its parent within the project, where that exists. */
  readonly parentId?: ResourceId;
  /** The reasons, in sentences. */
  readonly reasons: readonly string[];
  /** Its sinks, as `file:ci.json`. */
  readonly sinks: readonly string[];
  /** True if it must wait for the changes: a value that it needs is known after apply. */
  readonly isPending: boolean;
  /** The resource with the secret that it stores; missing if it is the resource itself, or unlisted. */
  readonly restsOn?: Address;
  /** The request of a renewal. */
  readonly step?: Request;
  /** Options for its kind alone. */
  readonly options: JsonObject;
}

/** Upkeep that the kind proposes. */
export interface UpkeepIntent extends Pick<Upkeep, 'action' | 'reasons' | 'restsOn'> {
  readonly sinks?: readonly string[];
  readonly isPending?: boolean;
  /** The body of a renewal. */
  readonly send?: JsonObject;
  readonly options?: JsonObject;
}

/** The end of a piece of upkeep. */
export interface UpkeepResult {
  readonly address: Address;
  readonly action: UpkeepAction;
  readonly outcome: 'done' | 'failed';
  /** The reason for a failure. */
  readonly message: string | null;
  readonly sinks: readonly string[];
}
