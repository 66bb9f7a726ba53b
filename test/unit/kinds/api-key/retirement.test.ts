// The old key of a rotation: kept while somebody may need it, and revoked by nobody's oversight.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { runCases } from './cases.ts';
import { declared, judge, key, type FactsDraft, type KeyDraft } from './world.ts';

const FILE = { secret: { file: 'ci.json' } };
const every = (revoke = 'when_unused'): JsonObject => ({ ...FILE, rotate: { every: '90d', overlap: '7d', revoke } });

describe('the old key of a rotation', () => {
  const pair = (used: string | null, madeNew = '8d'): readonly KeyDraft[] => [
    { id: '41', made: '100d', used },
    { id: '42', made: madeNew, used: '1h' },
  ];
  const facts: FactsDraft = { sinks: ['42'] };
  runCases({
    'stays during the overlap, unused or not': { entry: every(), keys: pair(null, '6d'), facts, intents: [] },
    'stays to the end of the overlap': { entry: every('after_overlap'), keys: pair(null, '167h'), facts, intents: [] },
    'goes at its end': { entry: every('after_overlap'), keys: pair('5m', '168h'), facts, intents: ['revoke 41'] },
    'goes when it was never used': { entry: every(), keys: pair(null), facts, intents: ['revoke 41'] },
    'goes when it was last used well before the new one was made': {
      entry: every(),
      keys: pair('194h'),
      facts,
      intents: ['revoke 41'],
    },
    'stays when it was used shortly before': {
      entry: every(),
      keys: pair('193h'),
      facts,
      intents: [],
      codes: ['retiring_key_in_use'],
    },
    'stays when it was used since': {
      entry: every(),
      keys: pair('3d'),
      facts,
      intents: [],
      codes: ['retiring_key_in_use'],
    },
    'stays when it was used since, however long ago': {
      entry: { ...FILE, rotate: { every: '300d' } },
      keys: [
        { id: '41', made: '300d', used: '90d' },
        { id: '42', made: '91d', used: '1h' },
      ],
      facts,
      intents: [],
      codes: ['retiring_key_in_use'],
    },
    'is never revoked by us where that is manual': { entry: every('manual'), keys: pair(null), facts, intents: [] },
    'is left alone without a rotation': { entry: FILE, keys: pair(null), facts, intents: [] },
    'is never the key that the run uses': {
      entry: every('after_overlap'),
      keys: pair('0s'),
      facts: { ...facts, self: '41' },
      intents: ['revoke 41 [self]'],
    },
    'is never one that may be what the run uses': {
      entry: every('after_overlap'),
      keys: pair('60d'),
      facts: { ...facts, self: null },
      intents: ['revoke 41 [self]'],
    },
    'is none such either that was never used': {
      entry: every(),
      keys: pair(null),
      facts: { ...facts, self: null },
      intents: ['revoke 41 [self]'],
    },
    'goes with all that are older': {
      entry: every(),
      keys: [{ id: '40', made: '200d' }, ...pair(null)],
      facts,
      intents: ['revoke 41', 'revoke 40'],
    },
  });

  it('has an address in its note that cannot act on a terminal', () => {
    const [old, current] = pair('3d');
    const keys = [key({ ...(old as KeyDraft), from: '\u001b[2J\n::error::x' }), key(current as KeyDraft)];
    expect(judge(declared(every()), keys, facts).verdict.diagnostics[0]?.message).toContain(
      'from \\u{1b}[2J\\u{a}::error::x',
    );
  });
});
