// Reading the live account: the exact requests, names resolved, and what could not be read.
import { describe, expect, it } from 'vitest';
import type { Below } from '../../../src/model/kind.ts';
import { readLive, type ReadLiveResult } from '../../../src/apply/read/read-live.ts';
import type { ReadLiveInput } from '../../../src/apply/read/read-scopes.ts';
import type { FaultRule } from '../../../src/control-plane/faults/plan.ts';
import { ApiFailure } from '../../../src/client/failure.ts';
import type { Reader } from '../../../src/client/types.ts';
import { apiKey } from '../../../src/kinds/index.ts';
import type { DesiredProject, DesiredResource, DesiredState } from '../../../src/model/desired.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import { at, declaredAs } from '../../unit/plan/support/world.ts';
import { COMPUTE, createRig, SHOP, type Rig } from './harness.ts';
import { always, refuses } from '../../support/faults.ts';

const HERE = at(3);
const LAB = 'autumn-lab-418822';

function project(label: string, id: string | null = null): DesiredProject {
  return { label, name: label, id, labels: {}, prune: false, unmanagedOk: [], source: HERE };
}

function resource(scope: string, name: string, kind = 'compute'): DesiredResource {
  return declaredAs({ kind, address: `${scope}/${name}`, scope, name, source: HERE });
}

interface Wish {
  readonly projects?: readonly DesiredProject[];
  readonly resources?: readonly DesiredResource[];
  readonly hasProject?: string;
  readonly accountPrune?: readonly string[];
}

function desired({ projects = [], resources = [], hasProject, accountPrune = [] }: Wish): DesiredState {
  const expectation = hasProject === undefined ? null : { baseUrl: null, hasProject, source: HERE };
  return { expect: expectation, projects, resources, accountPrune, safety: [] };
}

async function read(
  rig: Rig,
  wish: Wish,
  options: Partial<ReadLiveInput> & { readonly rules?: FaultRule[] } = {},
): Promise<ReadLiveResult> {
  const { rules = [], ...rest } = options;
  rig.plane.setFaults({ rules });
  rig.wire.length = 0;
  return rig.clock.run(
    readLive({
      desired: desired(wish),
      kinds: [COMPUTE, apiKey],
      reader: rig.client,
      clock: rig.clock,
      signal: new AbortController().signal,
      needHistory: () => null,
      ruled: () => [],
      untold: () => [],
      allow: [],
      once: false,
      known: null,
      livePlaces: () => new Map(),
      target: [],
      exclude: [],
      sinks: { look: async () => ({ state: 'absent', holds: null, reason: null }) },
      orphans: async () => [],
      ...rest,
    }),
  );
}

const UNREADABLE = new ApiFailure('GET was refused', { failureClass: 'refused', method: 'GET', path: '', status: 403 });
const LIVE: LiveResource = { kind: 'compute', id: 'ep-a', projectId: SHOP, spec: {}, observed: {}, createdAtMs: null };

const BOTH = [project('shop', SHOP), project('lab', LAB)];
const LISTS = [`GET /projects/${LAB}/endpoints`, `GET /projects/${SHOP}/endpoints`];

describe('requests', () => {
  const cases: readonly (readonly [string, Wish, Partial<ReadLiveInput>, readonly string[]])[] = [
    ['ids everywhere: one list a project', { projects: BOTH }, {}, LISTS],
    ['a name: the list once', { projects: [project('shop'), project('lab', LAB)] }, {}, ['GET /projects', ...LISTS]],
    ['a project expected that is listed anyway', { projects: BOTH, hasProject: SHOP }, {}, LISTS],
    [
      'a project expected that is not',
      { projects: [project('shop', SHOP)], hasProject: LAB },
      {},
      ['GET /projects', `GET /projects/${SHOP}/endpoints`],
    ],
    [
      'account-wide kinds that are pruned, once where the file lists none: nothing is removed then',
      { accountPrune: ['api_key'] },
      {},
      ['GET /api_keys'],
    ],
    ['nothing written: nothing read', {}, {}, []],
    [
      'only what a target touches',
      { projects: BOTH, resources: [resource('shop', 'a'), resource('lab', 'a')] },
      { target: ['shop/*'] },
      [`GET /projects/${SHOP}/endpoints`],
    ],
    [
      'names are resolved only for what is touched',
      { projects: [project('shop'), project('lab', LAB)], resources: [resource('lab', 'a')] },
      { target: ['lab/a'] },
      [`GET /projects/${LAB}/endpoints`],
    ],
    ['not what an exclusion covers', { projects: BOTH }, { exclude: ['lab/*'] }, [`GET /projects/${SHOP}/endpoints`]],
    [
      'logs only where they are needed',
      { projects: BOTH },
      { needHistory: ({ id }) => (id === SHOP ? () => true : null) },
      [...LISTS, `GET /projects/${SHOP}/operations`],
    ],
  ];
  it.each(cases)('%s', async (_, wish, options, expected) => {
    const rig = createRig();
    const { diagnostics } = await read(rig, wish, options);
    expect([...rig.wire].sort()).toEqual([...expected].sort());
    expect(diagnostics).toEqual([]);
  });

  it('never more than 32 at once', async () => {
    const rig = createRig();
    let open = 0;
    let most = 0;
    const projects = Array.from({ length: 50 }, (_, at) => project(`p${at}`, `p-${at}`));
    const slow = {
      ...COMPUTE,
      list: async () => {
        most = Math.max(most, ++open);
        await rig.clock.sleep(10);
        open--;
        return [];
      },
    };
    await read(rig, { projects }, { kinds: [slow] });
    expect(most).toBe(32);
  });

  it.each([
    ['nothing is live', async () => [], 0],
    ['a list cannot be read', async () => Promise.reject(UNREADABLE), 0],
    ['something is live', async (_: Reader, { projectId: id }: Below) => [{ ...LIVE, projectId: id }], 8],
  ])('where %s, only what is asked about it is read of logs', async (_, list, logs) => {
    const rig = createRig();
    const projects = Array.from({ length: 40 }, (__, at) => project(`p${at}`, `p-${at}`));
    const needHistory: ReadLiveInput['needHistory'] = ({ id }) => (Number(id.slice(2)) < 8 ? () => true : null);
    await read(rig, { projects }, { kinds: [{ ...COMPUTE, list }], needHistory });
    expect(rig.wire.filter((request) => request.endsWith('/operations'))).toHaveLength(logs);
  });
});

/** Lists one project a page, whatever the limit. */
function oneAPage({ client }: Rig): Reader {
  return {
    get: (path, shape, options) =>
      client.get(path, shape, path === '/projects' ? { ...options, query: { ...options?.query, limit: 1 } } : options),
  };
}

describe('names', () => {
  it('are found, and the label stays the file’s', async () => {
    const { live } = await read(createRig(), { projects: [project('shop')] });
    expect(live.projects).toEqual([{ label: 'shop', id: SHOP, name: 'shop' }]);
    expect(live.resources.map(({ projectId }) => projectId)).toEqual([SHOP]);
  });

  it('are looked for on the pages that follow where the service gives smaller ones than asked for', async () => {
    const rig = createRig();
    const wish = { projects: [project('lab'), project('shop')] };
    const { live, diagnostics } = await read(rig, wish, { reader: oneAPage(rig) });
    expect(diagnostics).toEqual([]);
    expect(live.projects.map(({ label }) => label)).toEqual(['lab', 'shop']);
  });

  it('that nobody has are errors, each at its line, with a near miss', async () => {
    const there = at(9);
    const wish = { projects: [project('shpo'), { ...project('depot'), source: there }] };
    const { diagnostics } = await read(createRig(), wish);
    expect(diagnostics).toMatchObject([
      { code: 'unknown_project', hint: 'Did you mean "shop"?', range: HERE },
      { code: 'unknown_project', message: 'the account has no project named "depot"', range: there },
    ]);
  });
});

/** Three projects of which the service shows `size` a page: "shop" first and last. */
function inSmallPages(size: number): { readonly rig: Rig; readonly rules: FaultRule[] } {
  const projects = ['a-1', 'b-2', 'c-3'].map((id) => ({ id, name: id === 'b-2' ? 'lab' : 'shop' }));
  const rules: FaultRule[] = [always({ path: '/projects' }, { kind: 'capped', size })];
  return { rig: createRig({ seed: { projects } }), rules };
}

describe('a name is used only when all pages prove that nobody else has it', () => {
  it.each([1, 2])('two of one name on pages of %i are told with their ids', async (size) => {
    const { rig, rules } = inSmallPages(size);
    const { diagnostics } = await read(rig, { projects: [project('shop'), project('lab')] }, { rules });
    const message = '2 projects are named "shop": a-1 and c-3';
    const hint = expect.stringContaining('If two runs created the project at the same time') as string;
    expect(diagnostics).toMatchObject([{ code: 'ambiguous_project', message, hint, range: HERE }]);
  });

  it('a page that comes again leaves what has no id unread', async () => {
    const { rig, rules } = inSmallPages(2);
    const first = rig.client.get.bind(rig.client);
    const stuck: Reader = {
      get: async (path, shape, options) =>
        first(
          path,
          shape,
          path === '/projects' ? { ...options, query: { limit: options?.query?.['limit'] ?? 9 } } : options,
        ),
    };
    const wish = { projects: [project('shop'), project('depot'), project('lab', 'b-2')] };
    const { live, diagnostics } = await read(rig, wish, { rules, reader: stuck });
    expect(diagnostics).toEqual([]);
    expect(live.unread.map(({ what }) => what)).toEqual(['depot', 'shop']);
    expect(live.unread[0]?.reason).toContain('could not be read to its end');
    expect(live.projects.map(({ id }) => id)).toEqual(['b-2']);
  });

  it('nor when another may be among those that the service left out', async () => {
    const rig = createRig();
    const body = JSON.stringify({ projects: [{ id: SHOP, name: 'shop' }], unavailable_project_ids: ['gone-000001'] });
    const rules: FaultRule[] = [refuses({ path: '/projects' }, 200, body)];
    const { live } = await read(rig, { projects: [project('shop'), project('lab', LAB)] }, { rules });
    expect(live.unread).toMatchObject([{ what: 'shop', projectId: null }]);
    expect(live.projects.map(({ id }) => id)).toEqual([LAB]);
  });
});

describe('an expectation', () => {
  it('that is not met is an error at its line', async () => {
    const { diagnostics } = await read(createRig(), { projects: BOTH, hasProject: 'another-account-000000' });
    expect(diagnostics).toMatchObject([{ code: 'expectation_failed', range: HERE }]);
  });
});

describe('what cannot be read', () => {
  const rule = (status: number, path: string): FaultRule[] => [refuses({ path }, status)];

  it.each([404, 403, 500])('a list that answers %i leaves its project unread, and the others read', async (status) => {
    const { live } = await read(createRig(), { projects: BOTH }, { rules: rule(status, `/projects/${LAB}/endpoints`) });
    expect(live.unread).toMatchObject([{ what: 'lab', projectId: LAB }]);
    expect(live.resources.map(({ projectId }) => projectId)).toEqual([SHOP]);
  });

  const spoilt: readonly (readonly [string, FaultRule['fault'], string])[] = [
    ['shows a compute of another project', { kind: 'list', how: 'foreign' }, 'of another project'],
    ['does not say whose a compute is', { kind: 'rewrite', at: 'endpoints.*.project_id' }, 'without its project'],
    ['says two things of one compute', { kind: 'list', how: 'contradicting' }, 'twice, with different values'],
    ['has a member twice', { kind: 'garble', how: 'duplicate-list' }, 'the same key twice'],
    ['is a part', { kind: 'reply', commit: true, status: 206 }, 'is not complete'],
    ['is promised', { kind: 'reply', commit: true, status: 202 }, 'is not complete'],
  ];
  it.each(spoilt)('a list that %s leaves its project unread', async (_, fault, reason) => {
    const rules: FaultRule[] = [always({ path: `/projects/${SHOP}/endpoints` }, fault)];
    const { live } = await read(createRig(), { projects: BOTH }, { rules });
    expect(live.unread).toMatchObject([{ what: 'shop', projectId: SHOP }]);
    expect(live.unread[0]?.reason).toContain(reason);
    expect(live.resources.map(({ projectId }) => projectId)).toEqual([LAB]);
  });

  it('a list that shows each compute twice, and the same, is read', async () => {
    const rules: FaultRule[] = [always({ path: `/projects/${SHOP}/endpoints` }, { kind: 'list', how: 'doubled' })];
    const { live } = await read(createRig(), { projects: BOTH }, { rules });
    expect(live.unread).toEqual([]);
    expect(live.resources).toHaveLength(2);
  });

  it.each(['EP-UPPER', 'ep-a/../b'])('a list with the compute %j leaves its project unread', async (id) => {
    // Left out, its branch would look empty, and what the file declares there would be made anew.
    const body = JSON.stringify({ endpoints: [{ id, branch_id: 'br-a', type: 'read_write' }] });
    const rules: FaultRule[] = [refuses({ path: `/projects/${LAB}/endpoints` }, 200, body)];
    const { live } = await read(createRig(), { projects: BOTH }, { rules });
    expect(live.unread).toMatchObject([{ what: 'lab', projectId: LAB }]);
    expect(live.unread[0]?.reason).toContain('whose id is malformed');
    expect(live.resources.map(({ projectId }) => projectId)).toEqual([SHOP]);
  });

  it('a refused credential ends it', async () => {
    await expect(read(createRig(), { projects: BOTH }, { rules: rule(401, '/projects/**') })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('a signal ends it', async () => {
    const abort = AbortSignal.abort(new Error('enough'));
    await expect(read(createRig(), { projects: BOTH }, { signal: abort })).rejects.toThrow('enough');
  });
});
