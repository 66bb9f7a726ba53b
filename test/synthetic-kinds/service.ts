// A small service of crates, boxes and items: strict about names, parents and references, with operations, faults and a ledger.
import { referencesOf } from '../../src/model/attributes.ts';
import type { Clock } from '../../src/base/time/clock.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { PROJECT } from '../../src/model/kind.ts';
import { SHAPES, type Shape } from './kinds/shapes.ts';

/** One that lives. References are held by id, also where they are shown by name. */
export interface Thing {
  readonly kind: string;
  readonly id: string;
  /** Null for what belongs to the account. */
  readonly projectId: string | null;
  readonly parentId: string | null;
  readonly createdAtMs: number;
  attributes: JsonObject;
}

/** One committed mutation. */
export interface Entry {
  readonly verb: 'create' | 'update' | 'delete';
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/** What happens to one exchange: its request never arrives, its reply is lost, or it is refused with this status. */
export type Fault = 'lost_before' | 'lost_after' | 422 | 423 | 429 | 500;

export interface Exchange {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
}

export interface Tree {
  readonly [name: string]: JsonObject & { readonly has?: Tree };
}

const KINDS: readonly string[] = ['crate', 'box', 'item'];

interface Operation {
  readonly id: string;
  readonly projectId: string;
  readonly action: string;
  readonly createdAtMs: number;
}

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Both ways together. */
const LATENCY_MS = 10;

export class Service {
  readonly projects: ReadonlyMap<string, string>;
  readonly ledger: Entry[] = [];
  /** `METHOD /path`, in order. */
  readonly wire: string[] = [];
  faultAt: (exchange: Exchange) => Fault | null = () => null;
  /** While an operation of a project runs, its writes are answered 423. */
  isLocking = false;
  /** How long operations take. */
  operationMs = 1000;
  readonly #clock: Clock;
  readonly #things = new Map<string, Thing>();
  readonly #operations: Operation[] = [];
  #made = 0;

  /** Projects: names by id. */
  constructor(clock: Clock, projects: Readonly<Record<string, string>> = { 'shop-1': 'shop' }) {
    this.#clock = clock;
    this.projects = new Map(Object.entries(projects));
  }

  things(kind?: string): readonly Thing[] {
    return [...this.#things.values()].filter((thing) => kind === undefined || thing.kind === kind);
  }

  thing(kind: string, name: string): Thing {
    const found = this.things(kind).find(({ attributes }) => attributes['name'] === name);
    if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
    return found;
  }

  /** Everything that lives as nested names with their attributes, references by the names of what they refer to. */
  tree(projectId: string | null = 'shop-1', parentId: string | null = null): Tree {
    const own = this.things().filter((thing) => thing.projectId === projectId && thing.parentId === parentId);
    const shown = own.map((thing): [string, Tree[string]] => {
      const { name, ...rest } = thing.attributes;
      const named = Object.entries(rest).map(([key, value]) => [
        key,
        this.#things.get(String(value))?.attributes['name'] ?? value,
      ]);
      const has = this.tree(projectId, thing.id);
      const inner = Object.keys(has).length === 0 ? {} : { has };
      return [String(name), { ...(Object.fromEntries(named) as JsonObject), ...inner }];
    });
    return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Makes a tree of crates behind everybody's back; references are not among its attributes. */
  plant(tree: Tree, parentId: string | null = null, kinds: readonly string[] = KINDS): void {
    const [kind = '', ...inner] = kinds;
    for (const [name, { has = {}, ...attributes }] of Object.entries(tree))
      this.plant(has, this.put(kind, name, parentId, attributes).id, inner);
  }

  /** Puts something there behind everybody's back; `attributes` may name others by their ids. */
  put(kind: string, name: string, parentId: string | null = null, attributes: JsonObject = {}): Thing {
    return this.#add(shapeOf(kind), isOfAccount(kind) ? null : ([...this.projects.keys()][0] ?? ''), parentId, {
      ...attributes,
      name,
    });
  }

  change(id: string, attributes: JsonObject): void {
    const thing = this.#things.get(id);
    if (thing !== undefined) thing.attributes = { ...thing.attributes, ...attributes };
  }

  remove(id: string): void {
    this.#things.delete(id);
  }

  async handle(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace(/^\/api\/v2/, '');
    const { method } = request;
    this.wire.push(`${method} ${path}`);
    const fault = this.faultAt({ number: this.wire.length, method, path });
    await this.#clock.sleep(LATENCY_MS / 2);
    if (fault === 'lost_before') throw new Error('the connection broke');
    if (typeof fault === 'number') return this.#reply(fault, { message: `told to: ${fault}` });
    const body = method === 'GET' || method === 'DELETE' ? {} : ((await request.json()) as JsonObject);
    const response = this.#answer(method, path, body);
    await this.#clock.sleep(LATENCY_MS / 2);
    if (fault === 'lost_after') throw new Error('the connection broke');
    return response;
  }

  #reply(status: number, body: JsonObject): Response {
    const headers = { 'content-type': 'application/json', date: new Date(this.#clock.nowMs()).toUTCString() };
    return new Response(JSON.stringify(body), { status, headers });
  }

  #answer(method: string, path: string, body: JsonObject): Response {
    if (path === '/projects') {
      const projects = [...this.projects].map(([id, name]) => ({ id, name }));
      return this.#reply(200, { projects });
    }
    if (path === '/api_keys') return new Response('[]', { headers: { 'content-type': 'application/json' } });
    const [, projectId = null, rest = path] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (projectId === null) return method === 'GET' ? this.#list(null, rest) : this.#write(method, null, rest, body);
    if (!this.projects.has(projectId)) return this.#reply(404, { message: 'no such project' });
    if (rest === '/endpoints') return this.#reply(200, { endpoints: [] });
    if (rest === '/operations') return this.#reply(200, { operations: this.#logOf(projectId) });
    if (method === 'GET') return this.#list(projectId, rest);
    if (this.isLocking && this.#logOf(projectId).some(({ status }) => status === 'running'))
      return this.#reply(423, { message: 'an operation is under way' });
    return this.#write(method, projectId, rest, body);
  }

  #logOf(projectId: string): { readonly status: string; readonly [name: string]: string }[] {
    const own = this.#operations.filter((operation) => operation.projectId === projectId);
    return own.toReversed().map(({ id, action, createdAtMs }) => {
      const endsAtMs = createdAtMs + this.operationMs;
      const isOver = this.#clock.nowMs() >= endsAtMs;
      return {
        id,
        action,
        project_id: projectId,
        status: isOver ? 'finished' : 'running',
        created_at: new Date(createdAtMs).toISOString(),
        updated_at: new Date(isOver ? endsAtMs : createdAtMs).toISOString(),
      };
    });
  }

  #list(projectId: string | null, rest: string): Response {
    const found = this.#scopeAt(projectId, rest);
    if (found === null) return this.#reply(404, { message: 'not found' });
    const { shape, parentId } = found;
    const own = this.things(shape.place.kind).filter(
      (thing) => thing.projectId === projectId && thing.parentId === parentId,
    );
    return this.#reply(200, { members: own.map((thing) => this.#shown(shape, thing)) });
  }

  /** The scope that a path names; null where there is none, or what it is below does not live. */
  #scopeAt(projectId: string | null, rest: string): { readonly shape: Shape; readonly parentId: string | null } | null {
    for (const shape of SHAPES) {
      const [head = '', tail = ''] = shape.collection('\0').split('\0');
      if (isOfAccount(shape.place.kind) !== (projectId === null)) continue;
      if (!rest.startsWith(head) || !rest.endsWith(tail)) continue;
      const inner = rest.slice(head.length, rest.length - tail.length);
      if (tail === '' ? inner !== '' : !/^[^/]+$/.test(inner)) continue;
      if (tail === '') return { shape, parentId: null };
      const parent = this.#things.get(decodeURIComponent(inner));
      return parent?.projectId === projectId && parent.kind === shape.place.parent
        ? { shape, parentId: parent.id }
        : null;
    }
    return null;
  }

  #shown(shape: Shape, thing: Thing): JsonObject {
    const { id, projectId, parentId, createdAtMs, attributes } = thing;
    const named = Object.entries(referencesOf(shape)).flatMap(([path, { field }]) =>
      field === 'name' && typeof attributes[path] === 'string'
        ? [[path, this.#things.get(attributes[path])?.attributes['name'] ?? null]]
        : [],
    );
    const fixed = { id, project_id: projectId, parent_id: parentId, created_at: new Date(createdAtMs).toISOString() };
    return { ...fixed, ...attributes, ...(Object.fromEntries(named) as JsonObject) };
  }

  #write(method: string, projectId: string | null, rest: string, body: JsonObject): Response {
    const wish = (body['member'] ?? {}) as JsonObject;
    if (method === 'POST') {
      const scope = this.#scopeAt(projectId, rest);
      if (scope === null) return this.#reply(404, { message: 'nothing can be made there' });
      return this.#create(scope.shape, projectId, scope.parentId, wish);
    }
    const thing = this.#things.get(decodeURIComponent(rest.split('/').at(-1) ?? ''));
    const shape = thing === undefined ? undefined : shapeOf(thing.kind);
    if (thing === undefined || shape?.member(thing.id) !== rest || thing.projectId !== projectId)
      return this.#reply(404, { message: 'not found' });
    return method === 'PATCH' ? this.#update(shape, thing, wish) : this.#delete(shape, thing);
  }

  #create(shape: Shape, projectId: string | null, parentId: string | null, wish: JsonObject): Response {
    const read = this.#understood(shape, projectId, { parentId, self: null }, wish);
    if ('status' in read) return this.#reply(read.status, { message: read.message });
    const thing = this.#add(shape, projectId, parentId, read.attributes);
    return this.#committed('create', shape, thing);
  }

  #add(shape: Shape, projectId: string | null, parentId: string | null, attributes: JsonObject): Thing {
    const { kind } = shape.place;
    const id = `${shape.prefix}-${String(++this.#made).padStart(6, '0')}`;
    const thing = { kind, id, projectId, parentId, createdAtMs: this.#clock.nowMs(), attributes };
    this.#things.set(id, thing);
    return thing;
  }

  #update(shape: Shape, thing: Thing, wish: JsonObject): Response {
    for (const [path, { change }] of Object.entries(shape.attributes))
      if (change !== 'update' && path in wish) return this.#reply(422, { message: `${path} cannot be changed` });
    const read = this.#understood(shape, thing.projectId, { parentId: thing.parentId, self: thing }, wish);
    if ('status' in read) return this.#reply(read.status, { message: read.message });
    thing.attributes = { ...thing.attributes, ...read.attributes };
    return this.#committed('update', shape, thing);
  }

  #delete(shape: Shape, thing: Thing): Response {
    const within = this.things().filter(({ parentId }) => parentId === thing.id);
    if (within.length > 0) return this.#reply(409, { message: `${thing.id} is not empty` });
    const users = this.things().filter(({ attributes }) => Object.values(attributes).includes(thing.id));
    if (users.length > 0) return this.#reply(409, { message: `${users[0]?.id} refers to ${thing.id}` });
    this.#things.delete(thing.id);
    return this.#committed('delete', shape, thing);
  }

  #committed(verb: Entry['verb'], shape: Shape, thing: Thing): Response {
    const { kind, id, projectId } = thing;
    this.ledger.push({ verb, kind, id, name: String(thing.attributes['name']) });
    if (projectId === null) return this.#reply(200, { member: this.#shown(shape, thing) });
    const createdAtMs = this.#clock.nowMs();
    this.#operations.push({
      id: `op-${this.#operations.length + 1}`,
      projectId,
      action: `${verb}_${kind}`,
      createdAtMs,
    });
    const operations = this.#logOf(projectId).slice(0, 1);
    return this.#reply(200, { member: this.#shown(shape, thing), operations });
  }

  /** The attributes with references held by id; or why they are refused. */
  #understood(
    shape: Shape,
    projectId: string | null,
    { parentId, self }: { readonly parentId: string | null; readonly self: Thing | null },
    wish: JsonObject,
  ): { readonly attributes: JsonObject } | Refusal {
    const { kind } = shape.place;
    const siblings = this.things(kind).filter((one) => one.projectId === projectId && one.parentId === parentId);
    const { name } = wish;
    if (self === null && typeof name !== 'string') return { status: 422, message: 'a name is missing' };
    if (siblings.some((one) => one !== self && one.attributes['name'] === name))
      return { status: 409, message: `the name ${String(name)} is taken` };
    const held: Record<string, JsonObject[string]> = { ...wish };
    for (const [path, { field, among }] of Object.entries(referencesOf(shape))) {
      const to = wish[path];
      if (to === undefined || to === null) continue;
      const candidates =
        among === 'siblings' ? siblings : this.things(kind).filter((one) => one.projectId === projectId);
      const found = candidates.find((one) => (field === 'id' ? one.id : one.attributes[field]) === to);
      if (found === undefined) return { status: 422, message: `${path}: there is no ${kind} ${JSON.stringify(to)}` };
      held[path] = found.id;
    }
    return { attributes: held };
  }
}

/** True for a kind that no project holds, at any depth. */
function isOfAccount(kind: string): boolean {
  const { parent } = shapeOf(kind).place;
  return parent === null || (parent !== PROJECT && isOfAccount(parent));
}

function shapeOf(kind: string): Shape {
  const found = SHAPES.find(({ place }) => place.kind === kind);
  if (found === undefined) throw new Error(`no kind is named ${kind}`);
  return found;
}
