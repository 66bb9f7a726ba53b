// A kind that nobody has yet is a table: a singleton with GET and PUT, and one whose list lies elsewhere, are planned without a change below kinds/.
import { describe, expect, it } from 'vitest';
import type { ShapeName } from '../../../src/api/index.ts';
import { objectOf, type Json, type JsonObject } from '../../../src/base/json.ts';
import { defined } from '../../../src/base/picked.ts';
import type { Reader } from '../../../src/client/types.ts';
import { defineKind, type Kind, type KindTable, flag, mapping, plain, text } from '../../../src/kinds/define.ts';
import { bodyOf } from '../../../src/kinds/shared/wire.ts';
import type { DesiredResource } from '../../../src/model/desired.ts';
import { PROJECT } from '../../../src/model/kind.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { at, bareInput, declaredAs } from '../plan/support/world.ts';

interface Item {
  readonly id?: string;
  readonly title?: string;
  readonly created_at?: string;
  readonly enabled?: boolean;
}

const SHAPE = 'Schedule' as ShapeName;
const COMMON = { parent: PROJECT, observed: ['created_at'] } as const;

/** Every project has one schedule, always: nothing makes or deletes it, and a PUT replaces all of it. */
const schedules: KindTable<Item> = {
  ...COMMON,
  kind: 'schedule',
  section: 'schedules',
  segment: 'schedules',
  collection: ({ projectId }) => `/projects/${projectId}/schedule`,
  wire: { list: SHAPE, items: null, reply: SHAPE, item: null, problemOf: () => null },
  idOf: (_, within) => `${within}/schedule`,
  attributes: {
    schedule: {
      ...mapping('members', { absent: null }),
      isWhole: true,
      read: ({ enabled, title }) => defined({ enabled, title }),
    },
    'schedule.enabled': flag({ default: false, absent: null }),
    'schedule.title': text({ absent: null }),
  },
  poolWords: () => 'the schedule',
  verdict: ({ live }) => (live === null ? { blockedBy: ['refused'], notes: ['it comes with the project'] } : {}),
};
const schedule: Kind = {
  ...defineKind(schedules),
  requests: {
    update: ({ projectId, attributes, live }) => ({
      method: 'PUT',
      path: `/projects/${projectId}/schedule`,
      body: objectOf(bodyOf(schedules.attributes, attributes, live?.spec)['schedule']),
    }),
  },
};

/** Snapshots are made below a project, and listed below the account. */
const table: KindTable<Item> = {
  ...COMMON,
  kind: 'snapshot',
  section: 'snapshots',
  segment: 'snapshots',
  key: 'name',
  collection: ({ projectId }) => `/projects/${projectId}/snapshots`,
  wire: {
    list: 'Snapshots' as ShapeName,
    listAt: ({ projectId }) => `/snapshots?project=${projectId}`,
    items: 'snapshots',
    reply: 'Snapshot' as ShapeName,
    item: 'snapshot',
    problemOf: () => null,
  },
  idOf: ({ id = '' }) => id,
  attributes: {
    name: { ...plain({ tells: true, isIdentity: true, formerly: 'renamed_from' }), wire: 'title' },
    note: text({ absent: null }),
  },
  poolWords: ({ name }) => `the snapshot ${String(name)}`,
};
const snapshot = defineKind(table);

const SHOP = { label: 'shop', name: 'shop', id: 'p-1' } as const;

function declared(kind: Kind, name: string, value: JsonObject): DesiredResource {
  const { spec, options, movedFrom = null } = kind.meaning({ name, value, project: null, projects: [], parent: null });
  const address = `shop/${kind.section}/${name}`;
  const absent = value['state'] === 'absent';
  return declaredAs({ kind: kind.kind, address, scope: 'shop', name, absent, movedFrom, spec, options });
}

function planOf(kind: Kind, desired: DesiredResource, live: readonly LiveResource[]): Plan {
  const project = { ...SHOP, labels: {}, prune: false, unmanagedOk: [], source: at(1) };
  const wished = { projects: [project], resources: [desired] };
  return makePlan(bareInput({ desired: wished, live: { projects: [SHOP], resources: live }, kinds: [kind] }));
}

async function listed(
  kind: Kind,
  body: Json,
): Promise<{ readonly live: readonly LiveResource[]; readonly path: string }> {
  const paths: string[] = [];
  const reader: Reader = {
    async get<T>(path: string): Promise<T> {
      paths.push(path);
      return Promise.resolve(body as T);
    },
  };
  const live = await kind.list(reader, { projectId: 'p-1' }, new AbortController().signal);
  return { live, path: paths.join() };
}

describe('a singleton with GET and PUT', () => {
  const nightly = (members: JsonObject): DesiredResource => declared(schedule, 'nightly', { schedule: members });

  it('is read as the one resource of its project, and changed by a PUT of all members', async () => {
    const { live, path } = await listed(schedule, { title: 'at night' });
    expect(path).toBe('/projects/p-1/schedule');
    const { steps } = planOf(schedule, nightly({ enabled: true }), live);
    const body = { enabled: true, title: 'at night' };
    expect(steps).toMatchObject([{ method: 'PUT', path: '/projects/p-1/schedule', body }]);
  });

  it('is unchanged where the service shows what is declared, or nothing for the default', async () => {
    const on = await listed(schedule, { enabled: true });
    expect(planOf(schedule, nightly({ enabled: true }), on.live).steps).toEqual([]);
    const silent = await listed(schedule, {});
    expect(planOf(schedule, nightly({ enabled: false }), silent.live).steps).toEqual([]);
  });

  it('is never created', () => {
    const { steps, changes } = planOf(schedule, nightly({ enabled: true }), []);
    expect([steps, changes[0]?.blockedBy]).toEqual([[], ['refused']]);
  });
});

describe('a kind whose list is elsewhere', () => {
  it('is listed at its own route, and made at the other', async () => {
    const { live, path } = await listed(snapshot, { snapshots: [{ id: 's-1', title: 'old' }] });
    expect(path).toBe('/snapshots?project=p-1');
    expect(live).toMatchObject([{ id: 's-1', projectId: 'p-1', spec: { name: 'old' } }]);
    const { steps } = planOf(snapshot, declared(snapshot, 'new', { note: 'before' }), live);
    expect(steps).toMatchObject([
      { method: 'POST', path: '/projects/p-1/snapshots', body: { snapshot: { title: 'new', note: 'before' } } },
    ]);
  });

  it('is renamed, deleted and written as its rows say', async () => {
    const { live } = await listed(snapshot, { snapshots: [{ id: 's-1', title: 'old', note: 'kept' }] });
    const renamed = planOf(snapshot, declared(snapshot, 'new', { renamed_from: 'old' }), live);
    expect(renamed.steps).toMatchObject([
      { method: 'PATCH', path: '/projects/p-1/snapshots/s-1', body: { snapshot: { title: 'new' } } },
    ]);
    const gone = planOf(snapshot, declared(snapshot, 'old', { state: 'absent' }), live);
    expect(gone.steps).toMatchObject([{ method: 'DELETE', path: '/projects/p-1/snapshots/s-1' }]);
    expect(snapshot.written(live, { around: live, labels: new Map() })).toMatchObject([
      { id: 's-1', name: 'old', attributes: { note: 'kept' } },
    ]);
  });
});
