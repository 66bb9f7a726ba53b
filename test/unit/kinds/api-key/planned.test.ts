// Keys through the whole planner: the changes and requests that declarations lead to, and what consent they need.
import { describe, expect, it } from 'vitest';
import { rules } from '../../../../src/kinds/api-key/rules.ts';
import type { DesiredResource } from '../../../../src/model/desired.ts';
import type { LiveResource } from '../../../../src/model/live.ts';
import type { PlanInput } from '../../../../src/plan/input.ts';
import { makePlan } from '../../../../src/plan/make-plan.ts';
import { NOW_MS, contextOf, declared, key } from './world.ts';
import type { FactsDraft } from './world.ts';

interface Wish {
  readonly desired: readonly DesiredResource[];
  readonly live: readonly LiveResource[];
  readonly facts?: FactsDraft;
  readonly more?: Partial<PlanInput>;
  readonly prune?: boolean;
}

/** `METHOD path` of each step, and each change that is held back with why. */
function planned({ desired, live, facts = {}, more = {}, prune = false }: Wish): { steps: string[]; held: string[] } {
  const plan = makePlan({
    baseUrl: 'https://api.example.test',
    desired: {
      expect: null,
      projects: [],
      resources: desired,
      accountPrune: prune ? ['api_key'] : [],
      safety: [],
      digest: '',
    },
    live: {
      projects: [],
      resources: live,
      histories: new Map(),
      unread: [],
      facts: new Map([['api_key', contextOf(facts).facts]]),
    },
    kinds: [rules],
    nowMs: NOW_MS,
    consent: 'reviewed',
    allow: [],
    due: false,
    target: [],
    exclude: [],
    ...more,
  });
  return {
    steps: plan.steps.map(({ method, path }) => `${method} ${path}`),
    held: plan.changes.flatMap(({ action, address, blockedBy, due }) =>
      blockedBy.length > 0 ? [`${action} ${address} ${blockedBy.join()}`] : due ? [`${action} ${address} due`] : [],
    ),
  };
}

const FILE = { secret: { file: 'ci.json' } };
const ROTATE = { ...FILE, rotate: { every: '90d' } };

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

  it('never prunes its own key, and one that may be it only by its id', () => {
    const live = [key({ id: '42' }), key({ id: '7', name: 'x', used: '1h' }), key({ id: '8', name: 'y', used: '1h' })];
    const wish = { desired: [declared(FILE)], live, prune: true };
    const facts: FactsDraft = { sinks: ['42'], self: '7' };
    expect(planned({ ...wish, facts })).toEqual({ steps: ['DELETE /api_keys/8'], held: ['revoke api_keys/7 self'] });
    const unknown: FactsDraft = { ...facts, self: null };
    expect(planned({ ...wish, facts: unknown, more: { allow: [{ action: 'revoke', address: '*' }] } }).steps).toEqual(
      [],
    );
    expect(
      planned({ ...wish, facts: unknown, more: { allow: [{ action: 'revoke', address: 'api_keys/8' }] } }).steps,
    ).toEqual(['DELETE /api_keys/8']);
  });

  it('is the same whatever the order of the list', () => {
    const live = [key({ id: '41', made: '100d' }), key({ id: '42', made: '8d' }), key({ id: '43', name: 'x' })];
    const wish = { desired: [declared(ROTATE)], facts: { sinks: ['42'] } };
    expect(planned({ ...wish, live })).toEqual(planned({ ...wish, live: [...live].reverse() }));
  });
});
