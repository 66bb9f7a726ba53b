// Keys through the whole planner: the changes and requests that declarations lead to, and what consent they need.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/model/outcome/plan.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { declared, key, planOf, type FactsDraft, type Wish } from './world.ts';

/** `METHOD path` of each step, and each change that is held back with why. */
function planned(wish: Wish): { steps: string[]; held: string[] } {
  const plan = planOf(wish);
  return {
    steps: plan.steps.map(({ method, path }) => `${method} ${path}`),
    held: plan.changes.flatMap(({ action, address, blockedBy, due }) =>
      blockedBy.length > 0 ? [`${action} ${address} ${blockedBy.join()}`] : due ? [`${action} ${address} due`] : [],
    ),
  };
}

const FILE = { secret: { file: 'ci.json' } };
const ROTATE = { ...FILE, rotate: { every: '90d' } };
/** Another key, which is not there yet. */
const other = { ...declared({ secret: { file: 'new.json' } }), address: 'api_keys/new', spec: { name: 'new' } };

describe('a plan', () => {
  it('makes a key, and makes none without a place for its value', () => {
    expect(planned({ desired: [declared(FILE)], live: [], facts: { sinks: ['absent'] } }).steps).toEqual([
      'POST /api_keys',
    ]);
    expect(planned({ desired: [declared()], live: [] })).toEqual({
      steps: [],
      held: ['create api_keys/ci secret_missing'],
    });
  });

  it('says where the value goes, and has another hash when it goes elsewhere', () => {
    const into = (secret: JsonObject | readonly JsonObject[]): Plan =>
      planOf({ desired: [declared({ secret })], live: [], facts: { sinks: ['absent'] } });
    const both = into([{ file: 'ci.json' }, { exec: 'vault' }]);
    expect(both.changes.map(({ sinks }) => sinks)).toEqual([['file:ci.json', 'exec:vault']]);
    expect(into({ file: 'ci.json' }).planHash).not.toBe(into({ exec: 'ci.json' }).planHash);
    expect(into({ file: 'ci.json' }).planHash).not.toBe(into({ file: 'ci.json.bak' }).planHash);
  });

  it('is empty when the key is there and its value too, whoever used it', () => {
    const live = [key({ id: '42', used: '1m' })];
    expect(planned({ desired: [declared(FILE)], live, facts: { sinks: ['42'] } })).toEqual({ steps: [], held: [] });
  });

  it('rotates only when due changes are asked for', () => {
    const wish = { desired: [declared(ROTATE)], live: [key({ id: '42', made: '91d' })], facts: { sinks: ['42'] } };
    expect(planned(wish)).toEqual({ steps: [], held: ['rotate api_keys/ci due'] });
    expect(planned({ ...wish, more: { due: true, consent: 'unattended' } }).steps).toEqual(['POST /api_keys']);
  });

  it('retires the old key by the consent of the file alone', () => {
    const live = [key({ id: '41', made: '100d' }), key({ id: '42', made: '8d' })];
    const wish = {
      desired: [declared(ROTATE)],
      live,
      facts: { sinks: ['42'] },
      more: { consent: 'unattended' } as const,
    };
    expect(planned(wish).steps).toEqual(['DELETE /api_keys/41']);
    expect(planned({ ...wish, facts: { sinks: ['42'], self: '41' } })).toEqual({
      steps: [],
      held: ['revoke api_keys/ci self'],
    });
  });

  it('makes a lost value anew only by allowance, and asks for nothing otherwise', () => {
    const wish = { desired: [declared(FILE)], live: [key({ id: '42' })], facts: { sinks: ['absent'] } };
    expect(planned(wish)).toEqual({ steps: [], held: [] });
    const allow = [{ action: 'replace', address: 'api_keys/ci' }] as const;
    expect(planned({ ...wish, more: { allow } }).steps.sort()).toEqual(['DELETE /api_keys/42', 'POST /api_keys']);
  });

  it('makes anew the lost value of a key in use by the allowance that the warning names', () => {
    const live = [key({ id: '42', used: '1h' })];
    const wish = { desired: [declared(FILE)], live, facts: { sinks: ['absent'], self: '1' } };
    const named = planOf(wish).diagnostics.map(({ hint = '' }) => /--allow (\w+):(\S+)/.exec(hint)?.slice(1));
    expect(named).toEqual([['replace', 'api_keys/42']]);
    const made = ['DELETE /api_keys/42', 'POST /api_keys'];
    const [[action = '', address = ''] = []] = named;
    expect(planned({ ...wish, more: { allow: [{ action, address }] } })).toMatchObject({ held: [] });
    expect(planned({ ...wish, more: { allow: [{ action, address }] } }).steps.sort()).toEqual(made);
  });

  it('never prunes its own key, nor one that may be it', () => {
    const live = [key({ id: '42' }), key({ id: '7', name: 'x', used: '1h' }), key({ id: '8', name: 'y', used: '1h' })];
    const wish = { desired: [declared(FILE)], live, prune: true };
    const facts: FactsDraft = { sinks: ['42'], self: '7' };
    expect(planned({ ...wish, facts })).toEqual({ steps: ['DELETE /api_keys/8'], held: ['revoke api_keys/7 self'] });
    const unknown: FactsDraft = { ...facts, self: null };
    const allow = ['*', 'api_keys/8', 'api_keys/*'].map((address) => ({ action: 'revoke', address }));
    expect(planned({ ...wish, facts: unknown, more: { allow } })).toEqual({
      steps: [],
      held: ['revoke api_keys/7 self', 'revoke api_keys/8 self'],
    });
  });

  describe('that makes and revokes', () => {
    const wish = {
      desired: [declared(ROTATE), other],
      live: [
        key({ id: '40', made: '200d' }),
        key({ id: '41', made: '91d' }),
        key({ id: '9', name: 'unlisted' }),
        key({ id: '8', name: 'laptop' }),
      ],
      facts: { sinks: ['41'] },
      prune: true,
    };
    const waits = (more: Partial<Wish> = {}): Readonly<Record<string, readonly string[]>> =>
      Object.fromEntries(planOf({ ...wish, ...more }).steps.map(({ id, needs }) => [id, needs]));

    it('prunes and retires last, when every value is stored', () => {
      expect(waits({ more: { due: true } })).toEqual({
        'create:api_keys/new': [],
        'rotate:api_keys/ci': [],
        'revoke:api_keys/8': ['create:api_keys/new', 'rotate:api_keys/ci'],
        'revoke:api_keys/9': ['create:api_keys/new', 'rotate:api_keys/ci'],
        'revoke:api_keys/ci#40': ['create:api_keys/new', 'rotate:api_keys/ci'],
      });
    });

    it('waits for nothing that is not asked for', () => {
      expect(waits({ more: { target: ['api_keys/9'] } })).toEqual({ 'revoke:api_keys/9': [] });
      expect(waits()['revoke:api_keys/9']).toEqual(['create:api_keys/new']);
    });

    it('revokes what the file names at once', () => {
      const laptop = { ...declared({ state: 'absent' }), address: 'api_keys/laptop', spec: { name: 'laptop' } };
      expect(waits({ desired: [...wish.desired, laptop] })['revoke:api_keys/laptop']).toEqual([]);
    });

    it('prunes nothing while a creation is held back, and retires all the same', () => {
      const blocked = { ...other, options: {} };
      const { steps, held } = planned({ ...wish, desired: [declared(ROTATE), blocked] });
      expect(steps).toEqual(['DELETE /api_keys/40']);
      expect(held).toEqual([
        'revoke api_keys/8 dependency',
        'revoke api_keys/9 dependency',
        'rotate api_keys/ci due',
        'create api_keys/new secret_missing',
      ]);
    });
  });

  it('is the same whatever the order of the list', () => {
    const live = [key({ id: '41', made: '100d' }), key({ id: '42', made: '8d' }), key({ id: '43', name: 'x' })];
    const wish = { desired: [declared(ROTATE)], facts: { sinks: ['42'] } };
    expect(planned({ ...wish, live })).toEqual(planned({ ...wish, live: [...live].reverse() }));
  });
});
