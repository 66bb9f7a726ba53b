// The contract of the API reference: what restarts a compute and drops its connections.
import { expect } from 'vitest';
import { patch, switchesOf, isSmallPlan, stateOf, type Cases } from './contract-case.ts';
import { ENDPOINTS, ONE, PRIMARY, STAGING, actionsOf, createActive } from './world.ts';

export const restartCases: Cases = {
  'a restart drops connections and the compute serves again': async (world) => {
    const id = await createActive(world, STAGING);
    const connection = world.plane.truth.connect(id);
    const answer = await world.send('POST', `${ENDPOINTS}/${id}/restart`);
    expect([200, 204]).toContain(answer.status);
    await world.pass(3000);
    expect(connection.isOpen()).toBe(false);
    expect(world.plane.ledger().at(-1)).toMatchObject({ restarted: true, droppedConnections: true });
    world.plane.truth.connect(id);
    await world.pass(3000);
    expect(await stateOf(world, id)).toBe('active');
  },
  'an idle compute is restarted too, or refused without effect': async (world) => {
    const answer = await world.send('POST', `${ONE}/restart`);
    const setting = String(switchesOf(world)['restartIdle']);
    if (setting === 'succeeds') expect([200, 204]).toContain(answer.status);
    else expect(answer.status).toBe(Number(setting.slice(-3)));
    if (setting !== 'succeeds') expect(world.plane.ledger()).toHaveLength(1);
    await world.pass(3000);
    world.plane.truth.connect(PRIMARY);
    await world.pass(3000);
    expect(await stateOf(world, PRIMARY)).toBe('active');
  },
  'a size change restarts an active compute and drops its connections': async (world) => {
    const id = await createActive(world, STAGING, { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 0.25 });
    const connection = world.plane.truth.connect(id);
    const answer = await patch(world, id, { suspend_timeout_seconds: 0 });
    expect(answer.status).toBe(switchesOf(world)['plan'] === 'free' ? 412 : 200);
    await world.pass(3000);
    expect(connection.isOpen()).toBe(true);
    if (await isSmallPlan(world)) return;
    const size = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 0.5 };
    const resized = await patch(world, id, size);
    expect(actionsOf(resized).slice(0, 2)).toEqual(['apply_config running', 'suspend_compute scheduling']);
    expect(resized.body.endpoint).toMatchObject(size);
    expect(resized.body.endpoint).toHaveProperty('pending_state');
    await world.pass(4000);
    expect(connection.isOpen()).toBe(false);
    expect(world.plane.ledger().at(-1)).toMatchObject({ restarted: true, droppedConnections: true });
  },
  'a changed autoscaling bound restarts, on an idle compute nothing is dropped': async (world) => {
    if (await isSmallPlan(world)) return;
    const idle = await patch(world, PRIMARY, { autoscaling_limit_max_cu: 3 });
    expect(actionsOf(idle)).toEqual(switchesOf(world)['resizeIdle'] === 'no_operation' ? [] : ['apply_config running']);
    expect(world.plane.ledger().at(-1)).toMatchObject({ restarted: false, droppedConnections: false });
    await world.pass(2000);
    world.plane.truth.connect(PRIMARY);
    await world.pass(2000);
    await patch(world, PRIMARY, { autoscaling_limit_max_cu: 4 });
    expect(world.plane.ledger().at(-1)).toMatchObject({ restarted: true, droppedConnections: true });
  },
  'changed autosuspend settings restart nothing': async (world) => {
    if (await isSmallPlan(world)) return;
    const id = await createActive(world, STAGING);
    const connection = world.plane.truth.connect(id);
    const answer = await patch(world, id, { suspend_timeout_seconds: 3600 });
    expect(actionsOf(answer)).toEqual(['apply_config running']);
    await world.pass(2000);
    expect(connection.isOpen()).toBe(true);
    expect(await stateOf(world, id)).toBe('active');
    expect(world.plane.ledger().at(-1)).toMatchObject({ restarted: false, droppedConnections: false });
  },
  'a disabled compute is suspended and accepts no connection': async (world) => {
    const id = await createActive(world, STAGING);
    const answer = await patch(world, id, { disabled: true });
    expect(actionsOf(answer)).toEqual(['apply_config running', 'suspend_compute scheduling']);
    await world.pass(3000);
    expect(await stateOf(world, id)).toBe('idle');
    expect(() => world.plane.truth.connect(id)).toThrow(/disabled/);
  },
};
