// The records that the control plane keeps: what is stored, in our own words, with times as milliseconds since the epoch.
import type { Outcome } from './faults/fate.ts';

/** Settings of a compute as the API takes them. */
export interface ComputeSettings {
  readonly pg_settings?: Readonly<Record<string, string | number | boolean>>;
  readonly pgbouncer_settings?: Readonly<Record<string, string | number | boolean>>;
  readonly preload_libraries?: { readonly use_defaults?: boolean; readonly enabled_libraries?: readonly string[] };
}

export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  readonly platformId: string;
  readonly regionId: string;
  readonly provisioner: string;
  readonly pgVersion: number;
  readonly cpuUsedSec: number;
  readonly branchLogicalSizeLimit: number;
  readonly historyRetentionSeconds: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** Last connection or write: after 30 idle days the project is detached from storage. */
  readonly activityMs: number;
  readonly detached: boolean;
  /** When the next availability check of its branches is due; absent while checks are off. */
  readonly nextCheckMs?: number;
}

export interface RoleRecord {
  readonly name: string;
  readonly isProtected: boolean;
  readonly passwordVersion: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface DatabaseRecord {
  readonly id: number;
  readonly name: string;
  readonly ownerName: string;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface BranchRecord {
  readonly id: string;
  readonly projectId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly isProtected: boolean;
  readonly currentState: 'init' | 'ready';
  readonly stateChangedMs: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly roles: readonly RoleRecord[];
  readonly databases: readonly DatabaseRecord[];
}

export type ComputeState = 'init' | 'active' | 'idle';

/** What a client can set on a compute. */
export interface ComputeConfig {
  readonly branchId: string;
  readonly minCu: number;
  readonly maxCu: number;
  readonly provisioner: string;
  readonly settings: ComputeSettings;
  /** Autosuspend delay in seconds: 0 is the default of 300, -1 is never. */
  readonly suspendSeconds: number;
  readonly poolerEnabled: boolean;
  readonly poolerMode: string;
  readonly disabled: boolean;
  readonly passwordlessAccess: boolean;
  readonly name?: string;
}

export interface ComputeRecord extends ComputeConfig {
  readonly id: string;
  readonly projectId: string;
  readonly regionId: string;
  /** read_write, or the word that the switch `replicaType` gives to replicas. */
  readonly type: string;
  readonly currentState: ComputeState;
  readonly pendingState?: ComputeState;
  readonly creationSource: string;
  readonly lastActiveMs?: number;
  readonly startedMs?: number;
  readonly suspendedMs?: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** Last connection request: the autosuspend timer counts from here. */
  readonly activityMs: number;
  /** Grows each time that the open connections are dropped. */
  readonly generation: number;
  /** True after an apply_config failed, until one succeeds: sending the same attributes again repairs it. */
  readonly configFailed: boolean;
}

/** What an operation does to the world when it ends well. */
export type Effect = 'none' | 'activate' | 'suspend' | 'branch_ready';

export interface OperationRecord {
  /** Order of creation in the whole store. */
  readonly seq: number;
  readonly id: string;
  readonly projectId: string;
  readonly branchId?: string;
  readonly endpointId?: string;
  readonly action: string;
  readonly status: string;
  readonly failuresCount: number;
  readonly error?: string;
  /** When the next attempt starts, after a failed one. */
  readonly retryMs?: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** Work of an attempt, milliseconds. */
  readonly durationMs: number;
  /** Sequence number of the operation that must end before this one starts. */
  readonly after?: number;
  /** When the attempt under way ends; absent when it never does. */
  readonly endsMs?: number;
  readonly open: boolean;
  /** The first operation of the chain that this one belongs to. */
  readonly chain: number;
  readonly effect: Effect;
  readonly outcome: Outcome;
  /** Configuration to go back to when the outcome is not applied. */
  readonly revert?: ComputeConfig;
  /** How often it has seemed to end (an injected fault). */
  readonly flapped?: number;
  /** Neither waits for operations of its compute nor makes others wait. */
  readonly alongside?: boolean;
  /** Never gets beyond this status (an injected fault). */
  readonly stuck?: 'scheduling' | 'running';
  /** Kept from every answer of the API (an injected fault). */
  readonly hidden?: boolean;
}

export interface KeyRecord {
  /** Decimal digits: identifiers may exceed 2^53. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the value, hex: the value itself is stored nowhere. */
  readonly hash: string;
  readonly createdMs: number;
  readonly lastUsedMs?: number;
  readonly lastUsedFrom?: string;
  readonly revokedMs?: number;
}
