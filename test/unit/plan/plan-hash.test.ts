// The hash of a plan: the same whenever it is made anew, another as soon as anything else would be done.
import { describe, expect, it } from 'vitest';
import type { SafetyLimits } from '../../../src/model/desired.ts';
import type { NeededConsent } from '../../../src/model/outcome/impact.ts';
import type { Change, ExceededLimit, Fingerprint, Step } from '../../../src/model/outcome/plan.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { guardsOf } from '../../../src/plan/guard/guards-in-force.ts';
import { planHashOf, type Hashed } from '../../../src/plan/json/plan-hash.ts';
import { allowing, IN_ONE_HOUR, at, NO_LIMITS, NOW_MS, planOf, type World, shop } from './support/world.ts';

const WORLD: World = {
  file: `
shop:
  prune: true
  computes:
    gone: { id: ep-gone, state: absent }
    made: { branch: br-1, new: true }
    one: { id: ep-one, branch: br-2, type: read_only }
    same: { branch: br-3 }
    size: { branch: br-4, min: 2 }
    stopped: { branch: br-5, restart: { not_before: 2026-11-01 } }`,
  live: `
shop:
  ep-gone: { branch: br-9 }
  ep-one: { branch: br-2 }
  ep-same: { branch: br-3 }
  ep-size: { branch: br-4, min: 1 }
  ep-old: { branch: br-5, created: 2026-01-01, started: 2026-10-01 }
  ep-x: { branch: br-5, type: read_only }`,
  log: ['60d start_compute finished ep-old'],
};
const { steps, changes, options, planHash } = planOf(WORLD);

const expects = steps.find(({ address }) => address === 'shop/size')?.expects;
if (expects?.state !== 'present') throw new Error('shop/size is there');
const BEFORE = expects;

const PLAIN: Hashed = { steps, changes, guards: [], sinks: {}, options, limitsCovered: [] };

const hashOf = (world: Partial<World>): string => planOf({ ...WORLD, ...world }).planHash;

function hashed(some: readonly Step[], others: readonly Change[]): string {
  return planHashOf({ ...PLAIN, steps: some, changes: others });
}

/** The hash of the plan with another value in the first step or change that the edit takes. */
function edited(edit: {
  readonly step?: Partial<Step>;
  readonly change?: Partial<Change>;
  readonly of?: string;
}): string {
  const of = edit.of ?? 'shop/size';
  return hashed(
    steps.map((step) => (step.address === of ? { ...step, ...edit.step } : step)),
    changes.map((change) => (change.address === of ? { ...change, ...edit.change } : change)),
  );
}

describe('the hash of a plan', () => {
  it('is that of its steps and changes, in whatever order', () => {
    expect(hashed(steps, changes)).toBe(planHash);
    expect(hashed([...steps].reverse(), [...changes].reverse())).toBe(planHash);
  });

  it('is another one where operation logs were left out', () => {
    const of = (own: object): string => planHashOf({ ...PLAIN, options: { ...options, ...own } });
    expect(of({ noHistory: true })).not.toBe(planHash);
    expect(of({ due: true, allow: ['*:*'] })).toBe(planHash);
  });

  const same = (more: string): World => ({
    live: (WORLD.live ?? '').replace('ep-same: { branch: br-3 }', `ep-same: { branch: br-3, ${more} }`),
  });
  it.each<[string, Partial<World>]>([
    ['the clock', { input: { nowMs: NOW_MS + 60_000 } }],
    ['the state of a compute', same('state: idle')],
    ['what is left alone', same('pooler_enabled: true')],
    ['the log', { log: [...(WORLD.log ?? []), '70d check_availability finished ep-old'] }],
  ])('does not depend on %s', (_name, world) => {
    expect(hashOf(world)).toBe(planHash);
  });

  const everything = { maxDeletes: 0, maxRestarts: 0, maxChangePercent: 0, protect: ['**'], windows: [IN_ONE_HOUR] };

  it.each<[string, Partial<World>]>([
    ['what the operator limits', { safety: [{ ...everything, isOperators: true }] }],
    ['how much may run unasked', { input: { consent: 'no_impact' } }],
    ['whether anybody looked at it', { input: { consent: 'unattended' } }],
  ])('does not depend on %s, though less is done', (_name, world) => {
    expect(planOf({ ...WORLD, ...world }).steps.length).toBeLessThan(steps.length);
    expect(hashOf(world)).toBe(planHash);
  });

  it.each<[string, Partial<PlanInput>]>([
    ['once a window is open', { nowMs: NOW_MS + 90 * 60_000 }],
    ['once the time is known', { clockDoubt: null }],
  ])('is the same %s, though more is done', (_name, input) => {
    const safety = [{ windows: [IN_ONE_HOUR] }];
    const held = planOf({ ...WORLD, safety, input: { clockDoubt: 'nobody knows it', ...input } });
    const free = planOf({ ...WORLD, safety, input: { nowMs: NOW_MS + 90 * 60_000 } });
    expect(planOf({ ...WORLD, safety }).planHash).toBe(free.planHash);
    expect(held.planHash).toBe(free.planHash);
    expect(planOf({ ...WORLD, safety }).steps.length).toBeLessThan(free.steps.length);
  });

  it('is another one as soon as anything else would be done, also where a limit holds all of it back', () => {
    const safety = [{ maxDeletes: 0 }];
    const bigger = WORLD.file?.replace('min: 2', 'min: 4') ?? '';
    expect(planOf({ ...WORLD, safety }).steps).toEqual([]);
    expect(hashOf({ safety, file: bigger })).not.toBe(hashOf({ safety }));
  });

  it.each<[string, Parameters<typeof edited>[0]]>([
    ['where it goes', { step: { path: '/projects/shop-1/endpoints/ep-other' } }],
    ['how', { step: { method: 'PUT' } }],
    ['what is sent', { step: { body: { endpoint: {} } } }],
    ['the action', { step: { action: 'move' } }],
    ['what goes before', { step: { needs: ['create:shop/made'] } }],
    ['what must be so before', { step: { expects: { ...BEFORE, attributes: {} } } }],
    ['what was live', { change: { before: { autoscaling_limit_min_cu: 0.5 } } }],
    ['what was live of what is deleted', { of: 'shop/gone', change: { before: {} } }],
    ['what was live of what is replaced', { of: 'shop/one', change: { before: {} } }],
    ['what was live of what is pruned', { of: 'shop/ep-x', change: { before: {} } }],
    ['what was live of what is restarted', { of: 'shop/stopped', change: { before: {} } }],
    ['what will be live', { change: { after: {} } }],
    ['what will be live of what is made', { of: 'shop/made', change: { after: {} } }],
    ['which resource it is', { change: { resourceId: 'ep-other' } }],
  ])('depends on %s', (_name, edit) => {
    expect(edited(edit)).not.toBe(planHash);
  });

  const marked = (marks: Partial<Fingerprint>): Partial<Step> => ({
    expects: { ...BEFORE, fingerprint: { ...BEFORE.fingerprint, ...marks } },
  });

  it.each<[string, Partial<Fingerprint>]>([
    ['what tells the resource from others', { lasting: { created_at: 'other' } }],
    ['what the step rests on', { restsOn: ['current_state'] }],
  ])('depends on %s', (_name, marks) => {
    expect(edited({ step: marked(marks) })).not.toBe(planHash);
  });

  it('depends on the data that a removal takes: on its last use, its version, and its size to the nearest tenth', () => {
    const known = { usedAt: '2026-11-01T00:00:00Z', version: '7', bytes: 1000 };
    const hashes = (...stakes: readonly object[]): number =>
      new Set(stakes.map((own) => edited({ step: { expects: { ...BEFORE, stake: { ...known, ...own } } } }))).size;
    expect(hashes({}, { usedAt: 'now' }, { version: '8' }, { bytes: 2000 }, { bytes: 0 }, { bytes: null })).toBe(6);
    expect(hashes({}, { bytes: 1010 })).toBe(1);
    expect(hashes({ bytes: 0 }, { bytes: 1 })).toBe(1);
    expect(edited({ step: { expects: { ...BEFORE, stake: known } } })).not.toBe(planHash);
  });

  it('depends on what was live of a resource whose step is told apart by its id', () => {
    const step = { id: 'update:shop/size#ep-size' };
    expect(edited({ step })).toBe(planHash);
    expect(edited({ step, change: { before: {} } })).not.toBe(planHash);
  });

  it('does not depend on what was live of what does not run', () => {
    expect(hashed([], changes)).toBe(hashed([], []));
  });

  it('is the same in whatever order two resources of one address are', () => {
    const twins = [...changes, ...changes.map((one) => ({ ...one, resourceId: 'ep-a', before: {} }))];
    expect(hashed(steps, twins)).toBe(hashed(steps, twins.toReversed()));
  });

  it('does not depend on what passes', () => {
    expect(edited({ step: marked({ passing: { current_state: 'idle', updated_at: 'now' } }) })).toBe(planHash);
  });

  it.each<[string, Parameters<typeof edited>[0]]>([
    ['of what stays as it is', { of: 'shop/same', change: { before: {}, after: {} } }],
    ['what people read', { change: { notes: ['other'], reasons: ['other'], matchedBy: 'other' } }],
  ])('does not depend on anything %s', (_name, edit) => {
    expect(edited(edit)).toBe(planHash);
  });
});

describe('what a hash covers besides', () => {
  const guards = guardsOf({ resources: [], safety: [] }, []);
  const base = { ...PLAIN, guards, sinks: { 'api_keys/ci': ['file:ci.json'] } };
  const limits = { ...NO_LIMITS, protect: ['*/primary'], maxDeletes: 1 };
  const under = (own: object): ReturnType<typeof guardsOf> =>
    guardsOf({ resources: [], safety: [{ ...limits, ...own }] }, []);
  const of = (own: object): string => planHashOf({ ...base, ...own });

  it.each<[string, object, boolean]>([
    ['the same', {}, true],
    ['no steps', { steps: [] }, false],
    ['one more guard', { guards: under({}) }, false],
    ['a guard of the operator', { guards: under({ isOperators: true }) }, true],
    ['another sink of a secret', { sinks: { 'api_keys/ci': ['exec:vault'] } }, false],
    ['no sink of a secret', { sinks: {} }, false],
  ])('%s', (_name, own, isSame) => {
    expect(of(own) === of({})).toBe(isSame);
    expect(of(own)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is what the guards say, not where they stand or how often', () => {
    const once = of({ guards: under({}) });
    expect(of({ guards: under({ source: at(7) }) })).toBe(once);
    expect(of({ guards: [...under({}), ...under({})] })).toBe(once);
    expect(of({ guards: under({}).toReversed() })).toBe(once);
    expect(of({ guards: under({ maxDeletes: 2 }) })).not.toBe(once);
  });
});

describe('what somebody consented to lose', () => {
  const hashWith = (own: Partial<Change>, more: Partial<Hashed> = {}): string =>
    planHashOf({ ...PLAIN, changes: changes.map((one) => ({ ...one, ...own })), ...more });
  const drop = (given: NeededConsent['given']): Partial<Change> => ({
    consents: [{ word: 'drop', address: 'shop/trees/oak', given }],
  });
  const without = hashWith({});

  it('is covered once it is given', () => {
    expect(without).toBe(planHash);
    expect(hashWith({ consents: [] })).toBe(without);
    expect(hashWith(drop(null))).toBe(without);
    expect(hashWith(drop('literal'))).not.toBe(without);
  });

  it('is covered in whatever order, and for other losses than that of data however it was given', () => {
    const two = ['shop/a', 'shop/b'].map((address) => ({ word: 'access', address, given: 'literal' }) as const);
    expect(hashWith({ consents: two })).toBe(hashWith({ consents: two.toReversed() }));
    expect(hashWith({ consents: two })).toBe(hashWith({ consents: two.map((one) => ({ ...one, given: 'pattern' })) }));
  });

  it('is covered for what is asked for alone', () => {
    expect(hashWith({ ...drop('literal'), due: true })).toBe(hashWith({ due: true }));
  });

  it('is covered with how it was given, and with the limits that are exceeded', () => {
    const exceeded = { limit: 'max_deletes', project: null, allowed: 1, planned: 2, addresses: ['shop/a'] } as const;
    const ways = (['literal', 'pattern', 'file'] as const).map((given) => hashWith(drop(given)));
    expect(new Set([...ways, hashWith(drop('pattern'), { limitsCovered: [exceeded] })]).size).toBe(4);
  });
});

describe('a block of a change', () => {
  const hashWith = (own: Partial<Change>, exclude: readonly string[] = [], turned = false): string => {
    const held = changes.map((one) => (one.address < 'shop/one' ? { ...one, ...own } : one));
    return planHashOf({ ...PLAIN, options: { ...options, exclude }, changes: turned ? held.toReversed() : held });
  };
  const ambiguous: Partial<Change> = { blockedBy: ['ambiguous'] };

  it('is covered, as is what is excluded', () => {
    const hashes = [{}, ambiguous, { blockedBy: ['unread'] } as const].flatMap((own) =>
      // The last list has as many members as there are changes held back.
      [[], ['shop/x'], ['shop/x', 'shop/y', 'shop/z']].map((exclude) => hashWith(own, exclude)),
    );
    expect(new Set(hashes).size).toBe(9);
    expect(hashes[0]).toBe(planHash);
  });

  it('is covered for each change, in whatever order', () => {
    expect(hashWith(ambiguous, [], true)).toBe(hashWith(ambiguous));
    const words = ['ambiguous', 'unread'] as const;
    expect(hashWith({ blockedBy: words.toReversed() })).toBe(hashWith({ blockedBy: words }));
    expect(hashWith({ ...ambiguous, resourceId: 'ep-other' })).not.toBe(hashWith(ambiguous));
  });

  it.each(['consent', 'window', 'max_deletes', 'protect'] as const)('is not covered where it is %s', (word) => {
    expect(hashWith({ blockedBy: [word] })).toBe(planHash);
  });
});

describe('a limit of the files', () => {
  it('is covered with its project, in whatever order', () => {
    const exceeded = (limit: ExceededLimit['limit'], project: string | null): ExceededLimit => {
      return { limit, project, allowed: 1, planned: 2, addresses: [] };
    };
    const hashWith = (...limitsCovered: readonly ExceededLimit[]): string => planHashOf({ ...PLAIN, limitsCovered });
    const limits = [exceeded('max_deletes', null), exceeded('max_deletes', 'shop'), exceeded('max_restarts', null)];
    expect(new Set(limits.map((one) => hashWith(one))).size).toBe(3);
    expect(hashWith(...limits)).toBe(hashWith(...limits.toReversed()));
  });

  const two = shop('a: { id: ep-a, state: absent }, b: { id: ep-b, state: absent }');
  const live = { live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2 } }' };
  const allowed = allowing('delete:shop/*');

  it.each<[string, Partial<SafetyLimits>]>([
    ['that is exceeded', { maxDeletes: 1 }],
    ['that is exceeded within the window to come', { maxDeletes: 1, windows: [IN_ONE_HOUR] }],
  ])('%s makes another hash than one that an allowance lifts', (_name, limit) => {
    const world = { ...two, ...live, safety: [limit] };
    expect(planOf(world).steps).toEqual([]);
    expect(hashOf({ ...world, log: [] })).not.toBe(hashOf({ ...world, log: [], input: allowed }));
  });
});
