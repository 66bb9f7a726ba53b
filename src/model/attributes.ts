// Describes the attributes of a kind in one table: how to change, compare and write each, and what it refers to.
import { isJsonObject, jsonEqual, textOf, type Json, type JsonObject } from '../base/json.ts';
import { picked } from '../base/picked.ts';
import type { DesiredProject, DesiredResource, KindName, ResourceId } from './desired.ts';
import type { KindPlace } from './kind.ts';
import type { Contents, LiveProject, LiveResource } from './live.ts';
import { type Reference, valueAt } from './values.ts';

/** A value in the service's form, or a sentence about the wrong value; `at` is the path from the value to the wrong member. */
export type Normalised = { readonly value: Json } | { readonly problem: string; readonly at?: readonly string[] };

/** Says what an attribute refers to: its value is the `field` (`id`, or an attribute) of a resource of the kind `kind`. */
export interface ReferenceRule {
  readonly kind: KindName;
  readonly field: string;
  /** `siblings`: the referent has the same parent · `project`: the referent is anywhere in the project. */
  readonly among: 'siblings' | 'project';
  /** If the referent is removed, a referring resource blocks the removal (`holds`), is also deleted (`goes`), or is not affected (missing). */
  readonly onRemoval?: 'holds' | 'goes';
  /** Lists attributes of the referent. Steps that change one of them run before a step that creates a referring resource. */
  readonly after?: readonly string[];
  /** Returns why the referent may end by itself (an expiry) and take a referring resource along; else null. `made`: the spec of a new referent. */
  ends?(value: Json, made: JsonObject | null, context: ReferentContext): string | null;
  /** Returns the resource that a new resource copies with all contents, as an id or a `Reference`; null if no known contents are copied. */
  copies?(spec: JsonObject, live: readonly LiveResource[]): Json | null;
}

export interface ReferentContext {
  /** All resources that were read in the project. */
  readonly around: readonly LiveResource[];
  readonly facts: JsonObject;
  readonly project: DesiredProject | null;
  readonly liveProject: LiveProject | null;
}

export interface Attribute {
  /** `move`: the resource changes its slot (place) · `immutable`: the plan blocks a change · `never`: a difference is an error of the file. */
  readonly change: 'update' | 'move' | 'replace' | 'immutable' | 'never';
  readonly restarts: boolean;
  /** The attribute's value while the service does not show the attribute. Without `absent`, an attribute that is not shown never differs. */
  readonly absent?: Json;
  /** Names another attribute that never has a value without this one. While the service shows the other one, `absent` does not apply. */
  readonly shownWith?: string;
  readonly default?: Json;
  /** Converts a value so that values with the same meaning become equal; `beside` is the other value of the comparison. */
  readonly canonical?: (value: Json, beside?: Json) => Json;
  /** Converts a file's value to the service's form; if missing, no file can write the attribute under its own name. */
  readonly normalise?: (value: Json) => Normalised;
  /** True if the members of this mapping are attributes of their own: `NAME.MEMBER`, or `NAME.*` for any member. */
  readonly hasMembers?: boolean;
  readonly refersTo?: ReferenceRule;
  /** True if a declaration can mean only live resources with the same value of this attribute. */
  readonly tells?: boolean;
  /** Lists the values that this version knows; trueup neither matches nor prunes a live resource with another value. */
  readonly values?: readonly string[];
  /** True if the attribute can block the removal of its resource or of a parent; trueup plans no such removal while the value is not shown. */
  readonly mayKeep?: boolean;
  /** Names the file key for a former value, by which trueup finds the resource. The value is a slot if `change` is `move`, else a unique name. */
  readonly formerly?: string;
  /** True if the attribute is the id of a parent that no kind manages, such as an organization; each such parent has its own list. */
  readonly isHome?: boolean;
  /** Lists the file keys whose null clears the attribute; a null under any other key leaves the attribute unchanged. */
  readonly clearedBy?: readonly string[];
  /** False while a request for `wanted` is too early or too late; a different live value is then no difference. */
  readonly isOpen?: (wanted: Json, nowMs: number) => boolean;
  /** True if the attribute is an expiry: a time, or seconds from the apply. If several have a value, the first in the kind's table counts. */
  readonly isEnd?: boolean;
  /** True if the attribute is the API's name of a resource without a slot; its default is the label in the file. */
  readonly isName?: boolean;
  /** True if the attribute identifies the resource: `before` and `after` always contain it, and no resource is created without it. */
  readonly isIdentity?: boolean;
  /** `empty`: words for an empty slot. Codes of warnings: an unlisted resource is in a slot (`unlisted`), a run left a slot empty (`left`). */
  readonly slot?: Readonly<Record<'empty' | 'unlisted' | 'left', string>>;
  /** The path in a file that sets the attribute; missing if the path is the attribute's own name. */
  readonly file?: string;
  /** Names the key under a project's `prune` that lists values of this attribute: unlisted resources with these values are pruned. */
  readonly prunedBy?: string;
  /** Converts a text in a file to the value that the text names in a project; without `named`, the text is the value. */
  readonly named?: (text: string, project: DesiredProject | null) => Named;
  /** True if a project's `use` can name a profile (shared keys) for each value. An entry without a value has the first of `values`. */
  readonly hasProfiles?: boolean;
  /** True if an entry may be only the id of a live resource; the entry's key is then a label for that id. */
  readonly hasLabels?: boolean;
  /** Lists the kinds whose resources a change of the attribute affects; trueup reads these kinds for the plan. */
  readonly affects?: readonly KindName[];
}

export type Named = ResourceId | Reference | { readonly problem: string; readonly hint: string };

export type Attributes = Readonly<Record<string, Attribute>>;

export interface KindTraits extends KindPlace {
  readonly attributes: Attributes;
  /** The attribute that an entry's key sets. Its value is a name in the API: any text, unique below the parent. */
  readonly key?: string;
  readonly contents?: Contents;
}

type WithAttributes = Pick<KindTraits, 'attributes'>;

/** An attribute that the table lacks counts as restarting, because nothing shows that its change is harmless. */
const UNKNOWN: Attribute = { change: 'update', restarts: true };

/** Returns the row of the path, or of its nearest pattern (`a.b.*`) or mapping. From a mapping, only `change`, `restarts` and `absent` count. */
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

/** Returns the members in canonical form, without empty objects, because these set nothing. */
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

/** Names the attribute whose former value a declaration may give, and the file key for that value. */
interface Placed {
  readonly attribute: string;
  readonly key: string;
  /** True if the attribute is a unique name, false if it is a slot. */
  readonly isName: boolean;
}

const MARKS = ['isIdentity', 'tells', 'isEnd', 'isName', 'isHome'] as const;

/** Caches facts that follow from a table of attributes, because planning asks for them often. */
interface Sums {
  readonly references: Readonly<Record<string, ReferenceRule>>;
  readonly siblings: readonly KindName[];
  readonly placed: Placed | null;
  readonly writable: readonly string[];
  readonly limited: readonly string[];
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
    siblings: rows.flatMap(([, { refersTo }]) => (refersTo?.among === 'siblings' ? [refersTo.kind] : [])),
    placed,
    writable: pathsOf(({ normalise }) => normalise !== undefined).filter((path) => !path.includes('.')),
    limited: pathsOf(({ values }) => values !== undefined),
    marked: Object.fromEntries(marked) as Sums['marked'],
  };
}

/** Returns where a declaration gives the former name or slot of its resource; null if the kind has no file key for that. */
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

export function siblingsOf(kind: WithAttributes): readonly KindName[] {
  return sumsOf(kind).siblings;
}

export function identityOf(kind: WithAttributes): readonly string[] {
  return sumsOf(kind).marked.isIdentity;
}

/** Returns the part of a spec that decides which live resources a declaration may mean. */
export function poolOf(kind: WithAttributes, spec: JsonObject): JsonObject {
  return Object.fromEntries(sumsOf(kind).marked.tells.map((path) => [path, spec[path] ?? null]));
}

/** Returns the last part of an unlisted resource's address: the value of the kind's key, or else the id. */
export function nameOf({ key }: Pick<KindTraits, 'key'>, { id, spec }: LiveResource): string {
  return key === undefined ? id : String(spec[key]);
}

export function isKnown(kind: WithAttributes, { spec }: LiveResource): boolean {
  return sumsOf(kind).limited.every((path) => kind.attributes[path]?.values?.includes(String(spec[path])));
}

export function isOver(kind: WithAttributes, spec: JsonObject, nowMs: number): boolean {
  return sumsOf(kind).marked.isEnd.some((path) => typeof spec[path] === 'string' && Date.parse(spec[path]) <= nowMs);
}

/** Returns the attribute that contains the API's name of a resource; null if the API keeps no name. */
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

/** Returns the resource that a new resource copies, as an id or a `Reference`; null if the new resource is no copy. */
export function copiedFrom(kind: WithAttributes, spec: JsonObject, live: readonly LiveResource[]): Json | null {
  return Object.values(referencesOf(kind)).flatMap((rule) => rule.copies?.(spec, live) ?? [])[0] ?? null;
}

/** Returns undefined if resources of the kind do not move between slots. */
export function slotWordsOf(kind: WithAttributes): Attribute['slot'] {
  return kind.attributes[placedBy(kind)?.attribute ?? '']?.slot;
}

/** Returns the name of the resource in the API: the name in the file, else the label. Null for `name: null`, or if the kind has no names. */
export function namedAs(kind: WithAttributes, { name, spec, options }: DesiredResource): string | null {
  const path = namedBy(kind);
  return path === null || options['named'] === false ? null : (textOf(spec[path]) ?? name);
}

export function writableOf(kind: WithAttributes): readonly string[] {
  return sumsOf(kind).writable;
}
