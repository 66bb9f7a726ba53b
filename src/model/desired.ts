// Desired state: the content of the files, with the source range of every value.
import { arrayOf, isJsonObject, numberOf, type Json, type JsonObject } from '../base/json.ts';
import { retentionAddress, setAddress, type Address, type RETENTION, type SETS } from './address.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Reference } from './reference.ts';
import type { SourceRange } from './source.ts';

export type KindName = string;

/** The service's id of a resource; an integer id is the string of its digits. */
export type ResourceId = string;

/** A difference accepted by the file, as long as the live value equals `value` and `untilMs` has not passed. */
export interface Hold {
  readonly path: string;
  readonly value: Json;
  readonly untilMs: number;
  readonly reason: string;
  readonly source: SourceRange;
}

export interface Lifecycle {
  /** True if the resource is never deleted, replaced or given an expiry. */
  readonly protect: boolean;
  readonly ignore: readonly string[];
  readonly hold: readonly Hold[];
  /** The slot to use temporarily in a cycle of moves: an id, or `{ADDRESS}` of a declared resource. */
  readonly via: string | null;
}

/** A declared resource. `spec` has only managed attributes, in the service's own words and units. */
export interface DesiredResource {
  readonly kind: KindName;
  readonly address: Address;
  /** Label of its project; for an account-wide kind, its section, which is its key at the top level of the file. */
  readonly scope: string;
  /** Its declared parent; missing directly below a project or the account. */
  readonly parent?: Address;
  readonly set?: string;
  readonly byRule?: ByRule;
  readonly name: string;
  /** `id:` in the file: the id of the live resource that the declaration means. */
  readonly pin: ResourceId | null;
  /** `state: absent` in the file: the resource must not exist. */
  readonly absent: boolean;
  /** `new: true` in the file: no existing resource moves to its slot. */
  readonly isNew: boolean;
  /** The slot whose resource moves here: an id, or `{ADDRESS}` of a declared resource. */
  readonly movedFrom: string | null;
  readonly spec: JsonObject;
  readonly lifecycle: Lifecycle;
  /** Options that only the kind of the resource understands. */
  readonly options: JsonObject;
  readonly source: SourceRange;
  /** The source range of each attribute path and option; the value of a profile has its range in the profile. */
  readonly sources: Readonly<Record<string, SourceRange>>;
}

export interface ByRule {
  /** The section of the project that has the rule; the rule's changes have this section as their origin. */
  readonly section: typeof SETS | typeof RETENTION;
  readonly rule: Address;
  readonly reason: string;
  readonly notes: readonly string[];
  readonly blockedBy: readonly ('foreign' | 'list_in_doubt')[];
  /** The declarations below the resource; their sinks are cleared once the resource is deleted. */
  readonly contents: readonly DesiredResource[];
  readonly isYoung?: true;
}

export interface RestartPolicy {
  readonly notBeforeMs: number | null;
  readonly maxAgeMs: number | null;
}

/** Null if the file sets no bounds on the last start. */
export function restartPolicyOf({
  absent,
  options,
}: Pick<DesiredResource, 'absent' | 'options'>): RestartPolicy | null {
  const { restart } = options;
  if (absent || !isJsonObject(restart)) return null;
  return { notBeforeMs: numberOf(restart['notBeforeMs']), maxAgeMs: numberOf(restart['maxAgeMs']) };
}

/** The sinks of a declaration's secret, as `{ file: NAME }` or `{ exec: NAME }`. */
export function sinksOf({ options }: Pick<DesiredResource, 'options'>): readonly JsonObject[] {
  return arrayOf(options['secret']).filter(isJsonObject);
}

export function sinkLabel(sink: JsonObject): string {
  const [kind, name] = Object.entries(sink)[0] ?? ['sink', ''];
  return `${kind}:${String(name)}`;
}

/** A key that is equal for equal targets, even on file systems that ignore case. */
export function sinkKey(kind: string, target: string): string {
  return kind === 'file'
    ? `file\0${target
        .replace(/^(\.\/)+/, '')
        .normalize('NFKC')
        .toLowerCase()}`
    : `${kind}\0${target}`;
}

/** The unlisted resources to delete: none, all, or those with one of the given values. */
export type PruneRule = boolean | Readonly<Record<string, readonly string[]>>;

export const KEY = 'KEY-4f1c9d2e';

/** A set: its template makes a member, which is a resource with its contents, for each key. */
export interface MemberSet {
  readonly name: string;
  readonly keys: readonly string[];
  /** Keys of finished members, which are deleted however many they are. */
  readonly closed: readonly string[];
  /** A member followed by its contents; `KEY` stands for the key. */
  readonly template: readonly [DesiredResource, ...DesiredResource[]];
  /** Attributes of single members, by key. */
  readonly own?: Readonly<Record<string, JsonObject>>;
  /** What happens to a member that no key names. */
  readonly gone: 'delete' | 'expire' | 'keep';
  /** The minimum age of a member before its deletion, in milliseconds. */
  readonly graceMs: number;
}

export function markOf(projectId: string, set: string): string {
  return `${projectId}/${set}`;
}

export function memberOf(
  { template, own = {} }: Pick<MemberSet, 'template' | 'own'>,
  key: string,
): readonly DesiredResource[] {
  const given = (value: Json): Json => {
    if (typeof value === 'string') return value.replaceAll(KEY, key);
    if (Array.isArray(value)) return value.map((item: Json) => given(item));
    return isJsonObject(value) ? givenIn(value) : value;
  };
  const givenIn = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, given(inner)]));
  return template.map((one, at) => ({
    ...one,
    address: one.address.replaceAll(KEY, key),
    ...(one.parent === undefined ? {} : { parent: one.parent.replaceAll(KEY, key) }),
    name: one.name.replaceAll(KEY, key),
    spec: at === 0 ? { ...givenIn(one.spec), ...own[key] } : givenIn(one.spec),
    options: givenIn(one.options),
  }));
}

/** A rule that deletes old and idle live resources that no file names. */
export interface RetentionRule {
  readonly name: string;
  /** A resource that the rule deletes; `KEY` stands for its id. */
  readonly template: DesiredResource;
  readonly match: readonly string[];
  readonly olderThanMs: number;
  readonly idleForMs: number;
  readonly keep: readonly string[];
  /** True if a variable gives the names in `keep`. */
  readonly isKeepGiven: boolean;
  /** The most resources that one run deletes. */
  readonly max: number;
}

export interface DesiredProject {
  readonly label: string;
  /** The project's name in the API, which identifies the project if `id` is null. */
  readonly name: string;
  readonly id: string | null;
  /** True if the file writes the name. */
  readonly isNamed?: boolean;
  readonly renamedFrom?: string;
  readonly mayBeMade?: boolean;
  /** True if trueup deletes the project with its contents. */
  readonly isGoing?: boolean;
  /** Names that entries may write instead of an id, for live or declared resources. */
  readonly labels: Readonly<Record<string, ResourceId | Reference>>;
  readonly prune: PruneRule;
  /** Ids of accepted resources or slots, neither reported nor pruned. */
  readonly unmanagedOk: readonly string[];
  /** Sorted by name; missing if there are none. */
  readonly sets?: readonly MemberSet[];
  /** Sorted by name; missing if there are none. */
  readonly retention?: readonly RetentionRule[];
  readonly source: SourceRange;
  /** The source ranges of `name` and `labels.LABEL`, if they are in another file than `source` or in an overlay. */
  readonly sources?: Readonly<Record<string, SourceRange>>;
}

export function placesOfName({ label, source, sources }: DesiredProject): Pick<Diagnostic, 'range' | 'related'> {
  const range = sources?.['name'] ?? source;
  const isBeside = range !== source && range.over === undefined;
  return { range, ...(isBeside ? { related: [{ message: `${label} is declared here`, range: source }] } : {}) };
}

type Declared = Pick<DesiredResource, 'address' | 'sources' | 'source'>;

/** The position of the key in the file, or of its first member; without both, the position of the declaration. */
export function writtenAt({ sources, source }: Omit<Declared, 'address'>, key: string): SourceRange {
  const [path = ''] = Object.keys(sources)
    .filter((one) => one === key || one.startsWith(`${key}.`))
    .sort();
  return sources[path] ?? source;
}

export function warningAt(
  desired: Declared,
  key: string,
  code: string,
  message: string,
  hint?: string,
  more: Partial<Diagnostic> = {},
): Diagnostic {
  const said = { severity: 'warning', code, message, ...(hint === undefined ? {} : { hint }), ...more } as const;
  return { ...said, address: desired.address, range: writtenAt(desired, key) };
}

export function errorAt(...[desired, key, code, message, hint, more]: Parameters<typeof warningAt>): Diagnostic {
  return { ...warningAt(desired, key, code, message, hint, more), severity: 'error' };
}

/** A safety block; all blocks apply together. `project` is null for a block that covers everything. */
export interface SafetyLimits {
  readonly project: string | null;
  readonly protect: readonly string[];
  readonly maxDeletes: number | null;
  /** The most drops that allowances with a pattern may cover; missing if the block sets no such limit. */
  readonly maxDrops?: number;
  /** Resources used within this time are not dropped; missing if the block sets no such limit. */
  readonly unlessIdleMs?: number;
  readonly maxRestarts: number | null;
  readonly maxChangePercent: number | null;
  /** Disruptive steps run only within one of these windows; an empty list means always. */
  readonly windows: readonly TimeWindow[];
  /** True for the operator's limits, which are not in the digest of the files. */
  readonly isOperators?: true;
  /** True for the operator's limits of a saved plan, which the allowances of that plan may have lifted. */
  readonly wereOperators?: true;
  readonly source?: SourceRange;
}

export function covers({ project }: Pick<SafetyLimits, 'project'>, label: string): boolean {
  return project === null || project === label;
}

/** A weekly window in a time zone, as `Sun 02:00-04:00 Europe/Berlin`. Minutes count from midnight; an end before the start is on the next day. */
export interface TimeWindow {
  readonly text: string;
  /** From 0 (Sunday) to 6 (Saturday); an empty list means every day. */
  readonly weekdays: readonly number[];
  readonly startMinute: number;
  readonly endMinute: number;
  readonly timeZone: string;
}

/** Facts that a run must find at the service; otherwise the run ends with an error. */
export interface Expectations {
  readonly baseUrl: string | null;
  readonly hasProject: string | null;
  readonly source: SourceRange;
}

/** The content of the files. Projects are sorted by label, resources by address. */
export interface DesiredState {
  readonly expect: Expectations | null;
  readonly projects: readonly DesiredProject[];
  readonly resources: readonly DesiredResource[];
  /** Account-wide kinds whose unlisted resources are deleted. */
  readonly accountPrune: readonly KindName[];
  /** True if the files list every project of the account. */
  readonly projectsComplete?: true;
  readonly safety: readonly SafetyLimits[];
}

const byLabel = new WeakMap<DesiredState['projects'], ReadonlyMap<string, DesiredProject>>();

/** The declaration of a project, found without a search, because plans with many projects ask for each of them. */
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
