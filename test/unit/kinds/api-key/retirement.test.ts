// The old key of a rotation: kept while somebody may need it, and revoked by nobody's oversight.
import { describe, expect, it } from 'vitest';
import { runCases } from './cases.ts';
import { declared, every, type FactsDraft, FILE, judge, key, type KeyDraft } from './world.ts';

describe('the old key of a rotation', () => {
  const pair = (used: string | null, madeNew = '8d'): readonly KeyDraft[] => [
    { id: '41', made: '100d', used },
    { id: '42', made: madeNew, used: '1h' },
  ];
  const facts: FactsDraft = { sinks: '42' };
  runCases([
    ['stays during the overlap, unused or not', every(), '41 100d, 42 6d used 1h', '42', ''],
    ['stays to the end of the overlap', every('after_overlap'), '41 100d, 42 167h used 1h', '42', ''],
    ['goes at its end', every('after_overlap'), '41 100d used 5m, 42 168h used 1h', '42', 'revoke 41'],
    ['goes when it was never used', every(), '41 100d, 42 8d used 1h', '42', 'revoke 41'],
    ['goes when last used well before the new one', every(), '41 100d used 194h, 42 8d used 1h', '42', 'revoke 41'],
    ['stays when it was used shortly before', every(), '41 100d used 193h, 42 8d used 1h', '42', 'retiring_key_in_use'],
    ['stays when it was used since', every(), '41 100d used 3d, 42 8d used 1h', '42', 'retiring_key_in_use'],
    [
      'stays when it was used since, however long ago',
      { ...FILE, rotate: { every: '300d' } },
      '41 300d used 90d, 42 91d used 1h',
      '42',
      'retiring_key_in_use',
    ],
    ['is never revoked by us where that is manual', every('manual'), '41 100d, 42 8d used 1h', '42', ''],
    ['is left alone without a rotation', FILE, '41 100d, 42 8d used 1h', '42', ''],
    [
      'is never the key that the run uses',
      every('after_overlap'),
      '41 100d used 0s, 42 8d used 1h',
      '42',
      'revoke 41 [self]',
      { self: '41' },
    ],
    [
      'is never one that may be what the run uses',
      every('after_overlap'),
      '41 100d used 60d, 42 8d used 1h',
      '42',
      'revoke 41 [self]',
      { self: null },
    ],
    ['is none either that was never used', every(), '41 100d, 42 8d used 1h', '42', 'revoke 41 [self]', { self: null }],
    ['goes with all that are older', every(), '40 200d, 41 100d, 42 8d used 1h', '42', 'revoke 41; revoke 40'],
  ]);

  it('has an address in its note that cannot act on a terminal', () => {
    const [old, current] = pair('3d');
    const keys = [key({ ...(old as KeyDraft), from: '\u001b[2J\n::error::x' }), key(current as KeyDraft)];
    expect(judge(declared(every()), keys, facts).verdict.diagnostics[0]?.message).toContain(
      'from \\u{1b}[2J\\u{a}::error::x',
    );
  });
});
