// Upkeep: the work of every apply that keeps the live state as declared, such as renewing an expiry. Upkeep is no difference.
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { KindName, ResourceId } from '../desired.ts';

/** `renew`: sets an expiry again · `refill`: gives the sinks a missing secret · `forget`: deletes the secret from its sinks. */
export type UpkeepAction = 'renew' | 'refill' | 'forget';

export interface Upkeep<Request = unknown> {
  readonly address: Address;
  readonly kind: KindName;
  readonly action: UpkeepAction;
  /** Null while the resource has no id. */
  readonly resourceId: ResourceId | null;
  readonly projectId: string | null;
  readonly parentId?: ResourceId;
  readonly reasons: readonly string[];
  /** The sinks that the work concerns, as `file:ci.json`. */
  readonly sinks: readonly string[];
  /** True if the work must wait for the changes, because a value that it needs is known only after them. */
  readonly isPending: boolean;
  /** The resource whose secret the work stores; missing if that is the resource itself, or unlisted. */
  readonly restsOn?: Address;
  readonly step?: Request;
  readonly options: JsonObject;
}

export interface UpkeepIntent extends Pick<Upkeep, 'action' | 'reasons' | 'restsOn'> {
  readonly sinks?: readonly string[];
  readonly isPending?: boolean;
  /** The request body of a renewal. */
  readonly send?: JsonObject;
  readonly options?: JsonObject;
}

export interface UpkeepResult {
  readonly address: Address;
  readonly action: UpkeepAction;
  readonly outcome: 'done' | 'failed';
  readonly message: string | null;
  readonly sinks: readonly string[];
}
