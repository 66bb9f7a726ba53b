// The contract of the API reference: computes: create, move, edit, delete.
import { expect } from 'vitest';
import { problemsOf } from './published.ts';
import { patch, post, switchesOf, type Cases } from './contract-case.ts';
import { ENDPOINTS, MAIN, ONE, PRIMARY, STAGING, actionsOf, createActive } from './world.ts';

export const computeCases: Cases = {
  'a new compute is init, pending active, started by a running start_compute': async (world) => {
    const answer = await post(world, { branch_id: STAGING });
    expect(answer.status).toBe(201);
    expect(problemsOf('ServedEndpointReply', answer.body)).toBeUndefined();
    const { endpoint } = answer.body;
    expect(endpoint).toMatchObject({ branch_id: STAGING, current_state: 'init', pending_state: 'active' });
    expect(endpoint).not.toHaveProperty('last_active');
    expect(endpoint.project_id).toBe('spring-example-302709');
    expect(actionsOf(answer)).toEqual(['start_compute running']);
    expect(answer.body.operations[0]).toMatchObject({ endpoint_id: endpoint.id, branch_id: STAGING });
    await world.pass(1000);
    const after = (await world.send('GET', `${ENDPOINTS}/${endpoint.id}`)).body.endpoint;
    expect(after).toMatchObject({ current_state: 'active' });
    expect(after).not.toHaveProperty('pending_state');
    expect(after.last_active).toBe('2026-01-01T00:00:01.000Z');
  },
  'a branch has one primary, and any number of replicas': async (world) => {
    const second = await post(world, { branch_id: MAIN });
    expect(second.status).toBe(switchesOf(world)['conflictStatus']);
    for (let count = 0; count < 3; count++) await createActive(world, MAIN, { type: 'read_only' });
    const onMain = world.plane.truth.computes().filter((compute) => compute.branchId === MAIN);
    expect(onMain.map(({ type }) => type)).toEqual(['read_write', 'read_only', 'read_only', 'read_only']);
    expect(world.plane.ledger().filter((entry) => entry.kind === 'compute')).toHaveLength(3);
  },
  'only the two compute types are accepted, on a branch of the project': async (world) => {
    for (const [endpoint, status] of [
      [{ branch_id: STAGING, type: 'read_sometimes' }, 400],
      [{ branch_id: 'br-not-there-000000' }, 404],
      [{ branch_id: 'br-misty-field-330021' }, 404],
      [{}, 400],
      [{ branch_id: STAGING, type: undefined }, 400],
    ] as const)
      expect([endpoint, (await post(world, endpoint)).status]).toEqual([endpoint, status]);
    expect(world.plane.ledger()).toHaveLength(1);
  },
  'a move of an idle compute keeps it idle and lists apply_config and suspend_compute': async (world) => {
    const answer = await patch(world, PRIMARY, { branch_id: STAGING });
    expect(answer.status).toBe(200);
    expect(answer.body.endpoint).toMatchObject({ branch_id: STAGING, current_state: 'idle', pending_state: 'idle' });
    expect(answer.body.endpoint.last_active).toMatch(/Z$/);
    expect(actionsOf(answer)).toEqual(['apply_config running', 'suspend_compute scheduling']);
    await world.pass(2000);
    const after = (await world.send('GET', ONE)).body.endpoint;
    expect(after).toMatchObject({ id: PRIMARY, branch_id: STAGING, current_state: 'idle' });
    expect(after).not.toHaveProperty('pending_state');
  },
  'a primary cannot be moved to a branch that has one; a replica can': async (world) => {
    const moved = await createActive(world, STAGING);
    const refused = await patch(world, moved, { branch_id: MAIN });
    expect(refused.status).toBe(switchesOf(world)['conflictStatus']);
    const replica = await createActive(world, STAGING, { type: 'read_only' });
    const answer = await patch(world, replica, { branch_id: MAIN });
    expect(answer.status).toBe(200);
    expect(answer.body.endpoint.branch_id).toBe(MAIN);
  },
  'edits take effect immediately, and only what is sent changes': async (world) => {
    const before = (await world.send('GET', ONE)).body.endpoint;
    const sent = { pooler_enabled: true, passwordless_access: false };
    const answer = await patch(world, PRIMARY, sent);
    expect(answer.body.endpoint).toMatchObject(sent);
    const after = (await world.send('GET', ONE)).body.endpoint;
    expect({ ...after, updated_at: '' }).toEqual({ ...before, ...sent, updated_at: '' });
  },
  'a delete is permanent, and tells of the compute that was': async (world) => {
    const answer = await world.send('DELETE', ONE);
    expect(answer.status).toBe(200);
    expect(answer.body.endpoint.id).toBe(PRIMARY);
    expect(answer.body.endpoint.last_active).toMatch(/Z$/);
    expect(answer.body.operations).toEqual([]);
    expect((await world.send('GET', ENDPOINTS)).body.endpoints).toEqual([]);
    expect((await world.send('GET', ONE)).status).toBe(404);
    expect((await world.send('DELETE', ONE)).status).toBe(switchesOf(world)['missingDelete']);
  },
  'the delete of an active compute suspends it, and leaves room for another primary': async (world) => {
    const id = await createActive(world, STAGING);
    const answer = await world.send('DELETE', `${ENDPOINTS}/${id}`);
    const expected = switchesOf(world)['deleteActive'] === 'suspend_compute' ? ['suspend_compute running'] : [];
    expect(actionsOf(answer)).toEqual(expected);
    await world.pass(2000);
    expect(await createActive(world, STAGING)).not.toBe(id);
  },
};
