// A kind as a table: from the rows of its attributes come reading, comparing, writing, requests, and what a file may say.
import { checkReply, type Operation, type ShapeName } from '../api/index.ts';
import { assert } from '../base/assert.ts';
import type { KindRemote, WriteOutcome } from '../apply/kind-remote.ts';
import { compareText, jsonEqual, textOf, type Json, type JsonObject } from '../base/json.ts';
import { isoTime, millisecondsOf } from '../base/time/clock.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection, WrittenEntry } from '../config/kind-section.ts';
import { canonicalAt, nameOf, writableOf, type Attribute } from '../model/attributes.ts';
import type { ResourceId } from '../model/desired.ts';
import type { Below, KindPlace } from '../model/kind.ts';
import type { LiveResource } from '../model/live.ts';
import type { Marks, Step } from '../model/outcome/plan.ts';
import type { KindRules, RequestInput } from '../plan/kind-rules.ts';
import { operationRefs } from './shared/branch-contents.ts';
import { columns, shownMembers } from './shared/lists.ts';
import { nameSegment } from './shared/paths.ts';
import { addAttributes } from './shared/problems.ts';

/** One object that answers the questions of all packages: what may be written, how it is planned, what is sent. */
export interface Kind extends KindSection, Omit<KindRules, 'describe'>, KindRemote {}

/** An attribute, and how it stands on the wire. */
export interface Row<Item> extends Attribute {
  /** Its name on the wire, where that is another one. */
  readonly wire?: string;
  /** How an item shows it, where no member of that name does. */
  readonly read?: (item: Item) => Json | undefined;
  /** How a request sends it; undefined where the request leaves it out. */
  readonly write?: (value: Json) => Json | undefined;
}

/** The shapes of a list and of a reply to a write, and the members that hold the items there. */
export interface Wire<Item> {
  readonly list: ShapeName;
  /** Where the list is, if not where one is made. */
  readonly listAt?: (below: Pick<RequestInput, 'projectId' | 'parentId'>) => string;
  /** Null where the body is the only item. */
  readonly items: string | null;
  readonly reply: ShapeName;
  /** Null where the reply is the item itself. */
  readonly item: string | null;
  /** Why these items are not of this list; null where they are. */
  readonly problemOf: (items: readonly Item[], parentId: ResourceId) => string | null;
  /** True for an item that is in force: a list may hold others. */
  readonly isThere?: (item: Item) => boolean;
  /** The secret that a reply shows, when it was set, and what is kept beside it. */
  readonly secretOf?: (
    item: Item,
    live: LiveResource,
    isNew: boolean,
  ) => Pick<WriteOutcome, 'secret' | 'madeAtMs' | 'record'>;
}

type Answers = Omit<KindSection & KindRules & KindRemote, keyof KindPlace | 'attributes' | 'meaning' | 'requests'>;

/** A kind as a table. */
export interface KindTable<Item extends object> extends KindPlace, Partial<Answers> {
  readonly attributes: Readonly<Record<string, Row<Item>>>;
  /** The attribute that is the key of an entry, and a unique name below the parent; without one, a parent has one resource of the kind. */
  readonly key?: string;
  readonly wire: Wire<Item>;
  /** Members of an item that are shown and never compared. */
  readonly observed: readonly (keyof Item & string)[];
  /** Those of them that a planned step rests on. */
  readonly passing?: readonly string[];
  /** The member with the time of its creation; `created_at` without this. */
  readonly madeAt?: string;
  readonly idOf: (item: Item, parentId: ResourceId) => ResourceId;
  readonly collection: (below: Pick<RequestInput, 'projectId' | 'parentId'>) => string;
  /** The attribute that stands in the path of one; its id without this. */
  readonly segmentBy?: string;
  readonly words: (spec: JsonObject) => string;
  readonly problems?: (entry: Entry) => readonly (EntryProblem | null)[];
  readonly options?: (value: JsonObject, problems: EntryProblem[]) => JsonObject;
  /** Requests that differ from POST of a new one, PATCH and DELETE. */
  readonly requests?: KindRules['requests'];
}

export function defineKind<Item extends object>(table: KindTable<Item>): Kind {
  const answers = { ...sectionOf(table), ...rulesOf(table), ...remoteOf(table), ...table, ...derivedOf(table) };
  return { ...answers, liveOf: (item, below) => liveOf(table, item as Item, below) };
}

/** The item of a reply or a list as a live resource. */
export function liveOf<Item extends object>(table: KindTable<Item>, item: Item, below: Below): LiveResource {
  const { kind, attributes, observed, madeAt = 'created_at', idOf } = table;
  const { projectId, parentId } = below;
  const createdAt = (item as Readonly<Record<string, Json | undefined>>)[madeAt];
  return {
    kind,
    id: idOf(item, parentId ?? ''),
    projectId,
    ...(parentId === undefined || parentId === null ? {} : { parentId }),
    spec: specOf(attributes, item),
    observed: shownMembers(item, observed),
    createdAtMs: millisecondsOf(createdAt),
  };
}

/** The attributes that an item shows. */
export function specOf<Item extends object>(attributes: Readonly<Record<string, Row<Item>>>, item: Item): JsonObject {
  const members = item as Readonly<Record<string, Json | undefined>>;
  const spec: Record<string, Json> = {};
  for (const [name, { wire = name, read }] of Object.entries(attributes)) {
    const value = read === undefined ? members[wire] : read(item);
    if (value !== undefined && value !== null) spec[name] = value;
  }
  return spec;
}

/** Where one is changed and removed. */
export function itemPath<Item extends object>(
  { collection, segmentBy }: Pick<KindTable<Item>, 'collection' | 'segmentBy'>,
  input: RequestInput,
): string {
  const segment = segmentBy === undefined ? input.id : input.live?.spec[segmentBy];
  assert(typeof segment === 'string', 'a request names the resource that it is about');
  return `${collection(input)}/${nameSegment(segment)}`;
}

/** Attributes as a request sends them. */
export function bodyOf<Item>(attributes: Readonly<Record<string, Row<Item>>>, spec: JsonObject): JsonObject {
  const members = Object.entries(spec).flatMap(([name, value]) => {
    const { wire = name, write } = attributes[name] ?? {};
    const sent = write === undefined ? value : write(value);
    return sent === undefined ? [] : [[wire, sent] as const];
  });
  return Object.fromEntries(members);
}

function sectionOf<Item extends object>(table: KindTable<Item>): Pick<KindSection, 'check' | 'written'> {
  const entryOf = (live: LiveResource): WrittenEntry => ({
    id: live.id,
    name: nameOf(table, live),
    isApiName: true,
    identity: {},
    attributes: writtenOf(table, live.spec),
    isConcise: true,
  });
  return {
    check: () => [],
    written: (wanted) => [...wanted].sort((a, b) => compareText(nameOf(table, a), nameOf(table, b))).map(entryOf),
  };
}

/** The attributes that say something: those that differ from their defaults. */
function writtenOf(kind: { readonly attributes: Readonly<Record<string, Attribute>> }, spec: JsonObject): JsonObject {
  const written = writableOf(kind).flatMap((path): [string, Json][] => {
    const value = spec[path];
    return value === undefined || jsonEqual(canonicalAt(kind, path, value), canonicalAt(kind, path, undefined))
      ? []
      : [[path, value]];
  });
  return Object.fromEntries(written);
}

function meaningOf<Item extends object>(table: KindTable<Item>, entry: Entry): EntryMeaning {
  const { key, attributes, problems: check, options } = table;
  const formerly = key === undefined ? undefined : attributes[key]?.formerly;
  const { name, value } = entry;
  const problems: EntryProblem[] = (check?.(entry) ?? []).filter((problem) => problem !== null);
  const spec: Record<string, Json> = key === undefined ? {} : { [key]: canonicalAt(table, key, name) };
  const isAbsent = value['state'] === 'absent';
  if (!isAbsent) addAttributes(spec, { value, kind: table, names: writableOf(table) }, problems);
  return {
    spec,
    options: isAbsent ? {} : (options?.(value, problems) ?? {}),
    ...(formerly === undefined ? {} : { movedFrom: textOf(value[formerly]), places: { [key ?? '']: formerly } }),
    problems,
  };
}

function rulesOf<Item extends object>(
  table: KindTable<Item>,
): Pick<KindRules, 'place' | 'poolWords' | 'fingerprint' | 'verdict' | 'effects'> {
  const { key, words } = table;
  return {
    place: (spec) => (key === undefined || typeof spec[key] === 'string' ? words(spec) : null),
    poolWords: words,
    fingerprint: (live) => marksOf(table, live),
    verdict: () => ({ intents: [], notes: [], diagnostics: [], blockedBy: [] }),
    effects: {},
  };
}

function marksOf<Item extends object>(
  { madeAt = 'created_at', passing = [] }: KindTable<Item>,
  { createdAtMs, observed }: LiveResource,
): Marks {
  return {
    lasting: createdAtMs === null ? {} : { [madeAt]: isoTime(createdAtMs) },
    passing: Object.fromEntries(passing.map((name) => [name, observed[name] ?? null])),
  };
}

function remoteOf<Item extends object>(
  table: KindTable<Item>,
): Pick<KindRemote, 'isOnlyDeclared' | 'isSerial' | 'list' | 'outcome' | 'recognise' | 'describe'> {
  const { wire, collection } = table;
  const { isThere = () => true } = wire;
  const itemsIn = (body: JsonObject): readonly Item[] =>
    (wire.items === null ? [body] : body[wire.items]) as unknown as readonly Item[];
  return {
    isOnlyDeclared: true,
    isSerial: true,
    async list(reader, below, signal) {
      const { projectId, parentId = null } = below;
      const path = (wire.listAt ?? collection)({ projectId, parentId });
      const body = await reader.get<JsonObject>(path, wire.list, {
        signal,
        problemOf: (listed) => wire.problemOf(itemsIn(listed), parentId ?? ''),
      });
      return itemsIn(body)
        .filter(isThere)
        .map((item) => liveOf(table, item, below));
    },
    outcome: (step, reply) => outcomeOf(table, step, reply),
    recognise: () => 'name',
    describe: ({ parentId = null }) => ({ columns: columns({ branch_id: parentId }) }),
  };
}

/** A reply about another resource is not the reply to this step; one without a body ends a deletion. */
function outcomeOf<Item extends object>(table: KindTable<Item>, step: Step, reply: Json): WriteOutcome | null {
  const { wire, key, operations: hasOperations } = table;
  const target = step.expects.state === 'present' ? step.expects.id : null;
  const result = checkReply<JsonObject>(wire.reply, reply);
  const bare = { id: target, operations: hasOperations === undefined ? [] : null, secret: null, record: {} };
  if (!result.ok) return step.method === 'DELETE' && hasOperations !== undefined ? bare : null;
  const item = (wire.item === null ? result.value : result.value[wire.item]) as unknown as Item;
  const { projectId, parentId } = step;
  const live = liveOf(table, item, { projectId, parentId });
  const isAnother = target === null ? key !== undefined && live.spec[key] !== step.achieves?.[key] : live.id !== target;
  const isForeign = wire.problemOf([item], parentId ?? '') !== null;
  if (isAnother || isForeign || (target === null && wire.isThere?.(item) === false)) return null;
  const started = result.value['operations'] as unknown as readonly Operation[] | undefined;
  return {
    ...bare,
    id: live.id,
    operations: hasOperations === undefined ? [] : operationRefs(step, started),
    ...(target === null ? { madeAtMs: live.createdAtMs } : {}),
    ...wire.secretOf?.(item, live, target === null),
  };
}

/** Answers that a table gives in another form, or in part. */
function derivedOf<Item extends object>(table: KindTable<Item>): Pick<Kind, 'requests' | 'meaning'> {
  const { attributes, wire, collection, requests } = table;
  const wrapped = (spec: JsonObject): JsonObject => {
    const body = bodyOf(attributes, spec);
    return wire.item === null ? body : { [wire.item]: body };
  };
  const pathOf = (input: RequestInput): string => itemPath(table, input);
  return {
    meaning: (entry) => meaningOf(table, entry),
    requests: {
      create: (input) => ({ method: 'POST', path: collection(input), body: wrapped(input.attributes) }),
      update: (input) => ({ method: 'PATCH', path: pathOf(input), body: wrapped(input.attributes) }),
      delete: (input) => ({ method: 'DELETE', path: pathOf(input), body: null }),
      ...requests,
    },
  };
}
