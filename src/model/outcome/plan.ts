// Describes a plan as a value: changes for people, steps for the executor. Writing the plan as JSON and reading it again loses nothing.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { Hold, KindName, ResourceId, TimeWindow } from '../desired.ts';
import type { Diagnostic, Unplanned } from '../diagnostic.ts';
import type { Guard, LimitName } from './guard.ts';
import { traitsOf, type Impact, type NeededConsent } from './impact.ts';
import type { PlanChangeDetails } from '../generated/types.ts';
import type { LiveResource, Stake, Unread } from '../live.ts';
import type { SourceRange } from '../source.ts';
import type { Upkeep } from './upkeep.ts';

export type Action = 'create' | 'update' | 'move' | 'replace' | 'delete' | 'restart' | 'rotate' | 'revoke' | 'none';

/** Returns the words that `--allow` must name: the consent type of each effect in `impact`; the action for a removal without `consents`. */
export function consentsTo({
  action,
  impact,
  consents,
}: Pick<Change, 'action' | 'impact' | 'consents'>): readonly string[] {
  if (consents === undefined && (action === 'delete' || action === 'replace' || action === 'revoke')) return [action];
  return [...new Set(impact.flatMap((word) => traitsOf(word)?.consent ?? []))];
}

/**
 * A reason that blocks a change, as listed in the schema of plans. `dependency`: a change that must come first does not run · `unread`: a
 * part of the project could not be read.
 */
export type Block = PlanChangeDetails['blocked_by'][number];

/** The difference of one attribute. `path` uses dots (`settings.pg_settings.work_mem`); a side without a value is null. */
export interface AttributeChange {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly restarts: boolean;
  /** The source range of the value, if it is in a profile, an overlay or another file. */
  readonly source?: SourceRange;
}

export interface HeldDifference extends Pick<Hold, 'path' | 'untilMs' | 'reason'> {
  readonly wanted: Json;
  readonly live: Json;
}

export interface LastOperation {
  readonly id: string;
  readonly action: string;
  /** The time when the operation was created, ISO 8601; null if it is not known. */
  readonly at: string | null;
}

export interface Candidate {
  readonly id: ResourceId;
  readonly facts: JsonObject;
  /** The address of the declaration that is matched with this live resource; null if there is none. */
  readonly address: Address | null;
}

export interface Change {
  readonly address: Address;
  readonly kind: KindName;
  readonly name: string;
  readonly action: Action;
  readonly resourceId: ResourceId | null;
  readonly projectId: string | null;
  readonly parentId?: ResourceId;
  readonly matchedBy: string;
  /** Managed and identifying attributes before the change; null if the resource does not exist. */
  readonly before: JsonObject | null;
  /** Managed and identifying attributes after the change; null if the resource will not exist. */
  readonly after: JsonObject | null;
  readonly attributes: readonly AttributeChange[];
  readonly impact: readonly Impact[];
  /** Facts about each effect: numbers before and after, or a sentence (`words`) with the facts behind it. */
  readonly impactDetails: JsonObject;
  readonly notes: readonly string[];
  /** Says why the change is planned, as stable words or as sentences. */
  readonly reasons: readonly string[];
  readonly blockedBy: readonly Block[];
  /** All consents that the change needs; missing for kinds without consent types, for which allowances name actions. */
  readonly consents?: readonly NeededConsent[];
  readonly held: readonly HeldDifference[];
  /** True if time alone makes the change due; such a change runs only with `--due`. */
  readonly due: boolean;
  /** The origin of the change: `file`, `prune`, `absent`, `rotate`, `restart`, … */
  readonly origin: string;
  readonly source: SourceRange | null;
  readonly lastOperation: LastOperation | null;
  /** ISO 8601: when the resource last changed, if no operation in the log explains that change. */
  readonly changedAt?: string;
  readonly replacePaths: readonly string[];
  /** False if only a guess links the change to its resource; missing if an id, a slot or a name links them. */
  readonly pinned?: false;
  readonly sinks?: readonly string[];
  /** The resource whose change must come first, but does not run. */
  readonly waitsFor?: Address;
  readonly candidates?: readonly Candidate[];
}

export type StepId = string;
export type StepAction = 'create' | 'update' | 'move' | 'delete' | 'restart' | 'rotate' | 'revoke';
export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Selects live resources by attribute values (`where`). `known`: the ids of those that match at planning or after a step of the plan. */
export interface Pool {
  readonly where: JsonObject;
  readonly known: readonly ResourceId[];
}

export interface Marks {
  /** Facts that never change (parent, creation time): a resource with different ones is another resource. */
  readonly lasting: JsonObject;
  /** Facts that change by themselves (state, last use). */
  readonly passing: JsonObject;
}

/** The facts by which a step recognises its target; `restsOn` names the passing facts that must not change. */
export interface Fingerprint extends Marks {
  readonly restsOn: readonly string[];
}

/**
 * Describes the state that a step expects right before it runs. `present`: the resource has these attributes, this fingerprint and no new
 * contents, and no new resource matches `joins`. `absent`: no new resource matches `joins`. New means: not known to the plan or the run.
 */
export type Expectation =
  | {
      readonly state: 'present';
      readonly id: ResourceId;
      readonly attributes: JsonObject;
      readonly fingerprint: Fingerprint;
      /** The contents that a removal deletes, as names by id; null for a resource without a name. */
      readonly contains?: Readonly<Record<ResourceId, string | null>>;
      readonly stake?: Stake;
      readonly joins: Pool | null;
    }
  | {
      readonly state: 'absent';
      readonly joins: Pool;
      /** Selects resources with the former name. The plan found none; if there is one now, the step is stale. */
      readonly former?: Pool;
    };

/** One step of the plan: a request, unless `with` is set. `path` is relative to the base URL; `body` never contains a secret. */
export interface Step {
  readonly id: StepId;
  readonly address: Address;
  readonly kind: KindName;
  readonly action: StepAction;
  readonly projectId: string | null;
  /** The id of the parent, or `{ADDRESS}` while it is not known; missing if the parent is a project or the account itself. */
  readonly parentId?: ResourceId;
  /** The address whose creation also creates this resource; this step then sends no request. */
  readonly with?: Address;
  readonly method: Method;
  /** `{ADDRESS}` in the path, or a reference in the body, stands for a value that an earlier step provides. */
  readonly path: string;
  readonly body: JsonObject | null;
  readonly needs: readonly StepId[];
  readonly expects: Expectation;
  /** The attribute values that verification must find; null if the resource must be gone. */
  readonly achieves: JsonObject | null;
  readonly options: JsonObject;
}

export type PlannedUpkeep = Upkeep<Step>;

/** A live resource that no file lists. */
export interface UnmanagedResource extends Pick<LiveResource, 'kind' | 'id' | 'projectId' | 'spec'> {
  readonly address: Address;
  /** Describes the resource in words; missing in a report of an earlier version. */
  readonly described?: string;
  /** True if a prune rule asks for the deletion of the resource, which is then also among the changes. */
  readonly pruned: boolean;
}

export interface ExceededLimit {
  readonly limit: LimitName;
  /** The label of the limit's project; null if the limit covers everything. */
  readonly project: string | null;
  readonly allowed: number;
  readonly planned: number;
  readonly addresses: readonly Address[];
}

/** The windows of one safety block; disruptive steps run only while one is open. `project` is null for a block that covers everything. */
export interface CoveringWindows {
  readonly project: string | null;
  readonly windows: readonly TimeWindow[];
  /** ISO 8601: when the next window opens after planning; missing if a window is open or no step waits for one. */
  readonly opensAt?: string;
}

/** How long a resource must be unused before a drop by the retention rule `rule` or, without `rule`, by no retention rule. */
export interface IdleLimit {
  readonly project: string | null;
  readonly rule?: Address;
  readonly ms: number;
}

/** Counts each change by its action, or only as blocked or due. A change with held differences also counts as held. */
export type PlanSummary = Readonly<Record<Exclude<Action, 'none'> | 'blocked' | 'held' | 'due' | 'unchanged', number>>;

/** Lists the differences between desired and live state, and the steps that close them. Changes are sorted by address, steps by id. */
export interface Plan {
  readonly baseUrl: string;
  /** Identifies one of several embedded control planes with the same base URL; a saved plan belongs to one of them. */
  readonly store?: string;
  /** An unchanged resource has the action `none`. */
  readonly changes: readonly Change[];
  /** The steps of all changes that are not blocked; due changes have steps only with `--due`. */
  readonly steps: readonly Step[];
  readonly summary: PlanSummary;
  /** Work that every apply does besides the changes, sorted by address; the hash and the summary leave it out. */
  readonly upkeep: readonly PlannedUpkeep[];
  readonly unmanaged: readonly UnmanagedResource[];
  readonly unread: readonly Unread[];
  readonly unplanned: readonly Unplanned[];
  readonly idleLimits?: readonly IdleLimit[];
  /** If this list is not empty, no change runs. */
  readonly limitsExceeded: readonly ExceededLimit[];
  /** The windows of all safety blocks, which apply checks again before it sends a step. */
  readonly windows: readonly CoveringWindows[];
  readonly diagnostics: readonly Diagnostic[];
  readonly options: PlanOptions;
  /** True for `--auto-approve=no-impact`: no change that may harm clients or data runs, not even with an allowance. */
  readonly isNoImpact?: true;
  readonly guards: readonly Guard[];
  /** The digest of the steps, the files' guards and the sinks. Neither time nor passing facts (see `Marks`) alter the digest. */
  readonly planHash: string;
  /** Names of the referenced live resources, by id; missing in a saved report. */
  readonly names?: Readonly<Record<ResourceId, string>>;
}

export function isWhole({ unread, unplanned }: Pick<Plan, 'unread' | 'unplanned'>): boolean {
  return unread.length + unplanned.length === 0;
}

/** Returns the action under which a change is counted: a rotation that resets a live secret counts as an update. */
export function tallyOf({ action, before }: Pick<Change, 'action' | 'before'>): Action {
  return action === 'rotate' && before !== null ? 'update' : action;
}

/** Returns the addresses of replacements whose new resource exists already, so that only the old one must be removed. */
export function halfReplaced({ summary, steps, changes }: Plan): ReadonlySet<Address> {
  if (summary.replace === 0) return new Set();
  const made = new Set(steps.flatMap(({ action, address }) => (action === 'create' ? [address] : [])));
  const running = new Set(steps.map(({ address }) => address));
  const replaced = changes.filter(
    ({ action, address }) => action === 'replace' && running.has(address) && !made.has(address),
  );
  return new Set(replaced.map(({ address }) => address));
}

export interface PlanOptions {
  /** The allowances as the user gave them: `ACTION:ADDRESS`. */
  readonly allow: readonly string[];
  readonly due: boolean;
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  readonly noHistory: boolean;
}
