// When a rule of a fault plan strikes, and which plans are refused.
import { describe, expect, it } from 'vitest';
import { FaultPlanError, type FaultMatch, type FaultPlan, type FaultRule } from '../../src/control-plane/index.ts';
import { requireFaultPlan } from '../../src/control-plane/faults/check-plan.ts';
import { ENDPOINTS, ONE, PRIMARY, SHOP, STAGING, makeWorld } from './world.ts';

const fault = { kind: 'rate-limited' as const };

/** Which of eight requests, one a second, a rule strikes. */
const struckBy = async (rule: Partial<FaultRule>, seed = 1): Promise<string> => {
  const world = makeWorld({ faults: { seed, rules: [{ fault, ...rule }] } });
  let text = '';
  for (let count = 0; count < 8; count++) {
    text += (await world.send('GET', '/projects')).status === 429 ? 'x' : '.';
    await world.pass(1000);
  }
  return text;
};

describe('rules', () => {
  it.each<[string, Partial<FaultRule>, string]>([
    ['strike once', {}, 'x.......'],
    ['end after their times', { times: 3 }, 'xxx.....'],
    ['count their own matches', { when: { nth: 4 } }, '...x....'],
    ['pass over other paths', { when: { path: '/api_keys' } }, '........'],
    ['pass over the first matches', { times: 'always', when: { after: 3 } }, '...xxxxx'],
    ['hold for a while from their first match on', { times: 'always', when: { forMs: 2500 } }, 'xxx.....'],
    ['hold for a while from the match that counts', { times: 'always', when: { after: 2, forMs: 2500 } }, '..xxx...'],
  ])('%s', async (_name, rule, expected) => expect(await struckBy(rule)).toBe(expected));

  it('draw from their seed', async () => {
    const rule = { times: 'always', when: { chance: 0.5 } } as const;
    const drawn = await struckBy(rule, 5);
    expect(drawn).toMatch(/x/);
    expect(await struckBy(rule, 5)).toBe(drawn);
  });

  it('are for one key, one project, one compute', async () => {
    const world = makeWorld();
    const made = await world.send('POST', '/api_keys', { key_name: 'other' });
    const struck = async (when: FaultMatch, path: string, key = world.key): Promise<boolean> => {
      world.plane.setFaults({ rules: [{ when, fault }] });
      return (await world.send('GET', path, undefined, { key })).status === 429;
    };
    const actor = String(made.body.id);
    expect(await struck({ actor }, '/projects', made.body.key)).toBe(true);
    expect(await struck({ actor }, '/projects')).toBe(false);
    expect(await struck({ projectId: 'spring-example-302709' }, SHOP)).toBe(true);
    expect(await struck({ projectId: 'spring-example-302709' }, ENDPOINTS)).toBe(true);
    expect(await struck({ projectId: 'spring-example-302709' }, '/projects')).toBe(false);
    expect(await struck({ endpointId: PRIMARY }, ONE)).toBe(true);
    expect(await struck({ endpointId: PRIMARY }, ENDPOINTS)).toBe(false);
  });

  it('of operations are for one compute and hold for a while too', async () => {
    const hang = { on: 'operation' as const, kind: 'slow' as const, durationMs: 77_000 };
    const world = makeWorld({ faults: { rules: [{ when: { forMs: 1000 }, times: 'always', fault: hang }] } });
    const start = async (): Promise<number | undefined> => {
      const body = { endpoint: { branch_id: STAGING, type: 'read_only' } };
      const { operations } = (await world.send('POST', ENDPOINTS, body)).body;
      return world.plane.truth.operations().find(({ id }) => id === operations[0]?.id)?.durationMs;
    };
    expect(await start()).toBe(77_000);
    await world.pass(1000);
    expect(await start()).toBe(1000);
  });
});

describe('a plan', () => {
  const inRule = (rule: object): unknown => ({ rules: [rule] });
  const reply = { kind: 'reply', commit: true, status: 200 };
  it.each<[string, unknown, RegExp]>([
    ['no object', [], /a fault plan is an object/],
    ['an unknown member', { rule: [] }, /no member "rule"; it can have seed, latencyMs, lockedProjects, rules/],
    ['rules that are no list', { rules: 'all' }, /rules is a list/],
    ['a rule without a fault', inRule({}), /rules\[0\] needs fault/],
    ['an unknown kind', inRule({ fault: { kind: 'nonsense' } }), /kind can be before-connect, /],
    [
      'a kind of operations',
      inRule({ fault: { kind: 'lie' } }),
      /kind can be before-connect, .*; with "on": "operation", fail, .*lie/,
    ],
    ['a kind of exchanges', inRule({ fault: { on: 'operation', kind: 'list' } }), /kind can be fail, /],
    ['a kind that all objects have', inRule({ fault: { kind: 'toString' } }), /kind can be /],
    ['a misspelt condition', inRule({ when: { metod: 'POST' }, fault }), /when has no member "metod"/],
    ['a missing member', inRule({ fault: { kind: 'late-commit' } }), /fault needs delayMs/],
    ['a superfluous member', inRule({ fault: { kind: 'before-send', ms: 1 } }), /has no member "ms"; it can have none/],
    ['a way that is none', inRule({ fault: { kind: 'garble', how: 'gently' } }), /how is one of empty, /],
    ['a list fault that is none', inRule({ fault: { kind: 'list', how: 'old' } }), /how is one of stale, /],
    ['a status beyond HTTP', inRule({ fault: { ...reply, status: 99 } }), /status from 200 to 599/],
    ['a header that is none', inRule({ fault: { ...reply, headers: { 'a b': 'c' } } }), /an object of header fields/],
    [
      'nothing at a time',
      inRule({ fault: { kind: 'trickle', bytes: 0, everyMs: 1 } }),
      /bytes is a whole number from 1/,
    ],
    ['a method that is none', inRule({ when: { method: 'GETT' }, fault }), /method is one of GET, /],
    ['a path that no request has', inRule({ when: { path: 'projects/*' }, fault }), /path is a path that begins with/],
    ['a chance over 1', inRule({ when: { chance: 2 }, fault }), /chance is a number from 0 to 1/],
    ['a match before the first', inRule({ when: { nth: 0 }, fault }), /nth is a whole number from 1/],
    ['an endless number', inRule({ times: 'often', fault }), /times is a whole number from 0, or always/],
    ['half a latency', { latencyMs: { min: 1 } }, /latencyMs needs max/],
    ['a negative time', inRule({ fault: { kind: 'latency', ms: -1 } }), /ms is a number from 0/],
  ])('with %s is refused, and the place named', (_name, plan, message) => {
    const set = (): unknown => requireFaultPlan(plan);
    expect(set).toThrow(FaultPlanError);
    expect(set).toThrow(message);
  });

  it('that is refused leaves the one that was there', async () => {
    const world = makeWorld({ faults: { rules: [{ fault, times: 'always' }] } });
    const nonsense = inRule({ fault: { kind: 'nonsense' } }) as FaultPlan;
    expect(() => world.plane.setFaults(nonsense)).toThrow(FaultPlanError);
    expect((await world.send('GET', '/projects')).status).toBe(429);
  });
});
