// Desired state: what the files say the account shall have, with the place of every word.
import {
  arrayOf,
  canonicalJson,
  compareText,
  digestOf,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../base/json.ts';
import type { Address } from './address.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Reference } from './reference.ts';
import type { SourceRange } from './source.ts';

/** Name of a kind of resource, as machine outputs show it. */
export type KindName = string;

/** The service's name of a resource; integer ids are the string of their digits. */
export type ResourceId = string;

/** A known difference that is let be while the live value equals `value` and `untilMs` has not passed. */
export interface Hold {
  readonly path: string;
  readonly value: Json;
  readonly untilMs: number;
  readonly reason: string;
  readonly source: SourceRange;
}

/** What the file asks of the tool rather than of the resource. */
export interface Lifecycle {
  /** Never deleted, replaced or given an end. */
  readonly protect: boolean;
  /** Attribute paths left to others. */
  readonly ignore: readonly string[];
  readonly hold: readonly Hold[];
  /** A place to pass through when moves form a ring: an id, or `{ADDRESS}` of what is declared. */
  readonly via: string | null;
}

/** One declared resource. `spec` holds only what is managed, in the service's own words and units. */
export interface DesiredResource {
  readonly kind: KindName;
  readonly address: Address;
  /** Label of its project, or the section of an account-wide kind. */
  readonly scope: string;
  /** The declared resource that it is below; left out directly below a project or the account. */
  readonly parent?: Address;
  /** Its name in the file. */
  readonly name: string;
  /** `id:` in the file: the one live resource that is meant. */
  readonly pin: ResourceId | null;
  /** Written `state: absent`: it shall not exist. */
  readonly absent: boolean;
  /** Written `new: true`: not an existing resource that moved here. */
  readonly isNew: boolean;
  /** The place whose holder moves here: an id, or `{ADDRESS}` of what is declared. */
  readonly movedFrom: string | null;
  readonly spec: JsonObject;
  readonly lifecycle: Lifecycle;
  /** What only its kind understands. */
  readonly options: JsonObject;
  /** Where it is declared: its key. */
  readonly source: SourceRange;
  /** Where each attribute path and option was written; a profile's value points into the profile. */
  readonly sources: Readonly<Record<string, SourceRange>>;
}

/** The sinks that a declaration names for its secret, as `{ file: NAME }` or `{ exec: NAME }`. */
export function sinksOf({ options }: Pick<DesiredResource, 'options'>): readonly JsonObject[] {
  return arrayOf(options['secret']).filter(isJsonObject);
}

/** `file:ci.json`, as the sink calls itself. */
export function sinkLabel(sink: JsonObject): string {
  const [kind, name] = Object.entries(sink)[0] ?? ['sink', ''];
  return `${kind}:${String(name)}`;
}

/** Equal for targets that would be one place, also on file systems that ignore case. */
export function sinkKey(kind: string, target: string): string {
  return kind === 'file'
    ? `file\0${target
        .replace(/^(\.\/)+/, '')
        .normalize('NFKC')
        .toLowerCase()}`
    : `${kind}\0${target}`;
}

/** Which unlisted resources may be deleted: none, all, or those whose attributes are among the given values. */
export type PruneRule = boolean | Readonly<Record<string, readonly string[]>>;

/** A project that the files speak of. */
export interface DesiredProject {
  readonly label: string;
  /** Its name in the API; used to find it when `id` is null. */
  readonly name: string;
  readonly id: string | null;
  /** Its former name: where it still has that, it is renamed. */
  readonly renamedFrom?: string;
  /** It is created where it does not exist. */
  readonly mayBeMade?: boolean;
  /** It is to be deleted, with everything in it. */
  readonly isGoing?: boolean;
  /** Names that entries may write instead of an id: for a live one, or for one that is declared here. */
  readonly labels: Readonly<Record<string, ResourceId | Reference>>;
  readonly prune: PruneRule;
  /** Ids of resources or places that are known and neither reported nor pruned. */
  readonly unmanagedOk: readonly string[];
  readonly source: SourceRange;
  /** Where `name` and `labels.LABEL` are written, of those that stand in another file than `source` or won over what does. */
  readonly sources?: Readonly<Record<string, SourceRange>>;
}

/** The places of a problem with the name of a project: where the name stands, and what it names. */
export function placesOfName({ label, source, sources }: DesiredProject): Pick<Diagnostic, 'range' | 'related'> {
  const range = sources?.['name'] ?? source;
  const isBeside = range !== source && range.over === undefined;
  return { range, ...(isBeside ? { related: [{ message: `${label} is declared here`, range: source }] } : {}) };
}

/** One block of limits; with several, each holds. `project` is null for a block that covers everything. */
export interface SafetyLimits {
  readonly project: string | null;
  readonly protect: readonly string[];
  readonly maxDeletes: number | null;
  /** How many resources may be dropped that only a pattern allows to drop; left out where the block does not say. */
  readonly maxDrops?: number;
  /** Nothing is dropped that was in use within this time; left out where the block does not say. */
  readonly unlessIdleMs?: number;
  readonly maxRestarts: number | null;
  readonly maxChangePercent: number | null;
  /** Disruptive steps run only within one of these, when there are any. */
  readonly windows: readonly TimeWindow[];
  /** True for limits that the operator sets besides the files: they are no part of the digest of the files. */
  readonly isOperators?: true;
  /** True for those of the run that made a saved plan: what that allowed has lifted them as far as it did. */
  readonly wereOperators?: true;
  /** Where the block stands. */
  readonly source?: SourceRange;
}

/** True for limits of every project, and for those of this one. */
export function covers({ project }: Pick<SafetyLimits, 'project'>, label: string): boolean {
  return project === null || project === label;
}

/** A weekly window in a time zone, as `Sun 02:00-04:00 Europe/Berlin`. Minutes count from midnight; an end before the start is on the next day. */
export interface TimeWindow {
  readonly text: string;
  /** 0 = Sunday … 6 = Saturday; empty = every day. */
  readonly weekdays: readonly number[];
  readonly startMinute: number;
  readonly endMinute: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** What the run must find, or it refuses to go on. */
export interface Expectations {
  readonly baseUrl: string | null;
  readonly hasProject: string | null;
  readonly source: SourceRange;
}

/** Everything that the files say. Projects are sorted by label, resources by address. */
export interface DesiredState {
  readonly expect: Expectations | null;
  readonly projects: readonly DesiredProject[];
  readonly resources: readonly DesiredResource[];
  /** Account-wide kinds whose unlisted resources are to be deleted. */
  readonly accountPrune: readonly KindName[];
  /** The files list every project of the account. */
  readonly projectsComplete?: true;
  readonly safety: readonly SafetyLimits[];
}

/** Digest of what the files ask for: not of where in them it is written, nor of the operator's limits. */
export function desiredDigestOf(state: DesiredState): string {
  const { expect, projects, resources, accountPrune, projectsComplete, safety } = state;
  return digestOf({
    expect: expect === null ? null : { ...expect, source: undefined },
    projects: sortedBy(projects, ({ label }) => label).map(projectMeaning),
    resources: sortedBy(resources, ({ address }) => address).map(resourceMeaning),
    accountPrune: sortedBy(accountPrune, (kind) => kind),
    ...(projectsComplete === undefined ? {} : { projectsComplete }),
    safety: sortedBy(safety.filter(({ isOperators }) => isOperators !== true).map(limitsMeaning), canonicalJson),
  });
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => compareText(key(a), key(b)));
}

function projectMeaning(project: DesiredProject): unknown {
  return { ...project, source: undefined, sources: undefined };
}

function limitsMeaning(limits: SafetyLimits): unknown {
  return { ...limits, source: undefined };
}

function resourceMeaning(resource: DesiredResource): unknown {
  const { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle, options } = resource;
  const hold = lifecycle.hold.map((one) => ({ ...one, source: undefined }));
  return { kind, address, pin, absent, isNew, movedFrom, spec, lifecycle: { ...lifecycle, hold }, options };
}
