// What planning is told besides the list: which key the run itself uses and what the sinks hold.
import { describe, expect, it } from 'vitest';
import { checkReply, type ShapeName } from '../../../../src/api/index.ts';
import { parseJson, type JsonObject } from '../../../../src/base/json.ts';
import type { Reader } from '../../../../src/client/types.ts';
import type { FactsInput, MoreLooks, SinkLookup } from '../../../../src/apply/kind-remote.ts';
import { apiKey } from '../../../../src/kinds/api-key/api-key.ts';
import type { DesiredResource } from '../../../../src/model/desired.ts';
import type { LiveResource } from '../../../../src/model/live.ts';
import { NOW_MS, declared, key } from './world.ts';
import { makePlan } from '../../../../src/plan/make-plan.ts';

const signal = new AbortController().signal;

const noSinks: SinkLookup = { look: async () => Promise.resolve({ state: 'absent', holds: null, reason: null }) };

const LOOKS: MoreLooks = {
  plan: makePlan,
  nowMs: NOW_MS,
  allow: [],
  target: [],
  exclude: [],
  pause: async () => Promise.resolve(NOW_MS),
};

/** A reader that answers each GET with the next text, and checks shapes as the client does. */
function readerOf(...texts: readonly string[]): Reader & { readonly paths: string[] } {
  const paths: string[] = [];
  return {
    paths,
    async get<T>(path: string, shape: ShapeName): Promise<T> {
      const body = parseJson(texts[paths.length] ?? texts.at(-1) ?? '[]');
      paths.push(path);
      const checked = checkReply<T>(shape, body);
      if (!checked.ok) throw new Error(checked.problems.join());
      return Promise.resolve(checked.value);
    },
  };
}

/** The facts that `remote` gathers when each look at the list shows the next of `lists`. */
async function gather(
  lists: readonly (readonly LiveResource[])[],
  { once = false, ...more }: Partial<FactsInput> & { readonly once?: boolean } = {},
): Promise<{ facts: JsonObject; looks: number }> {
  const texts = lists
    .slice(1)
    .map((list) => JSON.stringify(list.map(({ id, spec, observed }) => ({ id, name: spec['name'], ...observed }))));
  const reader = readerOf(...texts);
  const facts = await apiKey.facts?.({
    desired: [declared({ state: 'absent', id: 5 })],
    live: lists[0] ?? [],
    around: [],
    kinds: [],
    projects: [],
    reader,
    signal,
    sinks: noSinks,
    orphans: async () => Promise.resolve([]),
    ...(once ? {} : { looks: LOOKS }),
    ...more,
  });
  return { facts: facts ?? {}, looks: reader.paths.length };
}

describe('our own key', () => {
  /** Keys 5, 6 and 7, last used so long ago. */
  const seen = (...uses: readonly (string | null)[]): readonly LiveResource[] =>
    uses.map((used, at) => key({ id: String(at + 5), name: `n${at}`, used }));
  const cases: readonly [string, self: string | null, lists: readonly (readonly LiveResource[])[]][] = [
    ['is the one that moves each time', '5', [seen('9s', '5d', null), seen('8s', '5d', null), seen('7s', '5d', null)]],
    [
      'is none where uses are shown minutes late: the one that moves is then in use by others',
      null,
      [seen('1d', '602s'), seen('1d', '601s'), seen('1d', '600s')],
    ],
    ['is left when another moved once', '5', [seen('9s', '9s'), seen('8s', '8s'), seen('7s', '8s'), seen('6s', '8s')]],
    ['may be one that was never used before', '5', [seen(null, '5d'), seen('8s', '5d'), seen('7s', '5d')]],
    [
      'is not known while two move with every look',
      null,
      [seen('9s', '9s'), seen('8s', '8s'), seen('7s', '7s'), seen('6s', '6s'), seen('5s', '5s')],
    ],
    ['is not known when nothing moves', null, [seen('9s', '5d'), seen('9s', '5d')]],
    ['is not known if another moved once and ours lags', null, [seen('9s', '9s'), seen('9s', '8s'), seen('9s', '8s')]],
    [
      'is not known when nothing moved at first, whatever moves then',
      null,
      [seen('9s', '9s'), seen('9s', '9s'), seen('9s', '8s'), seen('9s', '7s'), seen('9s', '6s')],
    ],
    ['is not known when different ones move', null, [seen('9s', '9s'), seen('8s', '9s'), seen('8s', '8s')]],
  ];
  it.each(cases)('%s', async (_what, self, lists) => expect((await gather(lists)).facts['self']).toBe(self));

  const SINK = [declared({ secret: { file: 'ci.json' } })];
  /** A place that holds the key of this id; whether its value is ours is not told without a word. */
  const holding = (id: string, isOurs?: boolean): SinkLookup => {
    const told = {
      state: 'stored',
      holds: { id, name: 'ci' },
      reason: null,
      ...(isOurs === undefined ? {} : { isOurs }),
    } as const;
    return { look: async () => Promise.resolve(told) };
  };

  it('is known for certain where a place holds the very value that the run comes with', async () => {
    const sinks = holding('6', true);
    const desired = [...SINK, declared({ state: 'absent', id: 5 })];
    const live = seen('9s', '5d');
    // Key 5 moves with every look, and ours lags.
    const { facts, looks } = await gather([live, seen('8s', '5d'), seen('7s', '5d')], { desired, sinks });
    expect([facts['self'], facts['self_sure'], looks]).toEqual(['6', true, 0]);
    expect((await gather([[key({ id: '5' })]], { desired, sinks, once: true })).facts['self']).toBeNull();
  });

  it('is not the one that moves whenever we look, where a place holds that one and its value is not ours', async () => {
    const desired = [...SINK, declared({ state: 'absent', id: 6 })];
    const lists = [seen('9s', '5d'), seen('8s', '5d'), seen('7s', '5d')];
    expect((await gather(lists, { desired, sinks: holding('5', false) })).facts['self']).toBeNull();
    expect((await gather(lists, { desired, sinks: holding('5') })).facts['self']).toBe('5');
  });

  const one = key({ id: '5', made: '8d' });
  const old = key({ id: '4', made: '100d', used: '9d' });
  const rotating = (revoke = 'when_unused', overlap = '7d'): DesiredResource =>
    declared({ secret: { file: 'ci.json' }, rotate: { every: '90d', overlap, revoke } });
  const stored = holding('5');
  const absent = [declared({ state: 'absent' })];
  const unlisted = key({ id: '9', name: 'unlisted' });
  const replace = { action: 'replace', address: 'api_keys/ci' } as const;
  /** How often the list is read again: two looks that agree, or none. */
  type Asked = Partial<FactsInput> & { readonly once?: boolean };
  const asked: readonly [string, looks: 0 | 2, Asked][] = [
    ['a key shall be absent', 2, { desired: absent }],
    ['a key shall be absent, and the list is read once', 0, { desired: absent, once: true }],
    ['what shall be absent is', 0, { desired: absent, live: [unlisted] }],
    ['what shall be absent is excluded', 0, { desired: absent, looks: { ...LOOKS, exclude: ['api_keys/ci'] } }],
    ['unlisted keys are pruned', 2, { desired: [rotating()], sinks: stored, pruned: true, live: [one, unlisted] }],
    ['unlisted keys are pruned, but the file lists none', 0, { desired: [], pruned: true, live: [one, unlisted] }],
    ['an unlisted key is left alone', 0, { desired: [rotating()], sinks: stored, live: [one, unlisted] }],
    ['an old key is to go', 2, { desired: [rotating()], sinks: stored, live: [one, old] }],
    [
      'an old key is not spoken of',
      0,
      { desired: [rotating()], sinks: stored, live: [one, old], looks: { ...LOOKS, target: ['shop/*'] } },
    ],
    ['an old key is in its overlap', 0, { desired: [rotating('when_unused', '9d')], sinks: stored, live: [one, old] }],
    [
      'an old key is still used',
      0,
      { desired: [rotating()], sinks: stored, live: [one, key({ id: '4', made: '100d', used: '1h' })] },
    ],
    ['an old key is to be revoked by hand', 0, { desired: [rotating('manual')], sinks: stored, live: [one, old] }],
    ['a namesake belongs to nobody', 0, { desired: [declared()], live: [one, old] }],
    ['a lost value may be made anew', 2, { desired: [rotating()], looks: { ...LOOKS, allow: [replace] } }],
    ['nobody asks for a lost value', 0, { desired: [rotating()] }],
    ['a rotation is due', 0, { desired: [rotating()], sinks: stored, live: [old] }],
  ];
  it.each(asked)('costs as many looks as it must: %s', async (_what, looks, more) => {
    const live = more.live ?? [one];
    const used = (ago: string): readonly LiveResource[] => [...live, key({ id: '1', name: 'run', used: ago })];
    expect((await gather([used('9s'), used('8s'), used('7s'), used('6s')], { ...more, live: used('9s') })).looks).toBe(
      looks,
    );
  });
});
