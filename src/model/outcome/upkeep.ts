// Describes the work that every apply does besides changes, such as renewing an expiry or filling a sink.
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { KindName, ResourceId } from '../desired.ts';

/** `renew`: sets an expiry again · `refill`: stores a secret in sinks that lack it · `forget`: deletes a secret from sinks. */
export type UpkeepAction = 'renew' | 'refill' | 'forget';

export interface Upkeep<Request = unknown> {
  readonly address: Address;
  readonly kind: KindName;
  readonly action: UpkeepAction;
  /** Null if the resource has no id yet. */
  readonly resourceId: ResourceId | null;
  readonly projectId: string | null;
  readonly parentId?: ResourceId;
  readonly reasons: readonly string[];
  /** The sinks that the work fills or clears, such as `file:ci.json`. */
  readonly sinks: readonly string[];
  /** True if the work must wait for the changes, because it needs a value that they provide. */
  readonly isPending: boolean;
  /** The resource whose secret the work stores; missing if this is the resource at `address`, or an unlisted resource. */
  readonly restsOn?: Address;
  readonly step?: Request;
  readonly options: JsonObject;
}

export interface UpkeepIntent extends Pick<Upkeep, 'action' | 'reasons' | 'restsOn'> {
  readonly sinks?: readonly string[];
  readonly isPending?: boolean;
  /** The attributes that a renewal sends. */
  readonly send?: JsonObject;
  readonly options?: JsonObject;
}

export interface UpkeepResult extends Pick<Upkeep, 'address' | 'action' | 'sinks'> {
  readonly outcome: 'done' | 'failed';
  readonly message: string | null;
}
