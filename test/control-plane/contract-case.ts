// What the cases of the contract share: their shape, and looks at the switches and states of a world.
import { expect } from 'vitest';
import { ENDPOINTS, PRIMARY, type Answer, type TestWorld } from './world.ts';

/** By name. */
export type Cases = Readonly<Record<string, (world: TestWorld) => Promise<void>>>;

export const switchesOf = (world: TestWorld): Record<string, unknown> => ({ ...world.plane.engine.switches });
/** A plan below the largest refuses what such a case needs; that it does is then all that the case can show. */
export const isSmallPlan = async (world: TestWorld): Promise<boolean> => {
  const refused = await patch(world, PRIMARY, { suspend_timeout_seconds: 600 });
  expect(refused.status === 412).toBe(switchesOf(world)['plan'] !== 'scale');
  return refused.status === 412;
};
export const post = (world: TestWorld, endpoint: object): Promise<Answer> =>
  world.send('POST', ENDPOINTS, { endpoint: { type: 'read_write', ...endpoint } });
export const patch = (world: TestWorld, id: string, endpoint: object): Promise<Answer> =>
  world.send('PATCH', `${ENDPOINTS}/${id}`, { endpoint });
/** Nothing but the state of the endpoint on the wire. */
export const stateOf = async (world: TestWorld, id: string): Promise<string | undefined> =>
  (await world.send('GET', `${ENDPOINTS}/${id}`)).body.endpoint.current_state;
