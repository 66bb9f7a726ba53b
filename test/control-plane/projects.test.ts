// Projects: made in one call with all that they need, changed, shared, deleted and recovered.
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, SHOP, actionsOf, makeWorld, type Answer, type TestWorld } from './world.ts';

const make = (world: TestWorld, project: object): Promise<Answer> => world.send('POST', '/projects', { project });
const patch = (world: TestWorld, project: object): Promise<Answer> => world.send('PATCH', SHOP, { project });

describe('a new project', () => {
  it.each([
    ['an organization of somebody else', { org_id: 'org-of-others-1' }, 400, /org_id/],
    ['a provisioner that there is not', { provisioner: 'steam' }, 400, /provisioner/],
    ['a history beyond the plan', { history_retention_seconds: 2_592_001 }, 400, /history_retention_seconds/],
    ['a reserved role', { branch: { role_name: 'pg_me' } }, 400, /reserved/],
    ['a library that there is not', { settings: { preload_libraries: { enabled_libraries: ['x'] } } }, 400, /library/],
    ['defaults that no compute can have', { default_endpoint_settings: { autoscaling_limit_max_cu: 99 } }, 400, /size/],
    ['too many annotations', { branch: { annotations: many(51) } }, 400, /annotations/],
  ])('is refused with %s, and nothing is made', async (_name, project, status, message) => {
    const world = makeWorld();
    const answer = await make(world, project);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
    expect(world.plane.ledger()).toHaveLength(1);
    expect(world.plane.truth.projects()).toHaveLength(2);
  });
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 'x']));
}

describe('a change of a project', () => {
  it('of its history is applied to storage; a shorter one loses history at once', async () => {
    const world = makeWorld();
    expect(actionsOf(await patch(world, { history_retention_seconds: 3600 }))).toEqual([
      'apply_storage_config running',
    ]);
    expect(world.plane.ledger().at(-1)?.lost).toEqual([{ kind: 'history', id: 'spring-example-302709' }]);
    const old = new Date(world.clock.nowMs() - 2 * HOUR).toISOString();
    const late = await world.send('POST', `${SHOP}/branches`, { branch: { parent_timestamp: old } });
    expect([late.status, late.body.message]).toEqual([400, expect.stringContaining('history')]);
  });
});

describe('a deleted project', () => {
  it('is told in the ledger with what is lost, and until when it is not', async () => {
    const world = makeWorld();
    await world.send('DELETE', SHOP);
    const until = new Date(world.clock.nowMs() + 7 * DAY).toISOString();
    expect(world.plane.ledger().at(-1)?.lost).toEqual([
      { kind: 'project', id: 'spring-example-302709', recoverableUntil: until },
    ]);
  });
});
