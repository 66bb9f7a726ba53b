// Keys through the whole planner: where the value goes, and which keys are never touched.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/model/outcome/plan.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { declared, type FactsDraft, FILE, key, planOf, type Wish } from './world.ts';

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

describe('a plan', () => {
  it('says where the value goes, and has another hash when it goes elsewhere', () => {
    const into = (secret: JsonObject | readonly JsonObject[]): Plan =>
      planOf({ desired: [declared({ secret })], live: [], facts: { sinks: 'absent' } });
    const both = into([{ file: 'ci.json' }, { exec: 'vault' }]);
    expect(both.changes.map(({ sinks }) => sinks)).toEqual([['file:ci.json', 'exec:vault']]);
    expect(into({ file: 'ci.json' }).planHash).not.toBe(into({ exec: 'ci.json' }).planHash);
    expect(into({ file: 'ci.json' }).planHash).not.toBe(into({ file: 'ci.json.bak' }).planHash);
  });

  it('leaves a pinned key of another name alone, also where a rotation is due', () => {
    const rotated = { ...FILE, id: 43, rotate: { not_before: '2026-05-31T00:00:00Z' } };
    const { steps, diagnostics } = planOf({
      desired: [declared(rotated)],
      live: [key({ id: '43', name: 'other' })],
      facts: { sinks: 'absent' },
      more: { allow: [{ action: '*', address: '*' }] },
    });
    expect(steps).toEqual([]);
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toContain('error cannot_change');
  });

  it('never prunes its own key, nor one that may be it', () => {
    const live = [key({ id: '42' }), key({ id: '7', name: 'x', used: '1h' }), key({ id: '8', name: 'y', used: '1h' })];
    const wish = { desired: [declared(FILE)], live, prune: true };
    const facts: FactsDraft = { sinks: '42', self: '7' };
    expect(planned({ ...wish, facts })).toEqual({ steps: ['DELETE /api_keys/8'], held: ['revoke api_keys/7 self'] });
    const unknown: FactsDraft = { ...facts, self: null };
    const allow = ['*', 'api_keys/8', 'api_keys/*'].map((address) => ({ action: 'revoke', address }));
    expect(planned({ ...wish, facts: unknown, more: { allow } })).toEqual({
      steps: [],
      held: ['revoke api_keys/7 self', 'revoke api_keys/8 self'],
    });
  });
});
