// The plan as a value: changes for people, steps for the executor. Plain, readonly, and the same through JSON and back.
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

/** The actions that `--allow` has to name for a change: its own if that removes something, unless its loss has a word, else those that its impact asks for. */
export function consentsTo({
  action,
  impact,
  consents,
}: Pick<Change, 'action' | 'impact' | 'consents'>): readonly string[] {
  if (consents === undefined && (action === 'delete' || action === 'replace' || action === 'revoke')) return [action];
  return [...new Set(impact.flatMap((word) => traitsOf(word)?.consent ?? []))];
}

/** Why a change is held back: a guard's stable word, as the schema of plans lists them. `dependency` = something that it needs is blocked; `unread` = not all of its project could be read. */
export type Block = PlanChangeDetails['blocked_by'][number];

/** One attribute's difference; `path` uses dots (`settings.pg_settings.work_mem`), `undefined` sides are null. */
export interface AttributeChange {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  /** True when this difference alone restarts the resource. */
  readonly restarts: boolean;
  /** Where it is written, when a profile, an overlay or another file brings it; left out where that is beside the declaration. */
  readonly source?: SourceRange;
}

/** A difference that a hold lets be. */
export interface HeldDifference {
  readonly path: string;
  readonly wanted: Json;
  readonly live: Json;
  readonly untilMs: number;
  readonly reason: string;
}

/** The newest operation that explains the live value, from the operation log. */
export interface LastOperation {
  readonly id: string;
  readonly action: string;
  /** ISO 8601. */
  readonly at: string | null;
}

/** A live resource that could be meant. */
export interface Candidate {
  readonly id: ResourceId;
  readonly facts: JsonObject;
  /** The declaration that it is matched with; null when there is none. */
  readonly address: Address | null;
}

/** One difference between desired and live state, for people. */
export interface Change {
  readonly address: Address;
  readonly kind: KindName;
  readonly name: string;
  readonly action: Action;
  readonly resourceId: ResourceId | null;
  readonly projectId: string | null;
  /** Id of its parent within the project, where that exists; left out directly below a project or the account. */
  readonly parentId?: ResourceId;
  /** Why this live resource is taken to be this address, in words. */
  readonly matchedBy: string;
  /** Managed and identifying attributes before; null when it does not exist. */
  readonly before: JsonObject | null;
  /** The same after; null when it will not exist. */
  readonly after: JsonObject | null;
  readonly attributes: readonly AttributeChange[];
  readonly impact: readonly Impact[];
  /** What is behind the impact, by its word: numbers before and after, or a sentence of the kind's (`words`) with its facts. */
  readonly impactDetails: JsonObject;
  readonly notes: readonly string[];
  /** Why it is to be done: stable words or sentences. */
  readonly reasons: readonly string[];
  readonly blockedBy: readonly Block[];
  /** For kinds that are consented to by what is lost: all consents that it needs, in the order of their words. Left out by the other kinds. */
  readonly consents?: readonly NeededConsent[];
  readonly held: readonly HeldDifference[];
  /** Driven by the clock: runs only when due changes are asked for. */
  readonly due: boolean;
  /** Where the change comes from: `file`, `prune`, `absent`, `rotate`, `restart`, … */
  readonly origin: string;
  readonly source: SourceRange | null;
  readonly lastOperation: LastOperation | null;
  /** ISO 8601: when it was last changed, where no operation of the log goes with that. */
  readonly changedAt?: string;
  /** Attribute paths that force a replacement. */
  readonly replacePaths: readonly string[];
  /** False where nothing but a guess ties it to a live resource, now or once it is made; left out where its id, place or name tells. */
  readonly pinned?: false;
  /** Where a secret that it makes goes, as `file:ci.json`; only where it makes one. */
  readonly sinks?: readonly string[];
  /** What it needs first and does not get, where it is blocked by that. */
  readonly waitsFor?: Address;
  /** Where several could be meant and nothing says which: the first of them. */
  readonly candidates?: readonly Candidate[];
}

export type StepId = string;
export type StepAction = 'create' | 'update' | 'move' | 'delete' | 'restart' | 'rotate' | 'revoke';
export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A set of live resources that share these attribute values, and the ids in it at planning time. */
export interface Pool {
  readonly where: JsonObject;
  readonly known: readonly ResourceId[];
}

/** What a kind knows a live resource by, besides its attributes. */
export interface Marks {
  /** Facts that never change (parent, time of its making): with others it is another resource. */
  readonly lasting: JsonObject;
  /** Facts that change by themselves (state, last use). */
  readonly passing: JsonObject;
}

/** What a step was planned upon. `restsOn` names the passing facts without which it would not have been planned. */
export interface Fingerprint extends Marks {
  readonly restsOn: readonly string[];
}

/**
 * What must hold right before a step. `present`: the resource exists with these attributes and this fingerprint, and nothing unknown is in
 * it or in the pool `joins`. That is the pool that a move goes into; for a removal the one that a successor would join; for what comes
 * with its parent, and has no known id yet, the one where it is looked for. `absent`: nothing unknown is in the pool that the new one joins.
 */
export type Expectation =
  | {
      readonly state: 'present';
      readonly id: ResourceId;
      readonly attributes: JsonObject;
      readonly fingerprint: Fingerprint;
      /** What a removal takes along: its names by its ids, null for what has none. */
      readonly contains?: Readonly<Record<ResourceId, string | null>>;
      /** What a removal deletes, as it was shown. */
      readonly stake?: Stake;
      readonly joins: Pool | null;
    }
  | {
      readonly state: 'absent';
      readonly joins: Pool;
      /** For a creation instead of a rename, whose source was not found: the pool of the former name. Nothing unknown is there either. */
      readonly former?: Pool;
    };

/** One call of ours. `path` is relative to the base URL; `body` never holds a secret. */
export interface Step {
  readonly id: StepId;
  readonly address: Address;
  readonly kind: KindName;
  readonly action: StepAction;
  readonly projectId: string | null;
  /** Id of its parent within the project; `{ADDRESS}` while that is not known. Left out directly below a project or the account. */
  readonly parentId?: ResourceId;
  /** The address whose creation makes this one as well: it exists when its turn comes, and nothing is sent. */
  readonly with?: Address;
  readonly method: Method;
  /** `{ADDRESS}` stands in it for an id, and a reference in the body for a value, that an earlier step makes. */
  readonly path: string;
  readonly body: JsonObject | null;
  /** Steps that must be done first. */
  readonly needs: readonly StepId[];
  readonly expects: Expectation;
  /** Attribute values that the read-back must show when the step is done; null when the resource must be gone. */
  readonly achieves: JsonObject | null;
  /** What only its kind understands (for example where a created secret goes). */
  readonly options: JsonObject;
}

/** One act of upkeep in a plan; that of a renewal has its request. */
export type PlannedUpkeep = Upkeep<Step>;

/** Live resources that no file lists. */
export interface UnmanagedResource {
  readonly address: Address;
  readonly kind: KindName;
  readonly id: ResourceId;
  readonly projectId: string | null;
  readonly spec: JsonObject;
  /** What it is, in words; left out where a report of an earlier version does not say. */
  readonly described?: string;
  /** True when a prune rule asks for its deletion: it then stands among the changes too. */
  readonly pruned: boolean;
}

/** A count limit of a safety block that the plan would break: nothing of it runs. */
export interface ExceededLimit {
  readonly limit: LimitName;
  /** Label of the project that the limit covers; null when it covers everything. */
  readonly project: string | null;
  readonly allowed: number;
  readonly planned: number;
  /** What counts towards it. */
  readonly addresses: readonly Address[];
}

/** Windows of one safety block: what is disruptive runs only within one of them. `project` is null for a block that covers everything. */
export interface CoveringWindows {
  readonly project: string | null;
  readonly windows: readonly TimeWindow[];
  /** ISO 8601: when one of them opens next, seen from when the plan was made; left out where one is open, or where nothing waits for it. */
  readonly opensAt?: string;
}

export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly move: number;
  readonly replace: number;
  readonly delete: number;
  readonly restart: number;
  readonly rotate: number;
  readonly revoke: number;
  readonly blocked: number;
  readonly held: number;
  readonly due: number;
  readonly unchanged: number;
}

/** The difference between desired and live state, and how to close it. Changes are sorted by address, steps by id. */
export interface Plan {
  readonly baseUrl: string;
  /** Which store it was made for, where many stand behind one base URL (an embedded control plane's). */
  readonly store?: string;
  /** Every managed resource, also those without a difference (`none`). */
  readonly changes: readonly Change[];
  /** Only of changes that are neither blocked nor (unless asked for) due. */
  readonly steps: readonly Step[];
  readonly summary: PlanSummary;
  /** What every apply does besides the changes, by address; no part of the hash, the summary or the differences. */
  readonly upkeep: readonly PlannedUpkeep[];
  readonly unmanaged: readonly UnmanagedResource[];
  readonly unread: readonly Unread[];
  readonly unplanned: readonly Unplanned[];
  /** How long what is dropped must not have been in use, by each block of limits that asks for it. */
  readonly idleLimits?: readonly { readonly project: string | null; readonly ms: number }[];
  /** Safety limits that are exceeded: then every change is blocked. */
  readonly limitsExceeded: readonly ExceededLimit[];
  /** They hold when a step is about to be sent, not only when the plan was made. */
  readonly windows: readonly CoveringWindows[];
  readonly diagnostics: readonly Diagnostic[];
  readonly options: PlanOptions;
  /** Set where nobody reviews the plan and nothing with an impact may run, whatever is allowed. */
  readonly isNoImpact?: true;
  /** The guards that it was made under: those of the files, and those of the operator. */
  readonly guards: readonly Guard[];
  /** Digest of what is done, under which guards of the files, and where secrets go: not of the clock, nor of runtime noise. */
  readonly planHash: string;
  /** Names of the live resources that changes refer to, by id. */
  readonly names?: Readonly<Record<ResourceId, string>>;
}

/** True when everything that the files speak of was read and planned. */
export function isWhole({ unread, unplanned }: Pick<Plan, 'unread' | 'unplanned'>): boolean {
  return unread.length + unplanned.length === 0;
}

/** Addresses of replacements whose new resource an earlier run has made already: only the old one is still to be removed. */
export function halfReplaced(plan: Plan): ReadonlySet<Address> {
  if (plan.summary.replace === 0) return new Set();
  const made = new Set(plan.steps.filter(({ action }) => action === 'create').map(({ address }) => address));
  const removed = plan.steps.filter(({ action, address }) => REMOVING.has(action) && !made.has(address));
  const left = new Set(removed.map(({ address }) => address));
  const replaced = plan.changes.filter(({ action, address }) => action === 'replace' && left.has(address));
  return new Set(replaced.map(({ address }) => address));
}

const REMOVING: ReadonlySet<StepAction> = new Set(['delete', 'revoke']);

/** The options of a plan: the same ones make the same plan of the same files and account. */
export interface PlanOptions {
  /** `ACTION:ADDRESS`, as given. */
  readonly allow: readonly string[];
  /** What the clock asks for is to run. */
  readonly due: boolean;
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** Operation logs were left out. */
  readonly noHistory: boolean;
}
