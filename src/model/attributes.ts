// States once for each kind how its attributes are changed, compared, written and referred to.
import { isJsonObject, jsonEqual, textOf, type Json, type JsonObject } from '../base/json.ts';
import { picked } from '../base/picked.ts';
import type { DesiredProject, DesiredResource, KindName, ResourceId } from './desired.ts';
import type { KindPlace } from './kind.ts';
import type { Contents, LiveProject, LiveResource } from './live.ts';
import { valueAt } from './paths.ts';
import type { Reference } from './reference.ts';

/** A value in the service's form, or the problem of the value; `at` is the path to the wrong member. */
export type Normalised = { readonly value: Json } | { readonly problem: string; readonly at?: readonly string[] };

/** A reference: the value is the `field` (`id`, or an attribute) of a resource of the kind `kind`. */
export interface ReferenceRule {
  readonly kind: KindName;
  readonly field: string;
  /** `siblings`: the referent has the same parent · `project`: the referent is anywhere in the project. */
  readonly among: 'siblings' | 'project';
  /** `holds`: a referring resource blocks the removal of the referent · `goes`: it is deleted with the referent · missing: neither. */
  readonly onRemoval?: 'holds' | 'goes';
  /** Attributes of the referent that a plan changes before it creates a resource that refers to it. */
  readonly after?: readonly string[];
  /** Why a resource that refers to `value` may be deleted with it some day, or null. `made`: the spec of a referent not yet created. */
  ends?(value: Json, made: JsonObject | null, context: ReferentContext): string | null;
  /** The value that names the origin, which a new resource copies with all resources below; null if the origin is not known. */
  copies?(spec: JsonObject, live: readonly LiveResource[]): Json | null;
}

export interface ReferentContext {
  readonly around: readonly LiveResource[];
  readonly facts: JsonObject;
  readonly project: DesiredProject | null;
  readonly liveProject: LiveProject | null;
}

export interface Attribute {
  /** `move`: changes the resource's slot · `immutable`: a difference is blocked · `never`: no call changes it; a difference is an error. */
  readonly change: 'update' | 'move' | 'replace' | 'immutable' | 'never';
  readonly restarts: boolean;
  /** The documented value of an attribute that the service does not show; without one, a hidden attribute is never a difference. */
  readonly absent?: Json;
  /** Another attribute: if the service shows that one, the resource has this attribute too, even if hidden. */
  readonly shownWith?: string;
  readonly default?: Json;
  /** Converts to a form in which equal meanings are equal; `beside` is the other value of the comparison. */
  readonly canonical?: (value: Json, beside?: Json) => Json;
  /** Converts a file's value to the service's words; if missing, no file writes the attribute under its own name. */
  readonly normalise?: (value: Json) => Normalised;
  /** True if the members of the mapping are attributes of their own: `NAME.MEMBER`, or `NAME.*`. */
  readonly hasMembers?: boolean;
  readonly refersTo?: ReferenceRule;
  /** True if the attribute decides, with others marked like this, which live resources a declaration may mean. */
  readonly tells?: boolean;
  /** The values that this version knows: a live resource with another value is neither matched nor pruned. */
  readonly values?: readonly string[];
  /** True if the attribute can block the removal of its resource or of a parent, so no removal is planned while the attribute is hidden. */
  readonly mayKeep?: boolean;
  /** The file key for a former value, which finds the resource. If the attribute does not change by `move`, its values are unique names. */
  readonly formerly?: string;
  /** True if the attribute is the id of a parent in the account that is not a kind itself; each such parent has its own list. */
  readonly isHome?: boolean;
  /** File keys that clear the attribute if they are null; any other null leaves the attribute unchanged. */
  readonly clearedBy?: readonly string[];
  /** False while a request for this value is too early or too late; then the value is no difference. */
  readonly isOpen?: (wanted: Json, nowMs: number) => boolean;
  /** True if the attribute is an expiry, as a time or as seconds from the apply. The first such attribute that is written counts. */
  readonly isEnd?: boolean;
  /** True if the attribute is the API's name for a resource without a slot; its default is the label in the file. */
  readonly isName?: boolean;
  /** True if every `before` and `after` contains the attribute; no resource is created without it. */
  readonly isIdentity?: boolean;
  /** Words for a free slot, and the codes of two warnings: an unlisted resource is in the slot, or a run has emptied it. */
  readonly slot?: Readonly<Record<'empty' | 'unlisted' | 'left', string>>;
  /** The path in a file that sets the attribute, if the path differs from the attribute's name. */
  readonly file?: string;
  /** The key of a project's `prune` that lists values of resources to delete. */
  readonly prunedBy?: string;
  /** Converts a text in a file to the value that it names in a project; without this, the text is the value. */
  readonly named?: (text: string, project: DesiredProject | null) => Named;
  /** True if a project's `use` has a profile for each value of the attribute; the first value is the default. */
  readonly hasProfiles?: boolean;
  /** True if an entry may give the id of a live resource; the key of the entry is then a label for that id. */
  readonly hasLabels?: boolean;
  /** Kinds whose resources a change of the attribute affects, so the plan must read them. */
  readonly affects?: readonly KindName[];
}

export type Named = ResourceId | Reference | { readonly problem: string; readonly hint: string };

export type Attributes = Readonly<Record<string, Attribute>>;

export interface KindTraits extends KindPlace {
  readonly attributes: Attributes;
  /** The attribute that the key of an entry sets: a name in the API, which may be any text and is unique below the parent. */
  readonly key?: string;
  readonly contents?: Contents;
}

type WithAttributes = Pick<KindTraits, 'attributes'>;

/** An attribute that the table lacks counts as restarting, because nothing shows that its change is harmless. */
const UNKNOWN: Attribute = { change: 'update', restarts: true };

/** The attribute of a path such as `settings.pg_settings.work_mem`: its own, the one with `.*`, or how the mapping around it is changed. */
export function attributeAt({ attributes }: WithAttributes, path: string): Attribute {
  for (let at = path; ;) {
    const row = Object.hasOwn(attributes, at) ? attributes[at] : undefined;
    if (row !== undefined && (at === path || at.endsWith('.*'))) return row;
    if (row !== undefined) return picked(row, ['change', 'restarts', 'absent']);
    const end = at.lastIndexOf('.');
    if (end < 0) return UNKNOWN;
    at = at.endsWith('.*') ? at.slice(0, end) : `${at.slice(0, end)}.*`;
  }
}

export function canonicalAt(kind: WithAttributes, path: string, value: Json | undefined, beside?: Json): Json {
  const { hasMembers = false, canonical, default: usual = null } = attributeAt(kind, path);
  if (hasMembers) return isJsonObject(value) ? canonicalMembers(kind, path, value) : {};
  const known = value ?? usual;
  return canonical === undefined ? known : canonical(known, beside);
}

/** Leaves out empty members, because they set nothing. */
function canonicalMembers(kind: WithAttributes, path: string, value: JsonObject): JsonObject {
  const members = Object.entries(value).map(
    ([key, inner]) => [key, canonicalAt(kind, `${path}.${key}`, inner)] as const,
  );
  return Object.fromEntries(members.filter(([, inner]) => !(isJsonObject(inner) && Object.keys(inner).length === 0)));
}

export function normaliseAt(kind: WithAttributes, path: string, value: Json): Normalised {
  const { normalise, hasMembers = false } = attributeAt(kind, path);
  if (normalise === undefined) return { problem: `${path} is not an attribute` };
  const normal = value === null ? { value } : normalise(value);
  return 'problem' in normal || !hasMembers || !isJsonObject(normal.value) ? normal : members(kind, path, normal.value);
}

function members(kind: WithAttributes, path: string, value: JsonObject): Normalised {
  const normal: Record<string, Json> = {};
  let isSame = true;
  // A file's tree never contains the key `__proto__`, so every name is safe to set.
  for (const name of Object.keys(value)) {
    const written = value[name] ?? null;
    const result = normaliseAt(kind, `${path}.${name}`, written);
    if ('problem' in result) return { ...result, at: [name, ...(result.at ?? [])] };
    normal[name] = result.value;
    if (result.value !== written) isSame = false;
  }
  // An unchanged value stays the same object, because resources with one profile share it in memory.
  return { value: isSame ? value : normal };
}

/** The attribute whose former value a declaration may give, and the file key for it. */
interface Placed {
  readonly attribute: string;
  readonly key: string;
  /** True for a unique name: a resource that already has the new name is another resource. */
  readonly isName: boolean;
}

const MARKS = ['isIdentity', 'tells', 'isEnd', 'isName', 'isHome'] as const;

/** Facts derived from a table of attributes, computed once because planning asks for them often. */
interface Sums {
  readonly references: Readonly<Record<string, ReferenceRule>>;
  readonly placed: Placed | null;
  readonly writable: readonly string[];
  readonly marked: Readonly<Record<(typeof MARKS)[number], readonly string[]>>;
}

const known = new WeakMap<Attributes, Sums>();

function sumsOf({ attributes }: WithAttributes): Sums {
  const found = known.get(attributes) ?? summed(Object.entries(attributes));
  known.set(attributes, found);
  return found;
}

function summed(rows: readonly (readonly [string, Attribute])[]): Sums {
  const pathsOf = (isSo: (row: Attribute) => boolean): readonly string[] =>
    rows.filter(([, row]) => isSo(row)).map(([path]) => path);
  const marked = MARKS.map((mark) => [mark, pathsOf((row) => row[mark] === true)] as const);
  const [placed = null] = rows.flatMap(([attribute, { formerly: key, change }]) =>
    key === undefined ? [] : [{ attribute, key, isName: change !== 'move' }],
  );
  return {
    references: Object.fromEntries(
      rows.flatMap(([path, { refersTo }]) => (refersTo === undefined ? [] : [[path, refersTo] as const])),
    ),
    placed,
    writable: pathsOf(({ normalise }) => normalise !== undefined).filter((path) => !path.includes('.')),
    marked: Object.fromEntries(marked) as Sums['marked'],
  };
}

/** The key for a former value; null if the kind has none. */
export function placedBy(kind: WithAttributes): Placed | null {
  return sumsOf(kind).placed;
}

export function homeOf(kind: WithAttributes, spec: JsonObject): ResourceId | null {
  const [home] = sumsOf(kind).marked.isHome;
  return home === undefined ? null : textOf(spec[home]);
}

export function referencesOf(kind: WithAttributes): Readonly<Record<string, ReferenceRule>> {
  return sumsOf(kind).references;
}

export function identityOf(kind: WithAttributes): readonly string[] {
  return sumsOf(kind).marked.isIdentity;
}

/** The part of a spec that decides which live resources a declaration may mean. */
export function poolOf(kind: WithAttributes, spec: JsonObject): JsonObject {
  return Object.fromEntries(sumsOf(kind).marked.tells.map((path) => [path, spec[path] ?? null]));
}

/** The last part of the address of a resource that no file lists: its key, else its id. */
export function nameOf({ key }: Pick<KindTraits, 'key'>, { id, spec }: LiveResource): string {
  return key === undefined ? id : String(spec[key]);
}

export function isKnown({ attributes }: WithAttributes, { spec }: LiveResource): boolean {
  return Object.entries(attributes).every(
    ([path, { values }]) => values === undefined || values.includes(String(spec[path])),
  );
}

export function isOver(kind: WithAttributes, spec: JsonObject, nowMs: number): boolean {
  return sumsOf(kind).marked.isEnd.some((path) => typeof spec[path] === 'string' && Date.parse(spec[path]) <= nowMs);
}

/** The attribute with the API's name for a resource; null if the API keeps none. */
export function namedBy(kind: WithAttributes): string | null {
  return sumsOf(kind).marked.isName[0] ?? null;
}

/** True if `wanted` has an earlier expiry than `live`, or has an expiry where `live` has none. */
export function endsSooner(kind: WithAttributes, wanted: JsonObject, live: JsonObject): boolean {
  const path = sumsOf(kind).marked.isEnd.find((one) => (wanted[one] ?? null) !== null);
  if (path === undefined) return false;
  const [sooner, later] = [wanted[path], live[path]];
  const [end, former] = [canonicalAt(kind, path, sooner, later), canonicalAt(kind, path, later, sooner)];
  return former === null || (end as string | number) < (former as string | number);
}

export function affectedBy(kind: WithAttributes, desired: JsonObject, live: JsonObject): readonly KindName[] {
  return Object.entries(kind.attributes).flatMap(([path, { affects = [] }]) => {
    const [wanted, have] = [desired, live].map((spec) => valueAt(spec, path.split('.')));
    const isSame = wanted === undefined || jsonEqual(canonicalAt(kind, path, wanted), canonicalAt(kind, path, have));
    return isSame ? [] : affects;
  });
}

/** The origin that a new resource copies; null if it is no copy. */
export function copiedFrom(kind: WithAttributes, spec: JsonObject, live: readonly LiveResource[]): Json | null {
  return Object.values(referencesOf(kind)).flatMap((rule) => rule.copies?.(spec, live) ?? [])[0] ?? null;
}

/** Undefined if resources of the kind do not move between slots. */
export function slotWordsOf(kind: WithAttributes): Attribute['slot'] {
  return kind.attributes[placedBy(kind)?.attribute ?? '']?.slot;
}

/** The API's name for a declaration: the written name, else its label; null if the declaration wants no name or the API keeps none. */
export function namedAs(kind: WithAttributes, { name, spec, options }: DesiredResource): string | null {
  const path = namedBy(kind);
  return path === null || options['named'] === false ? null : (textOf(spec[path]) ?? name);
}

export function writableOf(kind: WithAttributes): readonly string[] {
  return sumsOf(kind).writable;
}
