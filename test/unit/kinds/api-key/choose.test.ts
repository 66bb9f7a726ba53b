// Which live key a declaration means: by pin, by the record in the sink, else the newest, which may be a guess.
import { expect, it } from 'vitest';
import type { Row } from './cases.ts';
import { declared, FILE, judge, keysIn } from './world.ts';

const ROTATED = { ...FILE, rotate: { every: '90d' } };
const VAULT = { secret: { exec: 'vault' }, rotate: { every: '90d' } };
const TWO = '41 60d, 42 10d';

const cases: readonly Row[] = [
  ['no key: none', FILE, '', 'absent', 'none'],
  ['one key: that one', {}, '41 60d', undefined, '41'],
  ['two, of which the sink holds the old one', FILE, TWO, '41', '41 beside 42'],
  ['two, of which the sink holds the new one', FILE, TWO, '42', '42 beside 41'],
  ['two sinks: the newer record', { secret: [{ file: 'ci.json' }, { exec: 'vault' }] }, TWO, '42, 41', '42 beside 41'],
  [
    'ids that a double cannot tell apart',
    FILE,
    '9007199254740993 10d, 9007199254740994 10d',
    '9007199254740993',
    '9007199254740993 beside 9007199254740994',
  ],
  ['two and no record: the newest, by a guess', FILE, TWO, 'absent', '42 beside 41, a guess'],
  ['two and the record of a third that is gone: the newest, by a guess', ROTATED, TWO, '40', '42 beside 41, a guess'],
  ['two and no sink at all: the newest, by a guess', {}, TWO, undefined, '42 beside 41, a guess'],
  [
    'two, rotated into a program that tells no id: the newest that was used',
    VAULT,
    '41 60d, 42 10d used 1h',
    'told nothing',
    '42 beside 41',
  ],
  [
    'two, rotated into such a program, which never got the new value',
    VAULT,
    '41 60d used 1h, 42 10d',
    'told nothing',
    '41 beside 42',
  ],
  ['two, rotated into one and never used: the newest, by a guess', VAULT, TWO, 'told nothing', '42 beside 41, a guess'],
  ['two of an age, rotated: the larger', VAULT, '999 10d used 1h, 1000 10d used 1h', 'told nothing', '1000 beside 999'],
  ['two, rotated, but the program has lost it: the newest, by a guess', VAULT, TWO, 'absent', '42 beside 41, a guess'],
  ["a pin: that one, its namesake is nobody's", { ...FILE, id: 41 }, TWO, '41', '41'],
  ['a pin that a rotation has made old: the record', { ...ROTATED, id: 41 }, TWO, '42', '42 beside 41: stale_pin'],
  ['a pin on the current of a rotation', { ...ROTATED, id: 42 }, TWO, '42', '42 beside 41'],
  ['a pin on a key of another name', { id: 43 }, '43 named other', undefined, '43'],
  ['what a crash left is not the one', { ...FILE, id: 41 }, TWO, '41', '41 beside 42', { leftovers: { 42: 'guess' } }],
  [
    'only what a crash left: none, and it is not a stranger',
    FILE,
    '42 10d',
    'absent',
    'none beside 42',
    { leftovers: { 42: 'told' } },
  ],
  ['absent, one key: that one', { state: 'absent' }, '41 60d', undefined, '41'],
  ['absent, two keys: the newest, by a guess', { state: 'absent' }, TWO, undefined, '42 beside 41, a guess'],
  ['absent and pinned: that one alone', { state: 'absent', id: 41 }, TWO, undefined, '41'],
];

it.each(cases)('the live key of a declaration: %s', (_what, entry, keys, sinks, says, more = {}) => {
  for (const live of [keysIn(keys), keysIn(keys).reverse()]) {
    const { live: chosen, companions, guess, diagnostics } = judge(declared(entry), live, { sinks, ...more }).choice;
    const beside = companions.length === 0 ? '' : ` beside ${companions.map(({ id }) => id).join(', ')}`;
    const codes = diagnostics.length === 0 ? '' : `: ${diagnostics.map(({ code }) => code).join()}`;
    expect(`${chosen?.id ?? 'none'}${beside}${guess ? ', a guess' : ''}${codes}`).toBe(says);
  }
});
