// The contract of the API reference: operations, projects and refusals.
import { expect } from 'vitest';
import { problemsOf } from './published.ts';
import { patch, post, stateOf, type Cases } from './contract-case.ts';
import { DEV, ENDPOINTS, MAIN, ONE, PRIMARY, SHOP, STAGING, actionsOf } from './world.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const operationCases: Cases = {
  'operations come newest first, in pages that neither overlap nor leave a gap': async (world) => {
    for (let count = 0; count < 12; count++) {
      world.plane.truth.connect(PRIMARY);
      await world.pass(2000);
      await world.send('POST', `${ONE}/suspend`);
      await world.pass(2000);
    }
    const truth = world.plane.truth.operations({ projectId: 'spring-example-302709' }).map((item) => item.id);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const path = `${SHOP}/operations?limit=4${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = (await world.send('GET', path)).body;
      if (page.operations.length === 0) break;
      expect(page.operations.length).toBeLessThanOrEqual(4);
      seen.push(...page.operations.map((item) => item.id));
      if (page.pagination === undefined) break;
      cursor = page.pagination.cursor;
      expect(cursor).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
    }
    expect(seen).toEqual(truth);
    expect(seen.length).toBeGreaterThan(24);
  },
  'every operation has every field of the API reference': async (world) => {
    await patch(world, PRIMARY, { branch_id: STAGING });
    const list = await world.send('GET', `${SHOP}/operations`);
    expect(problemsOf('ServedOperationList', list.body)).toBeUndefined();
    for (const { id, action } of list.body.operations) {
      expect([id, action]).toEqual([expect.stringMatching(UUID), expect.stringMatching(/^[a-z]+(_[a-z]+)+$/)]);
      const one = await world.send('GET', `${SHOP}/operations/${id}`);
      expect(problemsOf('ServedOperationReply', one.body)).toBeUndefined();
    }
    const about = { project_id: 'spring-example-302709', branch_id: STAGING, endpoint_id: PRIMARY };
    expect(list.body.operations.slice(0, 2)).toMatchObject([about, about]);
  },
  'a change of a resource starts operations, and its reply lists them': async (world) => {
    const started = async (method: string, path: string, body?: object): Promise<readonly unknown[]> => {
      const before = world.plane.truth.operations().length;
      const answer = await world.send(method, path, body);
      const listed = answer.body.operations.map((operation) => operation.id);
      const fresh = world.plane.truth.operations({ limit: world.plane.truth.operations().length - before });
      expect(new Set(listed)).toEqual(new Set(fresh.map((operation) => operation.id)));
      await world.pass(4000);
      return listed;
    };
    const create = { endpoint: { branch_id: STAGING, type: 'read_write' } };
    expect(await started('POST', ENDPOINTS, create)).toHaveLength(1);
    expect(await started('PATCH', ONE, { endpoint: { branch_id: DEV } })).toHaveLength(2);
    expect(await started('POST', `${SHOP}/branches`, { branch: { name: 'more' } })).not.toHaveLength(0);
    expect(await started('POST', `${SHOP}/branches/${DEV}/roles`, { role: { name: 'app' } })).toHaveLength(2);
  },
  'an operation is scheduling or running when it is created, and finished after its time': async (world) => {
    const moved = await patch(world, PRIMARY, { branch_id: STAGING });
    const [apply, suspend] = moved.body.operations;
    const look = async (id: unknown): Promise<object> =>
      (await world.send('GET', `${SHOP}/operations/${String(id)}`)).body.operation;
    expect(await look(apply?.['id'])).toMatchObject({ status: 'running', failures_count: 0 });
    expect(await look(suspend?.['id'])).toMatchObject({ status: 'scheduling' });
    await world.pass(1000);
    expect(await look(apply?.['id'])).toMatchObject({ status: 'finished', total_duration_ms: 1000 });
    expect(await look(suspend?.['id'])).toMatchObject({ status: 'running' });
    await world.pass(1000);
    expect(await look(suspend?.['id'])).toMatchObject({ status: 'finished' });
  },
  'an operation that concerns no compute has no endpoint_id': async (world) => {
    const made = await world.send('POST', `${SHOP}/branches`, { branch: { name: 'feature' } });
    expect(made.status).toBe(201);
    expect(actionsOf(made)[0]).toBe('create_branch running');
    expect(made.body.operations[0]).not.toHaveProperty('endpoint_id');
    expect(made.body.branch).toMatchObject({ current_state: 'init', parent_id: MAIN });
    await world.pass(1000);
    const branch = await world.send('GET', `${SHOP}/branches/${made.body.branch.id}`);
    expect(branch.body.branch.current_state).toBe('ready');
  },
  'a failed operation says so, with failures_count': async (world) => {
    const fault = { on: 'operation' as const, kind: 'fail' as const };
    world.plane.setFaults({ rules: [{ when: { action: 'start_compute' }, fault }] });
    const made = await post(world, { branch_id: STAGING });
    await world.pass(1000);
    const { operation } = (await world.send('GET', `${SHOP}/operations/${made.body.operations[0]?.id}`)).body;
    expect(operation).toMatchObject({ status: 'failed', failures_count: 1 });
    expect(await stateOf(world, made.body.endpoint.id)).toBe('idle');
  },
  'projects are listed with every field of the API reference': async (world) => {
    const answer = await world.send('GET', '/projects');
    expect(problemsOf('ServedProjectList', answer.body)).toBeUndefined();
    expect(answer.body.projects.map((project) => project['name'])).toEqual(['shop', 'lab']);
    expect(answer.body.projects[0]?.locked).toBe(false);
    await patch(world, PRIMARY, { branch_id: DEV });
    expect((await world.send('GET', '/projects')).body.projects[0]?.locked).toBe(true);
  },
  'the default branch of a new project gets a primary': async (world) => {
    const made = await world.send('POST', '/projects', { project: { name: 'fresh' } });
    expect(made.status).toBe(201);
    expect(actionsOf(made)).toEqual(['create_timeline running', 'start_compute scheduling']);
    expect(made.body.branch.default).toBe(true);
    expect(made.body.endpoints).toHaveLength(1);
    expect(made.body.endpoints[0]).toMatchObject({ type: 'read_write', branch_id: made.body.branch.id });
    await world.pass(2000);
    expect(world.plane.truth.compute(made.body.endpoints[0]?.id ?? '')?.currentState).toBe('active');
  },
};
