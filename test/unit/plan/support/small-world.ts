// A world of computes that obeys the calls of a plan by their wire form alone, and knows the one rule that must never be broken.
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import type { LiveResource } from '../../../../src/model/live.ts';
import type { Step } from '../../../../src/model/outcome/plan.ts';

export interface SmallWorld {
  readonly resources: readonly LiveResource[];
  /** How many were made so far: ids are never used again. */
  readonly made: number;
}

export function smallWorld(resources: readonly LiveResource[]): SmallWorld {
  const numbers = resources.map(({ id }) => Number(/^ep-made-(\d+)$/.exec(id)?.[1] ?? 0));
  return { resources, made: Math.max(0, ...numbers) };
}

/** The world after one call; throws when a branch would have two primaries, or a call names what does not exist. */
export function carryOut(
  world: SmallWorld,
  { method, path, body }: Pick<Step, 'method' | 'path' | 'body'>,
): SmallWorld {
  const [, , , , id, action] = path.split('/');
  const endpoint = isJsonObject(body?.['endpoint']) ? body['endpoint'] : {};
  const after =
    method === 'POST' && id === undefined ? make(world, endpoint) : change(world, id ?? '', method, endpoint, action);
  refuseTwoPrimaries(after.resources);
  return after;
}

function make(world: SmallWorld, endpoint: JsonObject): SmallWorld {
  const made = world.made + 1;
  const resource: LiveResource = {
    kind: 'compute',
    id: `ep-made-${made}`,
    projectId: 'shop-1',
    spec: endpoint,
    observed: { current_state: 'active' },
    createdAtMs: 1000 + made,
  };
  return { resources: [...world.resources, resource], made };
}

function change(
  world: SmallWorld,
  id: string,
  method: string,
  endpoint: JsonObject,
  action: string | undefined,
): SmallWorld {
  const target = world.resources.find((resource) => resource.id === id);
  if (target === undefined) throw new Error(`${id} does not exist`);
  if (action === 'restart') return world;
  const rest = world.resources.filter((resource) => resource !== target);
  if (method === 'DELETE') return { ...world, resources: rest };
  // Attributes are replaced as a whole, settings too: what a plan forgets to send along is lost.
  return { ...world, resources: [...rest, { ...target, spec: { ...target.spec, ...endpoint } }] };
}

function refuseTwoPrimaries(resources: readonly LiveResource[]): void {
  const branches = resources.filter(({ spec }) => spec['type'] === 'read_write').map(({ spec }) => spec['branch_id']);
  const twice = branches.find((branch, index) => branches.indexOf(branch) !== index);
  if (twice !== undefined) throw new Error(`two primaries on ${String(twice)}`);
}

/** The steps in an order that their needs allow; `picks` decides among those that could go next. */
export function linearise(steps: readonly Step[], picks: readonly number[]): Step[] {
  const done = new Set<string>();
  const ordered: Step[] = [];
  while (ordered.length < steps.length) {
    const ready = steps.filter(({ id, needs }) => !done.has(id) && needs.every((need) => done.has(need)));
    const next = ready[(picks[ordered.length % Math.max(1, picks.length)] ?? 0) % Math.max(1, ready.length)];
    if (next === undefined) throw new Error('the needs form a ring');
    done.add(next.id);
    ordered.push(next);
  }
  return ordered;
}
