// Describes the desired state: everything that the files declare, with the source range of each value.
import { arrayOf, isJsonObject, numberOf, type Json, type JsonObject } from '../base/json.ts';
import { picked } from '../base/picked.ts';
import { retentionAddress, setAddress, type Address, type RETENTION, type SETS } from './address.ts';
import { warningOf, type Diagnostic } from './diagnostic.ts';
import type { Reference } from './values.ts';
import type { SourceRange, SourceRanges } from './source.ts';

export type KindName = string;

/** The service's id of a resource; an integer id becomes the text of its digits. */
export type ResourceId = string;

/** Accepts a difference until `untilMs` (wall time), as long as the live value equals `value`. */
export interface Hold {
  readonly path: string;
  readonly value: Json;
  readonly untilMs: number;
  readonly reason: string;
  readonly source: SourceRange;
}

export interface Lifecycle {
  /** True if trueup must not delete or replace the resource, or give it an expiry. */
  readonly protect: boolean;
  readonly ignore: readonly string[];
  readonly hold: readonly Hold[];
  /** A slot to use temporarily if moves form a cycle: the id of the resource that has the slot, or its `{ADDRESS}` if it is declared. */
  readonly via: string | null;
}

/** A declared resource. `spec` has only managed attributes, in the service's form and units. */
export interface DesiredResource {
  readonly kind: KindName;
  readonly address: Address;
  /** The label of the resource's project; for an account-wide kind, the section of the kind (a key at the top level of the file). */
  readonly scope: string;
  /** The address of the declared parent; missing directly below a project or the account. */
  readonly parent?: Address;
  readonly set?: string;
  readonly byRule?: ByRule;
  readonly name: string;
  /** The file's `id:`, which names the live resource that the declaration means; null without an `id:`. */
  readonly pin: ResourceId | null;
  /** True for `state: absent` in the file: trueup deletes the resource if it exists. */
  readonly absent: boolean;
  /** True for `new: true` in the file: a creation is meant, not a move or a rename of an unlisted resource. */
  readonly isNew: boolean;
  /** The former slot of the resource (in the form of `lifecycle.via`), or its former name; null if the file gives neither. */
  readonly movedFrom: string | null;
  readonly spec: JsonObject;
  readonly lifecycle: Lifecycle;
  /** The keys of the entry that are no attributes of the resource, such as `secret`. */
  readonly options: JsonObject;
  readonly source: SourceRange;
  /** Returns the source range of each attribute path and option; a value from a profile has its range in the profile. */
  readonly sources: () => SourceRanges;
}

export interface ByRule {
  /** The key under which a project in the file lists the rule; it is also the `origin` of the rule's changes. */
  readonly section: typeof SETS | typeof RETENTION;
  readonly rule: Address;
  readonly reason: string;
  readonly notes: readonly string[];
  readonly blockedBy: readonly ('foreign' | 'list_in_doubt')[];
  /** The declarations below the resource; once the resource is deleted, trueup clears their sinks. */
  readonly contents: readonly DesiredResource[];
  /** True if the member is not old enough to be deleted. */
  readonly isYoung?: true;
}

export interface RestartPolicy {
  readonly notBeforeMs: number | null;
  readonly maxAgeMs: number | null;
}

/** Returns what the file demands of the resource's last start (the earliest time, the greatest age); null if it demands nothing. */
export function restartPolicyOf({
  absent,
  options,
}: Pick<DesiredResource, 'absent' | 'options'>): RestartPolicy | null {
  const { restart } = options;
  if (absent || !isJsonObject(restart)) return null;
  return { notBeforeMs: numberOf(restart['notBeforeMs']), maxAgeMs: numberOf(restart['maxAgeMs']) };
}

/** Returns the sinks of a declaration's secret, each as `{ file: NAME }` or `{ exec: NAME }`. */
export function sinksOf({ options }: Pick<DesiredResource, 'options'>): readonly JsonObject[] {
  return arrayOf(options['secret']).filter(isJsonObject);
}

export function sinkLabel(sink: JsonObject): string {
  const [kind, name] = Object.entries(sink)[0] ?? ['sink', ''];
  return `${kind}:${String(name)}`;
}

/** Returns a key that is equal for equal targets, even on file systems that ignore case. */
export function sinkKey(kind: string, target: string): string {
  return kind === 'file'
    ? `file\0${target
        .replace(/^(\.\/)+/, '')
        .normalize('NFKC')
        .toLowerCase()}`
    : `${kind}\0${target}`;
}

/** Says which unlisted resources to delete: none (false), all (true), or those that have a listed value for every attribute named here. */
export type PruneRule = boolean | Readonly<Record<string, readonly string[]>>;

/** The placeholder in the template of a rule: for the key of a set's member, or for the id of a resource that retention deletes. */
export const KEY = 'KEY-4f1c9d2e';

/** A set of members. For each key, the template makes one member: a resource with its contents. */
export interface MemberSet {
  readonly name: string;
  readonly keys: readonly string[];
  /** Keys of finished members. However many of these members a run deletes, trueup does not suspect a mistake in `keys`. */
  readonly closed: readonly string[];
  /** The declarations of one member: the member itself, then its contents. `KEY` stands for the member's key. */
  readonly template: readonly [DesiredResource, ...DesiredResource[]];
  /** By key, the attributes in which a member differs from the template. */
  readonly own?: Readonly<Record<string, JsonObject>>;
  /** Says what happens to a live member whose key is not listed; with `expire`, the service deletes the member at its expiry. */
  readonly gone: 'delete' | 'expire' | 'keep';
  /** The minimum age of a member before trueup deletes it, in milliseconds. */
  readonly graceMs: number;
}

export function markOf(projectId: string, set: string): string {
  return `${projectId}/${set}`;
}

export function memberOf(
  { template, own = {} }: Pick<MemberSet, 'template' | 'own'>,
  key: string,
): readonly DesiredResource[] {
  const written = JSON.stringify(key).slice(1, -1);
  return template.map((one, at) => {
    const members = picked(one, ['address', 'parent', 'name', 'spec', 'options']);
    const made = JSON.parse(JSON.stringify(members).replaceAll(KEY, () => written)) as typeof members;
    return { ...one, ...made, spec: at === 0 ? { ...made.spec, ...own[key] } : made.spec };
  });
}

/** A rule by which trueup deletes old and idle live resources that no file names. */
export interface RetentionRule {
  readonly name: string;
  /** The declaration of a resource that the rule deletes; `KEY` stands for the resource's id. */
  readonly template: DesiredResource;
  readonly match: readonly string[];
  readonly olderThanMs: number;
  readonly idleForMs: number;
  readonly keep: readonly string[];
  /** True if a variable gives the names in `keep`, so that a short list may be a mistake. */
  readonly isKeepGiven: boolean;
  /** The largest number of resources that one run deletes by this rule. */
  readonly max: number;
}

export interface DesiredProject {
  readonly label: string;
  /** The project's name in the API, by which trueup finds the project if `id` is null. */
  readonly name: string;
  readonly id: string | null;
  /** True if the file writes the name; otherwise the name is the label. */
  readonly isNamed?: boolean;
  readonly renamedFrom?: string;
  readonly mayBeMade?: boolean;
  /** True for `state: absent` in the file: trueup deletes the project with its contents. */
  readonly isGoing?: boolean;
  /** By label, the live id or the declared resource that the label stands for. Entries may write a label instead of an id. */
  readonly labels: Readonly<Record<string, ResourceId | Reference>>;
  readonly prune: PruneRule;
  /** Ids of unlisted resources, or of slots with unlisted resources, that the file accepts: trueup neither reports nor prunes these resources. */
  readonly unmanagedOk: readonly string[];
  /** Sorted by name; missing if there are none. */
  readonly sets?: readonly MemberSet[];
  /** Sorted by name; missing if there are none. */
  readonly retention?: readonly RetentionRule[];
  readonly source: SourceRange;
  /** The source ranges of `name` and `labels.LABEL`, if they are in an overlay or in another file than `source`. */
  readonly sources?: SourceRanges;
}

export function placesOfName({ label, source, sources }: DesiredProject): Pick<Diagnostic, 'range' | 'related'> {
  const range = sources?.['name'] ?? source;
  const isBeside = range !== source && range.over === undefined;
  return { range, ...(isBeside ? { related: [{ message: `${label} is declared here`, range: source }] } : {}) };
}

type Declared = Pick<DesiredResource, 'address' | 'sources' | 'source'>;

/** Returns the range of the key or of its member that sorts first; if neither is written, the range of the declaration. */
export function writtenAt({ sources, source }: Omit<Declared, 'address'>, key: string): SourceRange {
  const ranges = sources();
  const [path = ''] = Object.keys(ranges)
    .filter((one) => one === key || one.startsWith(`${key}.`))
    .sort();
  return ranges[path] ?? source;
}

export function warningAt(
  desired: Declared,
  key: string,
  code: string,
  message: string,
  hint?: string,
  more: Partial<Diagnostic> = {},
): Diagnostic {
  return warningOf(code, message, hint, { ...more, address: desired.address, range: writtenAt(desired, key) });
}

export function errorAt(...[desired, key, code, message, hint, more]: Parameters<typeof warningAt>): Diagnostic {
  return { ...warningAt(desired, key, code, message, hint, more), severity: 'error' };
}

/** One safety block; all blocks apply together. `project` is null for a block that covers the whole account. */
export interface SafetyLimits {
  readonly project: string | null;
  readonly protect: readonly string[];
  readonly maxDeletes: number | null;
  /** The largest number of drops that allowances with a pattern may cover; missing if the block sets no such limit. */
  readonly maxDrops?: number;
  /** How long a resource must be unused before a drop, in milliseconds; missing if the block sets no such limit. */
  readonly unlessIdleMs?: number;
  readonly maxRestarts: number | null;
  readonly maxChangePercent: number | null;
  /** Disruptive steps run only within one of these windows; an empty list means always. */
  readonly windows: readonly TimeWindow[];
  /** True for limits that the operator set. The digest of the files does not include these limits. */
  readonly isOperators?: true;
  /** True for limits that the operator set when the plan was saved. The saved plan's allowances can lift these limits like those of a file. */
  readonly wereOperators?: true;
  readonly source?: SourceRange;
}

export function covers({ project }: Pick<SafetyLimits, 'project'>, label: string): boolean {
  return project === null || project === label;
}

/** A weekly window, as `Sun 02:00-04:00 Europe/Berlin`. Minutes count from midnight; if the end is not after the start, it is on the next day. */
export interface TimeWindow {
  readonly text: string;
  /** From 0 (Sunday) to 6 (Saturday); an empty list means every day. */
  readonly weekdays: readonly number[];
  readonly startMinute: number;
  readonly endMinute: number;
  readonly timeZone: string;
}

/** Facts about the service that a run checks first; if one does not hold, the run ends with an error. */
export interface Expectations {
  readonly baseUrl: string | null;
  readonly hasProject: string | null;
  readonly source: SourceRange;
}

/** Everything that the files declare. Projects are sorted by label, resources by address. */
export interface DesiredState {
  readonly expect: Expectations | null;
  readonly projects: readonly DesiredProject[];
  readonly resources: readonly DesiredResource[];
  /** The account-wide kinds whose unlisted resources trueup deletes. */
  readonly accountPrune: readonly KindName[];
  readonly projectsComplete?: true;
  readonly safety: readonly SafetyLimits[];
}

const byLabel = new WeakMap<DesiredState['projects'], ReadonlyMap<string, DesiredProject>>();

/** Finds a project's declaration in a cached map, because plans with many projects ask for each of them. */
export function declaredProject(
  { projects }: Pick<DesiredState, 'projects'>,
  label: string,
): DesiredProject | undefined {
  const known = byLabel.get(projects) ?? new Map(projects.map((one) => [one.label, one]));
  byLabel.set(projects, known);
  return known.get(label);
}

export function addressesIn({ projects, resources }: Pick<DesiredState, 'projects' | 'resources'>): readonly Address[] {
  const rules = projects.flatMap(({ label, sets = [], retention = [] }) => [
    ...sets.map(({ name }) => setAddress(label, name)),
    ...retention.map(({ name }) => retentionAddress(label, name)),
  ]);
  return [...resources.map(({ address }) => address), ...rules];
}
