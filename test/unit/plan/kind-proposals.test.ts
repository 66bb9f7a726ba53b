// What a kind proposes besides differences, and on whose word that is done.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Allowance, PlanInput } from '../../../src/plan/input.ts';
import type { Intent, KindRules } from '../../../src/plan/kind-rules.ts';
import { intent, ONE, oneAs, planWith, saying } from './support/own-kind.ts';
import { living } from './support/whole-shop.ts';
import { allowing, shop } from './support/world.ts';

const OTHER = living('compute', 'ep-other', { branch_id: 'br-9', type: 'read_only' });
const SIZE = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 };
const LIVE: JsonObject = { branch_id: 'br-1', type: 'read_write', ...SIZE };
const WISH: JsonObject = { branch_id: 'br-1', type: 'read_write', autoscaling_limit_max_cu: 2 };

describe('a proposal', () => {
  it('to rotate makes the whole wish anew, and the address stands for the old one until then', () => {
    const plan = planWith(
      saying({ intents: [intent('rotate', null)] }),
      shop('a: { branch: br-1, type: read_only }', 'ep-a: { branch: br-1, type: read_only, max: 4 }'),
    );
    const wish = { branch_id: 'br-1', type: 'read_only' };
    expect(plan.changes).toMatchObject([{ action: 'rotate', resourceId: 'ep-a', before: null, after: wish }]);
    expect(plan.changes[0]?.matchedBy).toBe('a read_only compute of br-1, the only candidate left');
    expect(plan.steps).toMatchObject([
      { id: 'rotate:shop/a', path: '/new/rotate', body: wish, expects: { state: 'absent' }, achieves: wish },
    ]);
  });

  it('to revoke another one says beside which, and leaves the declared one as it is', () => {
    const plan = planWith(saying({ intents: [intent('revoke', OTHER)] }), ONE);
    expect(plan.changes).toMatchObject([
      { action: 'none', resourceId: 'ep-a' },
      {
        action: 'revoke',
        address: 'shop/a',
        resourceId: 'ep-other',
        matchedBy: 'beside ep-a, the declared one',
        before: OTHER.spec,
        after: null,
      },
    ]);
    expect(plan.steps).toMatchObject([
      { id: 'revoke:shop/a#ep-other', body: {}, expects: { id: 'ep-other', attributes: OTHER.spec }, achieves: null },
    ]);
  });

  it('to replace takes the place of every other change, and keeps what that had to note', () => {
    const plan = planWith(
      saying(({ live }) => ({ notes: ['seen'], intents: [intent('replace', live, { notes: ['lost', 'seen'] })] })),
      oneAs('a: { branch: br-1, max: 4 }'),
    );
    const wish = { ...WISH, autoscaling_limit_max_cu: 4 };
    expect(plan.changes).toMatchObject([{ action: 'replace', resourceId: 'ep-a', before: LIVE, after: wish }]);
    expect(plan.changes[0]?.notes.slice(0, 1)).toEqual(['lost']);
    expect(plan.changes[0]?.notes.filter((note) => note === 'seen')).toEqual(['seen']);
    expect(plan.steps.map(({ id, body, needs }) => [id, body, ...needs])).toEqual([
      ['create:shop/a', wish, 'delete:shop/a'],
      ['delete:shop/a', {}],
    ]);
  });

  it('beside another takes over what there was to note, once', () => {
    const plan = planWith(
      saying(({ live }) => ({ notes: ['seen'], intents: [intent('restart', live), intent('revoke', OTHER)] })),
      ONE,
    );
    const said = plan.changes.map(({ action, notes }) => [action, notes.filter((note) => note === 'seen').length]);
    expect(said).toEqual([
      ['restart', 1],
      ['revoke', 0],
    ]);
  });

  it('beside a replacement by the file is left out: what it was about goes', () => {
    const plan = planWith(
      saying(({ live }) => ({ intents: [intent('restart', live)] })),
      oneAs('a: { id: ep-a, branch: br-1, type: read_only }'),
    );
    expect(plan.changes.map(({ action }) => action)).toEqual(['replace']);
  });

  it('beside a difference leaves that a change of its own', () => {
    const plan = planWith(
      saying(({ live }) => ({ intents: [intent('restart', live)] })),
      oneAs('a: { branch: br-1, pooler_enabled: true }'),
    );
    expect(plan.steps.map(({ id, needs }) => [id, ...needs])).toEqual([
      ['restart:shop/a', 'update:shop/a'],
      ['update:shop/a'],
    ]);
  });
});

describe('the word on which a proposal is carried out', () => {
  const restart = (own: Partial<Intent>): Partial<KindRules> =>
    saying(({ live }) => ({ intents: [intent('restart', live, own)] }));
  const rotate = (own: Partial<Intent>): Partial<KindRules> => saying({ intents: [intent('rotate', null, own)] });
  const revoke = (own: Partial<Intent>): Partial<KindRules> => saying({ intents: [intent('revoke', OTHER, own)] });

  it.each<[string, Partial<KindRules>, Partial<PlanInput>, string[]]>([
    ['nobody’s, if nobody asks', restart({ onRequest: true, allowance: 'shop/a' }), {}, []],
    ['an allowance of it', restart({ onRequest: true, allowance: 'shop/a' }), allowing('restart:shop/a'), ['restart']],
    ['or everything at a glob', restart({ onRequest: true, allowance: 'shop/a' }), allowing('*:shop/*'), ['restart']],
    ['not one of another action', restart({ onRequest: true, allowance: 'shop/a' }), allowing('delete:shop/a'), []],
    ['nor of another', restart({ onRequest: true, allowance: 'shop/a' }), allowing('restart:shop/b', '*:blog/*'), []],
    [
      'one of several is enough',
      restart({ onRequest: true, allowance: 'shop/a' }),
      allowing('delete:shop/b', 'restart:shop/a'),
      ['restart'],
    ],
    ['a review, where nothing more is asked', revoke({}), {}, ['revoke']],
    ['not a review, where an allowance is', revoke({ allowance: 'keys/7' }), {}, ['revoke sink_unfillable']],
    ['that allowance, also by a glob', revoke({ allowance: 'keys/7' }), allowing('revoke:keys/*'), ['revoke']],
    ['not a review of a new secret either', rotate({ allowance: 'keys/7' }), {}, ['rotate sink_unfillable']],
    ['nobody’s, unattended', revoke({}), { consent: 'unattended' }, ['revoke consent']],
    ['a review, of what is only probably ours', revoke({ isGuess: true }), {}, ['revoke']],
    ['the file’s own', revoke({ consented: true }), { consent: 'unattended' }, ['revoke']],
    ['none, while the kind itself blocks it', revoke({ blockedBy: ['protect'] }), {}, ['revoke protect']],
    ['none, until it is due', revoke({ due: true }), {}, ['revoke due']],
    ['the nightly run’s, once it is due', revoke({ due: true }), { due: true }, ['revoke']],
  ])('is %s', (_name, own, input, expected) => {
    const plan = planWith(own, { ...ONE, input });
    const said = plan.changes
      .filter(({ action }) => action !== 'none')
      .map(({ action, blockedBy, due }) =>
        [action, ...blockedBy, ...(due && input.due !== true ? ['due'] : [])].join(' '),
      );
    expect(said).toEqual(expected);
    const runs = expected.filter((words) => !words.includes(' '));
    expect(plan.steps.map(({ action }) => action)).toEqual(runs);
  });

  it.each<[Allowance['action'], string, boolean]>([
    ['*', '*', false],
    ['revoke', '*', false],
    ['revoke', 'shop/*', false],
    ['revoke', 'shop/?', false],
    ['revoke', 'shop/other', false],
    ['delete', 'shop/a', false],
    ['revoke', 'shop/a', true],
    ['*', 'shop/a', true],
    ['revoke', `shop/${OTHER.id}`, true],
  ])('where it is only probably meant, %s:%s is %j', (action, address, consents) => {
    const input = { consent: 'unattended', allow: [{ action, address }] } as const;
    const blocked = (isGuess: boolean): unknown =>
      planWith(revoke({ isGuess }), { ...ONE, input }).changes.find((one) => one.action === 'revoke')?.blockedBy;
    expect(blocked(true)).toEqual(consents ? [] : ['consent']);
    if (consents) expect(blocked(false)).toEqual([]);
  });
});
