// What is planned together: which projects a file means, which were read, and that the order of the inputs says nothing.
import { describe, expect, it } from 'vitest';
import type { DesiredProject, DesiredState } from '../../../src/model/desired.ts';
import type { LiveProject, LiveResource, LiveState, OperationRecord } from '../../../src/model/live.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { living } from './support/whole-shop.ts';
import { inputOf, NOW_MS, planOf } from './support/world.ts';
import { WHOLE_WORLDS } from './support/whole-worlds.ts';

const FILE = 'shop: { computes: { a: { branch: br-1 } } }';
const PRIMARY = { branch_id: 'br-1', type: 'read_write' };

function compute(projectId: string, id: string, spec: LiveResource['spec'] = {}): LiveResource {
  return living('compute', id, { ...PRIMARY, ...spec }, { projectId });
}

interface Account {
  readonly projects: readonly (readonly [label: string, id: string])[];
  readonly resources?: readonly LiveResource[];
  readonly unread?: LiveState['unread'];
  /** The id that the file gives its project. */
  readonly id?: string;
  readonly input?: Partial<PlanInput>;
}

function inputFor({ projects, resources = [], unread = [], id, input = {} }: Account): PlanInput {
  const { desired, live, ...rest } = inputOf({ file: FILE });
  const withId = (project: DesiredProject): DesiredProject => ({ ...project, id: id ?? null });
  const all = projects.map(([label, projectId]): LiveProject => ({ label, id: projectId, name: label }));
  return {
    ...rest,
    desired: { ...desired, projects: desired.projects.map(withId) },
    live: { ...live, projects: all, resources, unread },
    ...input,
  };
}

describe('two projects of one name', () => {
  const projects = [
    ['shop', 'shop-2'],
    ['shop', 'shop-1'],
  ] as const;
  const resources = [compute('shop-1', 'ep-1'), compute('shop-2', 'ep-2', { branch_id: 'br-2' })];

  it.each([
    ['shop-1', ['none ep-1'], ['ep-2']],
    ['shop-2', ['create null'], ['ep-1', 'ep-2']],
  ])('are told apart by the id %s: the other is none of the file’s business', (id, changes, unmanaged) => {
    const plan = makePlan(inputFor({ projects, resources, id }));
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan.changes.map(({ action, resourceId }) => `${action} ${resourceId}`)).toEqual(changes);
    expect(plan.unmanaged.map((one) => one.id)).toEqual(unmanaged);
  });

  it('with one of them unread are neither guessed at', () => {
    const unread = [{ what: 'shop-2', projectId: 'shop-2', reason: 'HTTP 500' }];
    const plan = makePlan(inputFor({ projects, resources, unread, id: 'shop-2' }));
    expect(plan.changes).toEqual([]);
    expect(plan.unmanaged.map((one) => one.id)).toEqual(['ep-1']);
  });
});

it.each([
  ['by its label', { what: 'shop', projectId: null, reason: 'HTTP 500' }],
  ['by its id', { what: 'operations', projectId: 'shop-1', reason: 'HTTP 500' }],
])('what was not read is not planned for, named %s', (_name, unread) => {
  const plan = makePlan(inputFor({ projects: [['shop', 'shop-1']], resources: [], unread: [unread] }));
  expect([plan.changes, plan.diagnostics, plan.unread]).toEqual([[], [], [unread]]);
});

describe('diagnostics', () => {
  const file =
    'shop: { computes: { a: { id: ep-none, branch: br-1, type: read_write }, b: { id: ep-none, branch: br-2, type: read_write } } }';
  it.each<[string, Partial<PlanInput>, string[]]>([
    ['of everything', {}, ['shop/a', 'shop/b']],
    ['of what is selected', { target: ['shop/b'] }, ['shop/b']],
    ['not of what is excluded', { exclude: ['shop/b'] }, ['shop/a']],
  ])('are told %s', (_name, input, addresses) => {
    const { diagnostics } = planOf({ file, live: 'shop: {}', input });
    expect(diagnostics.map(({ address }) => address)).toEqual(addresses);
  });

  it('of a whole project are told whatever of it is selected', () => {
    const plan = planOf({
      file: 'shop: { prune: true }\nblog: { computes: { a: { branch: br-1 } } }',
      live: 'shop: { ep-1: { branch: br-1 } }\nblog: { ep-a: { branch: br-1 } }',
      input: { target: ['blog/*'] },
    });
    expect(plan.diagnostics.map(({ code, address }) => [code, address])).toEqual([['prune_of_everything', 'shop/*']]);
  });
});

const operation = (id: string, minutesAgo: number | null, status = 'finished'): OperationRecord => ({
  id,
  action: 'apply_config',
  status,
  projectId: 'shop-1',
  branchId: null,
  resourceId: 'ep-1',
  failuresCount: 0,
  error: null,
  retryAtMs: null,
  createdAtMs: minutesAgo === null ? null : NOW_MS - minutesAgo * 60_000,
  updatedAtMs: null,
});

it.each<[string, OperationRecord[], string]>([
  ['by its time', [operation('op-1', 9), operation('op-2', 5), operation('op-3', 7)], 'op-2'],
  ['of one time the greatest id', [operation('op-1', 5), operation('op-3', 5), operation('op-2', 5)], 'op-3'],
  ['one without a time is older than all', [operation('op-9', null), operation('op-1', 5)], 'op-1'],
])('the newest operation is found in a log of any order: %s', (_name, operations, newest) => {
  const found = [operations, [...operations].reverse()].map((log) => {
    const input = inputFor({ projects: [['shop', 'shop-1']], resources: [compute('shop-1', 'ep-1')] });
    const histories = new Map([['shop-1', { operations: log, complete: true }]]);
    return makePlan({ ...input, live: { ...input.live, histories } }).changes[0]?.lastOperation?.id;
  });
  expect(found).toEqual([newest, newest]);
});

const turned = <T>(list: readonly T[]): T[] => [...list].reverse();
const turnedDesired = (desired: DesiredState): DesiredState => ({
  ...desired,
  projects: turned(desired.projects),
  resources: turned(desired.resources),
  safety: turned(desired.safety),
});
const turnedLive = (live: LiveState): LiveState => ({
  ...live,
  projects: turned(live.projects),
  resources: turned(live.resources),
  unread: turned(live.unread),
});

it.each(Object.entries(WHOLE_WORLDS))('the order of the inputs does not show in the plan: %s', (_name, world) => {
  const input = inputOf(world);
  const plan = makePlan(input);
  const other = makePlan({ ...input, desired: turnedDesired(input.desired), live: turnedLive(input.live) });
  const inAnyOrder = ({ limitsExceeded, ...rest }: typeof plan): object => ({
    ...rest,
    limitsExceeded: new Set(limitsExceeded.map((limit) => JSON.stringify(limit))),
  });
  expect(inAnyOrder(other)).toEqual(inAnyOrder(plan));
});
