// Defines the part of a kind's table that describes the API, and derives lists, requests, outcomes and live resources from it.
import { checkReply, type ShapeName } from '../../api/index.ts';
import type { KindRemote, Shown, WriteOutcome } from '../../apply/kind-remote.ts';
import { assert } from '../../base/assert.ts';
import { arrayOf, isJsonObject, jsonEqual, objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { repeatsIn } from '../../base/group-by.ts';
import { inert } from '../../base/text/inert.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { shownBy } from '../../client/failure.ts';
import type { Attribute } from '../../model/attributes.ts';
import type { ResourceId } from '../../model/desired.ts';
import { PROJECT, type Below, type KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { mergeDeep } from '../../model/values.ts';
import type { KindRules, RequestDraft, RequestInput } from '../../plan/kind-rules.ts';
import { operationRefs } from './branch-contents.ts';
import { idSegment, nameSegment } from './paths.ts';

export interface Row<Item> extends Attribute {
  /** The attribute's API name; default: its key in the table. */
  readonly wire?: string;
  /** Returns the value that an item of the API shows; default: the item's member `wire`. */
  readonly read?: (item: Item, below: Below) => Json | undefined;
  /** Converts the value for a request; undefined leaves the attribute out. */
  readonly write?: (value: Json) => Json | undefined;
  /** True if the service replaces the mapping as a whole, so that requests must also send the members that no file manages. */
  readonly isWhole?: boolean;
}

interface Wire<Item> {
  readonly list: ShapeName;
  /** The path of the list; default: the path of a creation. */
  readonly listAt?: (below: Pick<RequestInput, 'projectId' | 'parentId'>) => string;
  /** The member of the body that has the items; null if the body itself is the array of items, or the only item. */
  readonly items: string | null;
  readonly reply: ShapeName;
  /** The member with the item, in requests and replies; null if the body itself is the item. */
  readonly item: string | null;
  readonly shown?: ShapeName;
  readonly problemOf: (items: readonly Item[], below: Below) => string | null;
  /** False for an item that no longer applies although a list still shows the item, such as a revoked permission. */
  readonly isThere?: (item: Item) => boolean;
  /** True if the step starts no operation: a reply that lists none is then complete. */
  readonly startsNone?: (item: Item, step: Step) => boolean;
  readonly secretOf?: (
    item: Item,
    live: LiveResource,
    isNew: boolean,
  ) => Pick<WriteOutcome, 'secret' | 'madeAtMs' | 'record'>;
}

export interface WireTable<Item extends object> extends KindPlace {
  readonly attributes: Readonly<Record<string, Row<Item>>>;
  readonly wire: Wire<Item>;
  readonly observed: readonly (keyof Item & string)[];
  /** The member with the creation time; default: `created_at`. */
  readonly madeAt?: string;
  /** Returns an id that is unique in the account; `within` is the id of the parent resource, else of the project. Default: the item's id. */
  readonly idOf?: (item: Item, within: ResourceId) => ResourceId;
  readonly collection: (below: Pick<RequestInput, 'projectId' | 'parentId'>) => string;
  /** The attribute whose value ends the path of a resource; default: the id. */
  readonly segmentBy?: string;
  readonly requests?: KindRules['requests'];
}

export function liveOf<Item extends object>(table: WireTable<Item>, item: Item, below: Below): LiveResource {
  const { kind, attributes, madeAt = 'created_at' } = table;
  const members = item as Readonly<Record<string, Json | undefined>>;
  const { projectId, parentId = null } = below;
  const id = idIn(table, item, below);
  const spec: Record<string, Json> = {};
  for (const [name, { wire = name, read }] of Object.entries(attributes)) {
    const value = read === undefined ? members[wire] : read(item, below);
    if (value !== undefined && value !== null) spec[name] = value;
  }
  const observed: Record<string, Json> = {};
  // A null member counts as not shown.
  for (const name of table.observed) if ((members[name] ?? null) !== null) observed[name] = members[name] as Json;
  return {
    kind,
    id,
    projectId: kind === PROJECT ? id : projectId,
    ...(parentId === null ? {} : { parentId }),
    spec,
    observed,
    createdAtMs: millisecondsOf(members[madeAt]),
  };
}

function idIn<Item extends object>({ idOf }: WireTable<Item>, item: Item, { projectId, parentId }: Below): ResourceId {
  return idOf?.(item, parentId ?? projectId ?? '') ?? String((item as { readonly id?: Json }).id);
}

export function itemPath<Item extends object>(
  { collection, segmentBy }: Pick<WireTable<Item>, 'collection' | 'segmentBy'>,
  { id, live, ...below }: Pick<RequestInput, 'projectId' | 'parentId' | 'id'> & { readonly live?: Shown | null },
): string {
  const name = segmentBy === undefined ? id : live?.spec?.[segmentBy];
  assert(typeof name === 'string', 'a request names the resource that it is about');
  return `${collection(below)}/${segmentBy === undefined ? idSegment(name) : nameSegment(name)}`;
}

/** Returns the body of a request. `live` has the members that no file manages, for mappings that the service replaces as a whole. */
export function bodyOf<Item>(
  attributes: Readonly<Record<string, Row<Item>>>,
  spec: JsonObject,
  live: JsonObject = {},
  above: string = '',
): JsonObject {
  const members = Object.entries(spec).flatMap(([name, value]) => {
    const path = `${above}${name}`;
    const { wire = name, write, isWhole = false, hasMembers = false } = attributes[path] ?? {};
    const known = objectOf(live[name]);
    const whole =
      isWhole && isJsonObject(value)
        ? mergeDeep(known, value)
        : hasMembers && isJsonObject(value)
          ? bodyOf(attributes, value, known, `${path}.`)
          : value;
    const sent = write === undefined ? whole : write(whole);
    return sent === undefined ? [] : [[wire, sent] as const];
  });
  return Object.fromEntries(members);
}

export function requestsOf<Item extends object>(
  table: WireTable<Item>,
): Readonly<Record<'create' | 'update' | 'move' | 'delete', (input: RequestInput) => RequestDraft>> {
  const { collection, wire, attributes } = table;
  const bodyIn = ({ attributes: spec, live }: RequestInput): JsonObject => {
    const body = bodyOf(attributes, spec, live?.spec);
    return wire.item === null ? body : { [wire.item]: body };
  };
  const update = (input: RequestInput): RequestDraft => ({
    method: 'PATCH',
    path: itemPath(table, input),
    body: bodyIn(input),
  });
  return {
    create: (input) => ({ method: 'POST', path: collection(input), body: bodyIn(input) }),
    update,
    move: update,
    delete: (input) => ({ method: 'DELETE', path: itemPath(table, input), body: null }),
  };
}

export function remoteOf<Item extends object>(
  table: WireTable<Item>,
): Pick<KindRemote, 'isOnlyDeclared' | 'isSerial' | 'liveOf' | 'list' | 'show' | 'outcome' | 'recognise' | 'describe'> &
  Pick<KindRules, 'requests'> {
  const { kind, wire, collection } = table;
  const { isThere = () => true, shown } = wire;
  const itemsIn = (body: JsonObject): readonly Item[] =>
    (wire.items !== null ? body[wire.items] : Array.isArray(body) ? body : [body]) as unknown as readonly Item[];
  return {
    isOnlyDeclared: true,
    isSerial: true,
    liveOf: (item, below) => liveOf(table, item as Item, below),
    async list(reader, below, signal) {
      const { projectId, parentId = null } = below;
      const path = (wire.listAt ?? collection)({ projectId, parentId });
      const liveIn = (item: Item): LiveResource => liveOf(table, item, below);
      const body = await reader.get<JsonObject>(path, wire.list, {
        signal,
        problemOf: (listed) => {
          const items = itemsIn(listed);
          const problem = wire.problemOf(items, below);
          if (problem !== null) return problem;
          const twice = repeatsIn(items, (item) => idIn(table, item, below)).find(([one, other]) =>
            contradicts(liveIn(one), liveIn(other)),
          );
          if (twice === undefined) return null;
          return `lists the ${kind} "${inert(liveIn(twice[0]).id, 80)}" twice, with different values`;
        },
      });
      const live = itemsIn(body).filter(isThere).map(liveIn);
      return [...new Map(live.map((one) => [one.id, one])).values()];
    },
    ...(shown === undefined
      ? {}
      : {
          async show(reader, of, signal) {
            const { projectId, parentId = null, id } = of;
            const liveIn = (body: JsonObject): LiveResource => liveOf(table, itemIn(table, body), of);
            const problemOf = (body: JsonObject): string | null =>
              liveIn(body).id === id ? wire.problemOf([itemIn(table, body)], of) : `is about another ${kind}`;
            const path = itemPath(table, { projectId, parentId, id, live: of });
            return shownBy(reader.get<JsonObject>(path, shown, { signal, problemOf }), liveIn);
          },
        }),
    outcome: (step, reply) => outcomeOf(table, step, reply),
    recognise: () => 'name',
    describe: ({ parentId = null }) => ({ columns: columns({ branch_id: parentId }) }),
    requests: requestsOf(table),
  };
}

function itemIn<Item extends object>({ wire: { item } }: WireTable<Item>, body: JsonObject): Item {
  return (item === null ? body : body[item]) as unknown as Item;
}

/** Returns the outcome of a step; null if the reply is malformed or about another resource. Replies to deletions and restarts may lack the item. */
export function outcomeOf<Item extends object>(table: WireTable<Item>, step: Step, reply: Json): WriteOutcome | null {
  const { wire, operations } = table;
  const { projectId, parentId, expects } = step;
  const below = { projectId, parentId };
  const target = expects.state === 'present' ? expects.id : null;
  const result = checkReply<JsonObject>(wire.reply, reply);
  const refsIn = (body: JsonObject, id: ResourceId): WriteOutcome['operations'] =>
    operationRefs(table, table.kind === PROJECT ? id : projectId, id, body['operations']);
  if (!result.ok) {
    const mayBeBare = operations !== undefined && (step.method === 'DELETE' || step.action === 'restart');
    if (!mayBeBare || target === null) return null;
    const listed = checkReply<JsonObject>('OperationList', reply);
    return { id: target, operations: listed.ok ? refsIn(listed.value, target) : null, secret: null, record: {} };
  }
  // A reply may leave out the project, because the path of the request names it.
  const item = { project_id: projectId, ...itemIn(table, result.value) };
  const live = liveOf(table, item, below);
  const isOther = ([path, asked]: readonly [string, Json]): boolean =>
    asked !== null && !jsonEqual(asked, live.spec[path] ?? asked);
  const isAnother =
    expects.state === 'present' ? live.id !== target : Object.entries(expects.joins.where).some(isOther);
  if (isAnother || wire.problemOf([item], below) !== null || (target === null && wire.isThere?.(item) === false))
    return null;
  const { operations: listed } = result.value;
  const isNone = listed !== undefined && arrayOf(listed).length === 0 && wire.startsNone?.(item, step) === true;
  return {
    id: live.id,
    operations: refsIn(result.value, live.id) ?? (isNone ? [] : null),
    secret: null,
    record: {},
    ...(target === null ? { madeAtMs: live.createdAtMs } : {}),
    // A reply may leave out attributes that the request set.
    ...wire.secretOf?.(item, { ...live, spec: { ...step.achieves, ...live.spec } }, target === null),
  };
}

export function contradicts(one: LiveResource, other: LiveResource): boolean {
  return one.createdAtMs !== other.createdAtMs || !jsonEqual(one.spec, other.spec);
}

type Columns = Readonly<Record<'branch_id' | 'state' | 'host', string | null>>;

export function columns(told: Partial<Columns> = {}): Columns {
  return { branch_id: null, state: null, host: null, ...told };
}
