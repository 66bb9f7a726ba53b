// The contract of the API reference: access, autosuspend and its delays.
import { expect } from 'vitest';
import { patch, switchesOf, isSmallPlan, stateOf, type Cases } from './contract-case.ts';
import { DAY, MINUTE, PRIMARY, SHOP, STAGING, createActive } from './world.ts';

export const accessCases: Cases = {
  'access wakes an idle compute by a start_compute operation': async (world) => {
    const connection = world.plane.truth.connect(PRIMARY);
    const [operation] = (await world.send('GET', `${SHOP}/operations`)).body.operations;
    expect(operation).toMatchObject({ action: 'start_compute', status: 'running', endpoint_id: PRIMARY });
    await world.pass(1000);
    expect(await stateOf(world, PRIMARY)).toBe('active');
    expect(connection.isOpen()).toBe(true);
  },
  'a compute is suspended after five idle minutes, and every connection request resets the timer': async (world) => {
    const id = await createActive(world, STAGING);
    await world.pass(4 * MINUTE);
    world.plane.truth.connect(id);
    await world.pass(4 * MINUTE);
    expect(await stateOf(world, id)).toBe('active');
    await world.pass(MINUTE + 500);
    const list = (await world.send('GET', `${SHOP}/operations`)).body.operations;
    expect(list[0]).toMatchObject({ action: 'suspend_compute', endpoint_id: id, status: 'running' });
    await world.pass(1000);
    expect(await stateOf(world, id)).toBe('idle');
  },
  'a disabled autosuspend keeps a compute active for good': async (world) => {
    if (await isSmallPlan(world)) return;
    const id = await createActive(world, STAGING, { suspend_timeout_seconds: -1 });
    await world.pass(40 * DAY);
    expect(await stateOf(world, id)).toBe('active');
    const actions = world.plane.truth.operations({ projectId: 'spring-example-302709' });
    expect(actions.some((item) => item.endpointId === id && item.action === 'suspend_compute')).toBe(false);
  },
  'the longest autosuspend delay is seven days': async (world) => {
    if (await isSmallPlan(world)) return;
    const short = String(switchesOf(world)['shortAutosuspend']);
    for (const [seconds, status] of [
      [604_800, 200],
      [604_801, 400],
      [-2, 400],
      [59, short === 'accepted' ? 200 : Number(short.slice(-3))],
      [60, 200],
    ] as const)
      expect([seconds, (await patch(world, PRIMARY, { suspend_timeout_seconds: seconds })).status]).toEqual([
        seconds,
        status,
      ]);
  },
};
