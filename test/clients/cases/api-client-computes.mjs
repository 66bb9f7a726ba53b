// @neondatabase/api-client on computes and their operations.
import { strict as assert } from 'node:assert';
import { assertStatus, pages, project } from './api-client-parts.mjs';

const { id: PROJECT, main: MAIN, staging: STAGING, primary: PRIMARY } = project;
const made = {};

export const computeCases = [
  {
    command: 'createProjectEndpoint(PROJECT, { endpoint: { type: read_only, … } })',
    shows: 'a replica that becomes active, in the size asked for',
    run: async ({ client, api }) => {
      const endpoint = {
        branch_id: STAGING,
        type: 'read_only',
        autoscaling_limit_min_cu: 0.5,
        autoscaling_limit_max_cu: 2,
        suspend_timeout_seconds: 600,
      };
      const { status, data } = await client.createProjectEndpoint(PROJECT, { endpoint });
      assert.equal(status, 201);
      assert.equal(data.endpoint.pending_state, 'active');
      assert.deepEqual(actions(data), ['start_compute']);
      made.replica = data.endpoint.id;
      await api.settled(PROJECT);
      const live = await api.compute(PROJECT, made.replica);
      assert.equal(live.current_state, 'active');
      for (const [name, value] of Object.entries(endpoint)) assert.equal(live[name], value, name);
    },
  },
  {
    command: 'createProjectEndpoint(PROJECT, { endpoint: { branch_id: MAIN, type: read_write } })',
    shows: '409: a branch has one primary; nothing was made',
    run: async ({ client, api }) => {
      const endpoint = { branch_id: MAIN, type: 'read_write' };
      await assertStatus(client.createProjectEndpoint(PROJECT, { endpoint }), 409);
      assert.equal((await api.computes(PROJECT)).length, 2);
    },
  },
  {
    command: 'listProjectEndpoints(PROJECT)',
    shows: 'all computes of the project',
    run: async ({ client }) => {
      const { endpoints } = (await client.listProjectEndpoints(PROJECT)).data;
      assert.deepEqual(new Set(endpoints.map(({ id }) => id)), new Set([PRIMARY, made.replica]));
    },
  },
  {
    command: 'listProjectBranchEndpoints(PROJECT, STAGING)',
    shows: 'the computes of one branch',
    run: async ({ client }) => {
      const { endpoints } = (await client.listProjectBranchEndpoints(PROJECT, STAGING)).data;
      assert.deepEqual(
        endpoints.map(({ id }) => id),
        [made.replica],
      );
    },
  },
  {
    command: 'getProjectEndpoint(PROJECT, PRIMARY)',
    shows: 'one compute',
    run: async ({ client }) => {
      const { endpoint } = (await client.getProjectEndpoint(PROJECT, PRIMARY)).data;
      assert.equal(endpoint.branch_id, MAIN);
      assert.equal(endpoint.type, 'read_write');
    },
  },
  {
    command: 'updateProjectEndpoint(PROJECT, REPLICA, { endpoint: { suspend_timeout_seconds: 120 } })',
    shows: 'only what is sent changes, and nothing restarts',
    run: async ({ client, api }) => {
      const before = await api.compute(PROJECT, made.replica);
      const endpoint = { suspend_timeout_seconds: 120 };
      await client.updateProjectEndpoint(PROJECT, made.replica, { endpoint });
      await api.settled(PROJECT);
      const after = await api.compute(PROJECT, made.replica);
      assert.equal(after.suspend_timeout_seconds, 120);
      assert.equal(after.autoscaling_limit_max_cu, 2);
      assert.equal(after.started_at, before.started_at);
    },
  },
  {
    command: 'updateProjectEndpoint(PROJECT, REPLICA, { endpoint: { autoscaling_limit_max_cu: 4 } })',
    shows: 'a resize; meanwhile a second change gets 423',
    run: async ({ client, api }) => {
      const endpoint = { autoscaling_limit_max_cu: 4 };
      const { data } = await client.updateProjectEndpoint(PROJECT, made.replica, { endpoint });
      assert.ok(data.operations.length > 0);
      await assertStatus(client.updateProjectEndpoint(PROJECT, made.replica, { endpoint }), 423);
      await api.settled(PROJECT);
      assert.equal((await api.compute(PROJECT, made.replica)).autoscaling_limit_max_cu, 4);
    },
  },
  {
    command: 'startProjectEndpoint(PROJECT, PRIMARY)',
    shows: 'a POST without a body, sent as a form; idle becomes active',
    run: async ({ client, api }) => {
      const { data } = await client.startProjectEndpoint(PROJECT, PRIMARY);
      assert.deepEqual(actions(data), ['start_compute']);
      await api.settled(PROJECT);
      assert.equal((await api.compute(PROJECT, PRIMARY)).current_state, 'active');
    },
  },
  {
    command: 'restartProjectEndpoint(PROJECT, PRIMARY)',
    shows: 'suspend_compute and start_compute; the compute has started anew',
    run: async ({ client, api }) => {
      const before = await api.compute(PROJECT, PRIMARY);
      const { data } = await client.restartProjectEndpoint(PROJECT, PRIMARY);
      assert.deepEqual(actions(data), ['suspend_compute', 'start_compute']);
      await api.settled(PROJECT);
      assert.ok((await api.compute(PROJECT, PRIMARY)).started_at > before.started_at);
    },
  },
  {
    command: 'suspendProjectEndpoint(PROJECT, PRIMARY)',
    shows: 'active becomes idle',
    run: async ({ client, api }) => {
      const { data } = await client.suspendProjectEndpoint(PROJECT, PRIMARY);
      assert.deepEqual(actions(data), ['suspend_compute']);
      made.operation = data.operations[0].id;
      await api.settled(PROJECT);
      assert.equal((await api.compute(PROJECT, PRIMARY)).current_state, 'idle');
    },
  },
  {
    command: 'getProjectOperation(PROJECT, OPERATION)',
    shows: 'one operation, finished',
    run: async ({ client }) => {
      const { operation } = (await client.getProjectOperation(PROJECT, made.operation)).data;
      assert.equal(operation.status, 'finished');
      assert.equal(operation.endpoint_id, PRIMARY);
    },
  },
  {
    command: 'listProjectOperations({ projectId: PROJECT, limit: 3, cursor })',
    shows: 'newest first, in pages without gap or overlap',
    run: async ({ client, api }) => {
      const page = (cursor) => client.listProjectOperations({ projectId: PROJECT, limit: 3, cursor });
      const listed = await pages(page, 'operations', 3);
      assert.deepEqual(
        listed.map(({ id }) => id),
        (await api.operations(PROJECT)).map(({ id }) => id),
      );
      assert.equal(listed[0].id, made.operation);
    },
  },
  {
    command: 'deleteProjectEndpoint(PROJECT, REPLICA)',
    shows: 'gone for good; a second delete finds nothing',
    run: async ({ client, api }) => {
      const { data } = await client.deleteProjectEndpoint(PROJECT, made.replica);
      assert.equal(data.endpoint.id, made.replica);
      await api.settled(PROJECT);
      assert.equal(await api.statusOfCompute(PROJECT, made.replica), 404);
      assert.equal((await client.deleteProjectEndpoint(PROJECT, made.replica)).status, 204);
    },
  },
];

const actions = ({ operations }) => operations.map(({ action }) => action);
