// The plan as a value: changes for people, steps for the executor. It survives JSON unchanged.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { KindName, ResourceId, TimeWindow } from '../desired.ts';
import type { Diagnostic, Unplanned } from '../diagnostic.ts';
import type { NeededConsent } from './consent.ts';
import type { Guard, LimitName } from './guard.ts';
import { traitsOf, type Impact } from './impact.ts';
import type { PlanChangeDetails } from '../generated/types.ts';
import type { Stake, Unread } from '../live.ts';
import type { SourceRange } from '../source.ts';
import type { Upkeep } from './upkeep.ts';

export type Action = 'create' | 'update' | 'move' | 'replace' | 'delete' | 'restart' | 'rotate' | 'revoke' | 'none';

/** The actions that `--allow` must name for a change: its own for a removal without a consent type, else those of its impact. */
export function consentsTo({
  action,
  impact,
  consents,
}: Pick<Change, 'action' | 'impact' | 'consents'>): readonly string[] {
  if (consents === undefined && (action === 'delete' || action === 'replace' || action === 'revoke')) return [action];
  return [...new Set(impact.flatMap((word) => traitsOf(word)?.consent ?? []))];
}

/**
 * The reason why a change is blocked, as the schema of plans lists them. `dependency`: a needed change is blocked; `unread`: a part of
 * its project could not be read.
 */
export type Block = PlanChangeDetails['blocked_by'][number];

/** The difference of an attribute; `path` uses dots (`settings.pg_settings.work_mem`), a missing side is null. */
export interface AttributeChange {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  /** True if this difference alone restarts the resource. */
  readonly restarts: boolean;
  /** The place of the value, if a profile, an overlay or another file has it. */
  readonly source?: SourceRange;
}

/** A difference that a hold accepts. */
export interface HeldDifference {
  readonly path: string;
  readonly wanted: Json;
  readonly live: Json;
  readonly untilMs: number;
  readonly reason: string;
}

/** The newest operation that explains the live value. */
export interface LastOperation {
  readonly id: string;
  readonly action: string;
  /** ISO 8601. */
  readonly at: string | null;
}

/** A live resource that the declaration may mean. */
export interface Candidate {
  readonly id: ResourceId;
  readonly facts: JsonObject;
  /** The declaration that it is matched with; null for none. */
  readonly address: Address | null;
}

/** A difference between desired and live state, for people. */
export interface Change {
  readonly address: Address;
  readonly kind: KindName;
  readonly name: string;
  readonly action: Action;
  readonly resourceId: ResourceId | null;
  readonly projectId: string | null;
  /** The id of its existing parent within the project; missing directly below a project or the account. */
  readonly parentId?: ResourceId;
  /** The reason for the match, in words. */
  readonly matchedBy: string;
  /** Managed and identifying attributes before the change; null if the resource does not exist. */
  readonly before: JsonObject | null;
  /** The same after the change; null if the resource will not exist. */
  readonly after: JsonObject | null;
  readonly attributes: readonly AttributeChange[];
  readonly impact: readonly Impact[];
  /** The facts of each effect: numbers before and after, or a sentence of the kind (`words`) with its facts. */
  readonly impactDetails: JsonObject;
  readonly notes: readonly string[];
  /** The reasons for the change: stable words or sentences. */
  readonly reasons: readonly string[];
  readonly blockedBy: readonly Block[];
  /** All consents that the change needs, by consent type; missing for kinds whose allowances name actions. */
  readonly consents?: readonly NeededConsent[];
  readonly held: readonly HeldDifference[];
  /** True for a change that the clock drives: it runs only with `--due`. */
  readonly due: boolean;
  /** The origin of the change: `file`, `prune`, `absent`, `rotate`, `restart`, … */
  readonly origin: string;
  readonly source: SourceRange | null;
  readonly lastOperation: LastOperation | null;
  /** ISO 8601: the time of the last change that no operation of the log explains. */
  readonly changedAt?: string;
  /** Attribute paths that force a replacement. */
  readonly replacePaths: readonly string[];
  /** False if only a guess ties it to a live or new resource; missing if its id, slot or name does. */
  readonly pinned?: false;
  /** The sinks of a secret that it creates, as `file:ci.json`. */
  readonly sinks?: readonly string[];
  /** The blocked or missing resource that blocks it. */
  readonly waitsFor?: Address;
  /** The live resources that the declaration may mean; the first of them. */
  readonly candidates?: readonly Candidate[];
}

export type StepId = string;
export type StepAction = 'create' | 'update' | 'move' | 'delete' | 'restart' | 'rotate' | 'revoke';
export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Live resources with these attribute values: their ids when the plan was made. */
export interface Pool {
  readonly where: JsonObject;
  readonly known: readonly ResourceId[];
}

/** Facts that identify a live resource, besides its attributes. */
export interface Marks {
  /** Facts that never change (parent, creation time): a resource with others is another one. */
  readonly lasting: JsonObject;
  /** Facts that change by themselves (state, last use). */
  readonly passing: JsonObject;
}

/** The facts that a step depends on. `restsOn` names the passing facts among them. */
export interface Fingerprint extends Marks {
  readonly restsOn: readonly string[];
}

/**
 * The state that a step expects right before it runs. `present`: the resource exists with these attributes and this fingerprint, and
 * nothing new is in it or in the pool `joins`. `absent`: nothing new is in the pool that the new resource joins.
 */
export type Expectation =
  | {
      readonly state: 'present';
      readonly id: ResourceId;
      readonly attributes: JsonObject;
      readonly fingerprint: Fingerprint;
      /** The contents that a removal deletes: names by id, null for a nameless one. */
      readonly contains?: Readonly<Record<ResourceId, string | null>>;
      /** The data that a removal deletes, as the plan shows it. */
      readonly stake?: Stake;
      readonly joins: Pool | null;
    }
  | {
      readonly state: 'absent';
      readonly joins: Pool;
      /** The pool of a former name that no resource has: still nothing may be in it. */
      readonly former?: Pool;
    };

/** A request. `path` is relative to the base URL; `body` never has a secret. */
export interface Step {
  readonly id: StepId;
  readonly address: Address;
  readonly kind: KindName;
  readonly action: StepAction;
  readonly projectId: string | null;
  /** The id of its parent within the project; `{ADDRESS}` if it is not known yet. Missing directly below a project or the account. */
  readonly parentId?: ResourceId;
  /** The address whose creation also creates this resource, so that nothing is sent. */
  readonly with?: Address;
  readonly method: Method;
  /** `{ADDRESS}` stands for an id, and a reference in the body for a value, that an earlier step makes. */
  readonly path: string;
  readonly body: JsonObject | null;
  /** Steps that must end first. */
  readonly needs: readonly StepId[];
  readonly expects: Expectation;
  /** Attribute values that verification must show; null if the resource must be gone. */
  readonly achieves: JsonObject | null;
  /** Options for its kind alone, for example the sinks of a secret. */
  readonly options: JsonObject;
}

/** A planned secret sync or TTL renewal; a renewal has its request. */
export type PlannedUpkeep = Upkeep<Step>;

/** Live resources that no file lists. */
export interface UnmanagedResource {
  readonly address: Address;
  readonly kind: KindName;
  readonly id: ResourceId;
  readonly projectId: string | null;
  readonly spec: JsonObject;
  /** Its description in words; missing in a report of an earlier version. */
  readonly described?: string;
  /** True if a prune rule asks for its deletion: then it is also among the changes. */
  readonly pruned: boolean;
}

/** A count limit of a safety block that the plan exceeds: then nothing runs. */
export interface ExceededLimit {
  readonly limit: LimitName;
  /** The label of the limit's project; null if it covers everything. */
  readonly project: string | null;
  readonly allowed: number;
  readonly planned: number;
  /** The addresses that it counts. */
  readonly addresses: readonly Address[];
}

/** The windows of a safety block: disruptive steps run only within one of them. `project` is null for a block that covers everything. */
export interface CoveringWindows {
  readonly project: string | null;
  readonly windows: readonly TimeWindow[];
  /** ISO 8601: the next opening after the plan was made; missing if a window is open or no step waits for one. */
  readonly opensAt?: string;
}

/** The number of changes by action; one that is blocked or due counts only as such. */
export type PlanSummary = Readonly<Record<Exclude<Action, 'none'> | 'blocked' | 'held' | 'due' | 'unchanged', number>>;

/** The difference between desired and live state, and the steps that close it. Changes are sorted by address, steps by id. */
export interface Plan {
  readonly baseUrl: string;
  /** The store of the plan, if several have one base URL (embedded control planes). */
  readonly store?: string;
  /** Every managed resource, also an unchanged one (`none`). */
  readonly changes: readonly Change[];
  /** The steps of changes that are neither blocked nor due (without `--due`). */
  readonly steps: readonly Step[];
  readonly summary: PlanSummary;
  /** The work of every apply besides the changes, by address; not in the hash, the summary or the differences. */
  readonly upkeep: readonly PlannedUpkeep[];
  readonly unmanaged: readonly UnmanagedResource[];
  readonly unread: readonly Unread[];
  readonly unplanned: readonly Unplanned[];
  /** The idle time that a drop needs, by each block of limits that asks for it. */
  readonly idleLimits?: readonly { readonly project: string | null; readonly ms: number }[];
  /** Exceeded safety limits: then every change is blocked. */
  readonly limitsExceeded: readonly ExceededLimit[];
  /** Checked when a step is sent, too. */
  readonly windows: readonly CoveringWindows[];
  readonly diagnostics: readonly Diagnostic[];
  readonly options: PlanOptions;
  /** True if nobody reviews the plan, so that no step with an impact may run. */
  readonly isNoImpact?: true;
  /** The guards of the files and of the operator when the plan was made. */
  readonly guards: readonly Guard[];
  /** Digest of the steps, the guards of the files and the sinks, without the clock and runtime noise. */
  readonly planHash: string;
  /** Names of the referenced live resources, by id. */
  readonly names?: Readonly<Record<ResourceId, string>>;
}

/** True if everything that the files name was read and planned. */
export function isWhole({ unread, unplanned }: Pick<Plan, 'unread' | 'unplanned'>): boolean {
  return unread.length + unplanned.length === 0;
}

/** Replacements whose new resource exists already, so that only the old one must be removed. */
export function halfReplaced({ summary, steps, changes }: Plan): ReadonlySet<Address> {
  if (summary.replace === 0) return new Set();
  const made = new Set(steps.flatMap(({ action, address }) => (action === 'create' ? [address] : [])));
  const running = new Set(steps.map(({ address }) => address));
  const replaced = changes.filter(
    ({ action, address }) => action === 'replace' && running.has(address) && !made.has(address),
  );
  return new Set(replaced.map(({ address }) => address));
}

/** The options of a plan: with the same files and account they make the same plan. */
export interface PlanOptions {
  /** `ACTION:ADDRESS`, as given. */
  readonly allow: readonly string[];
  /** True if due changes run. */
  readonly due: boolean;
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** True if operation logs were left out. */
  readonly noHistory: boolean;
}
