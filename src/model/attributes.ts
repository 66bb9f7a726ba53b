// What the attributes of a kind are, stated once: how each is changed, compared, written and referred by.
import { isJsonObject, jsonEqual, textOf, type Json, type JsonObject } from '../base/json.ts';
import { picked } from '../base/picked.ts';
import type { DesiredProject, DesiredResource, KindName, ResourceId } from './desired.ts';
import type { KindPlace } from './kind.ts';
import type { Contents, LiveProject, LiveResource } from './live.ts';
import { valueAt } from './paths.ts';
import type { Reference } from './reference.ts';

/** An attribute's value in its normal form, or the problem with it; `at` leads to the member that is wrong. */
export type Normalised = { readonly value: Json } | { readonly problem: string; readonly at?: readonly string[] };

/** A reference: the value is the `field` (`id`, or an attribute) of a resource of that kind. */
export interface ReferenceRule {
  readonly kind: KindName;
  readonly field: string;
  /** Below the same parent; else anywhere in the project. */
  readonly among: 'siblings' | 'project';
  /** A resource that refers to it keeps it from being removed (`holds`), or is removed with it (`goes`); without this, neither. */
  readonly onRemoval?: 'holds' | 'goes';
  /** Attributes of the referent: a plan changes these before it makes a resource that refers to it. */
  readonly after?: readonly string[];
  /** Why a resource that refers to this `value` may be deleted with it some day; null where nothing says so. `made`: the spec of a referent that is still to be made. */
  ends?(value: Json, made: JsonObject | null, context: ReferentContext): string | null;
  /** The value that names the origin of a new resource, which copies it with all resources below; null if nobody can tell. */
  copies?(spec: JsonObject, live: readonly LiveResource[]): Json | null;
}

/** What was read around a referent. */
export interface ReferentContext {
  readonly around: readonly LiveResource[];
  readonly facts: JsonObject;
  readonly project: DesiredProject | null;
  readonly liveProject: LiveProject | null;
}

export interface Attribute {
  /** `move`: it changes the slot that the resource holds · `immutable`: a difference is blocked · `never`: no call changes it, and a difference is an error. */
  readonly change: 'update' | 'move' | 'replace' | 'immutable' | 'never';
  /** True when the change restarts the resource, and interrupts its clients. */
  readonly restarts: boolean;
  /** The meaning of an attribute that a service does not show, where a reference states one; without this, it is never a difference. */
  readonly absent?: Json;
  /** A resource that shows that attribute has this one too, shown or not. */
  readonly shownWith?: string;
  /** The value that no value stands for. */
  readonly default?: Json;
  /** The form in which equal meanings are equal; `beside` is the value that this one is compared with. */
  readonly canonical?: (value: Json, beside?: Json) => Json;
  /** The value of a file in the service's words; an attribute without this is written nowhere under its own name. */
  readonly normalise?: (value: Json) => Normalised;
  /** True where the value is a mapping whose members have rows of their own (`NAME.MEMBER`, or `NAME.*`). */
  readonly hasMembers?: boolean;
  readonly refersTo?: ReferenceRule;
  /** True where it tells, with others of this sort, which live resources could be meant. */
  readonly tells?: boolean;
  /** The values that this version knows: a live resource with another one is neither matched nor pruned. */
  readonly values?: readonly string[];
  /** True where it may keep a resource, or what the resource is part of, from being removed: no removal is planned while it is not shown. */
  readonly mayKeep?: boolean;
  /** The key in a file for its former value: the declaration means the resource that has, or had, that one. A former value that no move changes is a unique name. */
  readonly formerly?: string;
  /** True where it holds the id of the parent in the account, where no kind stands for that: each parent has a list of its own. */
  readonly isHome?: boolean;
  /** Keys of a file that clear it where they are null. Everywhere else null leaves an attribute alone. */
  readonly clearedBy?: readonly string[];
  /** False while a request for this value is too early or too late: then the value is no difference. */
  readonly isOpen?: (wanted: Json, nowMs: number) => boolean;
  /** True where it says when a resource ends: as a time, or as seconds from the apply. The first one that is written counts. */
  readonly isEnd?: boolean;
  /** True where it is the name that the API keeps for a resource without a slot: the label, where a file writes none. */
  readonly isName?: boolean;
  /** True where it stands in every before and after, and nothing is made without it. */
  readonly isIdentity?: boolean;
  /** Words for a free slot, and the codes of warnings: of an unlisted holder of such a slot, and of a slot that a run has left. */
  readonly slot?: Readonly<Record<'empty' | 'unlisted' | 'left', string>>;
  /** The path in a file that sets it, where that is not its own name. */
  readonly file?: string;
  /** The key of a project's `prune` that lists values of resources to remove. */
  readonly prunedBy?: string;
  /** How a text of a file names a value in a project; without this, the text is the value. */
  readonly named?: (text: string, project: DesiredProject | null) => Named;
  /** True where a project's `use` has a profile for each of its values; the first value counts where a file writes none. */
  readonly hasProfiles?: boolean;
  /** True where an entry may be the id of a live resource: the key of the entry is then a label for that id. */
  readonly hasLabels?: boolean;
  /** Kinds of which a change of it affects resources: the plan needs to read them. */
  readonly affects?: readonly KindName[];
}

/** The id or reference that a text in a file stands for, or the reason why it stands for none. */
export type Named = ResourceId | Reference | { readonly problem: string; readonly hint: string };

/** The attributes of a kind by name, and by path where the members of a mapping differ. */
export type Attributes = Readonly<Record<string, Attribute>>;

/** A kind with the table of its attributes. */
export interface KindTraits extends KindPlace {
  readonly attributes: Attributes;
  /** The attribute that the key of an entry sets: a name in the API, which may be any text and is unique below the parent. */
  readonly key?: string;
  readonly contents?: Contents;
}

type WithAttributes = Pick<KindTraits, 'attributes'>;

/** Nobody knows of an attribute without a row that its change is harmless. */
const UNKNOWN: Attribute = { change: 'update', restarts: true };

/** The row of a leaf path such as `settings.pg_settings.work_mem`: its own, that of its like, or how the mapping that it is in is changed. */
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

/** The value in the form in which equal meanings are equal. */
export function canonicalAt(kind: WithAttributes, path: string, value: Json | undefined, beside?: Json): Json {
  const { hasMembers = false, canonical, default: usual = null } = attributeAt(kind, path);
  if (hasMembers) return isJsonObject(value) ? canonicalMembers(kind, path, value) : {};
  const known = value ?? usual;
  return canonical === undefined ? known : canonical(known, beside);
}

/** Empty members say nothing. */
function canonicalMembers(kind: WithAttributes, path: string, value: JsonObject): JsonObject {
  const members = Object.entries(value).map(
    ([key, inner]) => [key, canonicalAt(kind, `${path}.${key}`, inner)] as const,
  );
  return Object.fromEntries(members.filter(([, inner]) => !(isJsonObject(inner) && Object.keys(inner).length === 0)));
}

/** The normal form of what a file says of an attribute; `path` may lead into it. */
export function normaliseAt(kind: WithAttributes, path: string, value: Json): Normalised {
  const { normalise, hasMembers = false } = attributeAt(kind, path);
  if (normalise === undefined) return { problem: `${path} is not an attribute` };
  const normal = value === null ? { value } : normalise(value);
  return 'problem' in normal || !hasMembers || !isJsonObject(normal.value) ? normal : members(kind, path, normal.value);
}

function members(kind: WithAttributes, path: string, value: JsonObject): Normalised {
  const normal: Record<string, Json> = {};
  let isSame = true;
  // Names come from a file's tree, which never holds `__proto__`.
  for (const name of Object.keys(value)) {
    const written = value[name] ?? null;
    const result = normaliseAt(kind, `${path}.${name}`, written);
    if ('problem' in result) return { ...result, at: [name, ...(result.at ?? [])] };
    normal[name] = result.value;
    if (result.value !== written) isSame = false;
  }
  // Resources that share a profile share its values in memory.
  return { value: isSame ? value : normal };
}

/** The attribute by which a declaration says where its resource was, and the key in the file for that. */
interface Placed {
  readonly attribute: string;
  readonly key: string;
  /** It is a unique name: a resource that has the new one already is another resource. */
  readonly isName: boolean;
}

const MARKS = ['isIdentity', 'tells', 'isEnd', 'isName', 'isHome'] as const;

/** Sums of a table that planning asks for again and again. */
interface Sums {
  readonly references: Readonly<Record<string, ReferenceRule>>;
  readonly placed: Placed | null;
  readonly writable: readonly string[];
  /** The paths of the attributes with each mark. */
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

/** How a declaration says where its resource was before; null where it cannot. */
export function placedBy(kind: WithAttributes): Placed | null {
  return sumsOf(kind).placed;
}

/** The id of the parent in the account that a spec names; null for a kind without such parents. */
export function homeOf(kind: WithAttributes, spec: JsonObject): ResourceId | null {
  const [home] = sumsOf(kind).marked.isHome;
  return home === undefined ? null : textOf(spec[home]);
}

/** The attributes that refer to other resources, each with its rule. */
export function referencesOf(kind: WithAttributes): Readonly<Record<string, ReferenceRule>> {
  return sumsOf(kind).references;
}

/** The attributes that stand in every before and after. */
export function identityOf(kind: WithAttributes): readonly string[] {
  return sumsOf(kind).marked.isIdentity;
}

/** The part of a spec that tells which live resources could be meant. */
export function poolOf(kind: WithAttributes, spec: JsonObject): JsonObject {
  return Object.fromEntries(sumsOf(kind).marked.tells.map((path) => [path, spec[path] ?? null]));
}

/** The last part of the address of a resource that no file lists: its key, else its id. */
export function nameOf({ key }: Pick<KindTraits, 'key'>, { id, spec }: LiveResource): string {
  return key === undefined ? id : String(spec[key]);
}

/** True where this version knows each value of a resource that has known values. */
export function isKnown({ attributes }: WithAttributes, { spec }: LiveResource): boolean {
  return Object.entries(attributes).every(
    ([path, { values }]) => values === undefined || values.includes(String(spec[path])),
  );
}

/** True where the time of the declaration is over. */
export function isOver(kind: WithAttributes, spec: JsonObject, nowMs: number): boolean {
  return sumsOf(kind).marked.isEnd.some((path) => typeof spec[path] === 'string' && Date.parse(spec[path]) <= nowMs);
}

/** The attribute with the name that the API keeps for a resource; null where it keeps none. */
export function namedBy(kind: WithAttributes): string | null {
  return sumsOf(kind).marked.isName[0] ?? null;
}

/** Whether a resource with the spec `wanted` ends sooner than one with `live`, or ends where that one never does. */
export function endsSooner(kind: WithAttributes, wanted: JsonObject, live: JsonObject): boolean {
  const path = sumsOf(kind).marked.isEnd.find((one) => (wanted[one] ?? null) !== null);
  if (path === undefined) return false;
  const [sooner, later] = [wanted[path], live[path]];
  const [end, former] = [canonicalAt(kind, path, sooner, later), canonicalAt(kind, path, later, sooner)];
  return former === null || (end as string | number) < (former as string | number);
}

/** The kinds of which a change from `live` to `desired` affects resources. */
export function affectedBy(kind: WithAttributes, desired: JsonObject, live: JsonObject): readonly KindName[] {
  return Object.entries(kind.attributes).flatMap(([path, { affects = [] }]) => {
    const [wanted, have] = [desired, live].map((spec) => valueAt(spec, path.split('.')));
    const isSame = wanted === undefined || jsonEqual(canonicalAt(kind, path, wanted), canonicalAt(kind, path, have));
    return isSame ? [] : affects;
  });
}

/** The origin of a new resource with this spec; null if it is no copy. */
export function copiedFrom(kind: WithAttributes, spec: JsonObject, live: readonly LiveResource[]): Json | null {
  return Object.values(referencesOf(kind)).flatMap((rule) => rule.copies?.(spec, live) ?? [])[0] ?? null;
}

/** The words for the slots between which resources of the kind move. */
export function slotWordsOf(kind: WithAttributes): Attribute['slot'] {
  return kind.attributes[placedBy(kind)?.attribute ?? '']?.slot;
}

/** The name that a declaration goes by: the written one, else its label; null where it wants none, or where the API keeps none. */
export function namedAs(kind: WithAttributes, { name, spec, options }: DesiredResource): string | null {
  const path = namedBy(kind);
  return path === null || options['named'] === false ? null : (textOf(spec[path]) ?? name);
}

/** The attributes that a file may write under their own names. */
export function writableOf(kind: WithAttributes): readonly string[] {
  return sumsOf(kind).writable;
}
