// What a declared key leads to: rotation, retirement, a value made anew, and never anybody locked out.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { apiKey } from '../../../../src/kinds/api-key/api-key.ts';
import { runCases } from './cases.ts';
import { contextOf, declared, every, FILE } from './world.ts';

const EXEC = { secret: { exec: 'vault' } };
const VAULT = { ...EXEC, rotate: { every: '90d' } };

describe('a key that is to be made', () => {
  runCases([
    ['has a place for its value', FILE, '', 'absent', ''],
    ['has a record of one that is gone, which it replaces', FILE, '', '40', ''],
    ['has no place for its value', {}, '', undefined, 'secret_missing'],
    ['has a broken place', FILE, '', 'broken', 'sink_unusable'],
    ['goes to a machine that may vanish, which is said', FILE, '', 'on ci', 'sink_on_ci'],
    [
      'leaves what a crash left, which is revoked with consent',
      FILE,
      '42',
      'absent',
      'revoke 42 asks',
      { leftovers: { 42: 'told' } },
    ],
  ]);

  it('is not stored over the value of another key', () => {
    const context = contextOf({ sinks: '40' });
    const facts = JSON.parse(JSON.stringify(context.facts).replace('"name":"ci"', '"name":"other"')) as JsonObject;
    const verdict = apiKey.verdict({
      desired: declared(FILE),
      live: null,
      companions: [],
      differs: true,
      restarts: false,
      context: { ...context, facts },
    });
    expect(verdict.blockedBy).toEqual(['sink_unusable']);
    expect(verdict.notes).toEqual(['file:ci.json holds the secret of "other"']);
  });
});

describe('a value that the sink lacks', () => {
  runCases([
    [
      'is made anew only where an allowance names it',
      FILE,
      '42',
      'absent',
      'replace 42 needs api_keys/ci asks; secret_missing',
    ],
    ['because it holds that of a former key', FILE, '42', '41', 'replace 42 needs api_keys/ci asks; secret_missing'],
    [
      'in one of two sinks',
      { secret: [{ file: 'ci.json' }, { exec: 'vault' }] },
      '42',
      '42, absent',
      'replace 42 needs api_keys/ci asks; secret_missing',
    ],
    [
      'of the key that the run itself uses',
      FILE,
      '42 used 0s',
      'absent',
      'replace 42 [self] needs api_keys/ci asks; secret_missing',
      { self: '42' },
    ],
    ['is there after all, as far as a program tells', EXEC, '42', 'told nothing', ''],
    ['cannot be known, since the sink is broken', FILE, '42', 'broken', 'sink_broken'],
    ['does not matter where no sink is declared', {}, '42', undefined, ''],
    ['comes with a rotation anyway', every(), '42 91d', 'absent', 'rotate due; secret_missing'],
  ]);
});

describe('a rotation', () => {
  const notBefore = (time: string): JsonObject => ({ ...FILE, rotate: { not_before: time } });
  runCases([
    ['by age is not due yet', every(), '42 89d', '42', ''],
    ['by age is due on the day', every(), '42 90d', '42', 'rotate due'],
    ['by age needs an age', every(), '42 of unknown age', '42', 'age_unknown'],
    ['by time waits for it', notBefore('2026-06-01T12:00:01Z'), '42', '42', ''],
    ['by time is a difference once it has passed', notBefore('2026-06-01T12:00:00Z'), '42', '42', 'rotate'],
    ['by time happens once', notBefore('2026-05-22T12:00:00Z'), '42 10d', '42', ''],
    ['is held back by a broken sink', every(), '42 90d', 'broken', 'rotate due [sink_unusable]; sink_broken'],
    [
      'does not start while a newer key of unknown origin has the name',
      { ...every(), id: 41 },
      '41 100d, 42 10d',
      '41',
      'newer_namesake',
    ],
    [
      'that was interrupted begins again when a program may hold the lost value',
      VAULT,
      '41 60d, 42 1h',
      'told nothing',
      'revoke 42 asks; rotate',
      { leftovers: { 42: 'stored' } },
    ],
    [
      'that was interrupted begins again when one sink of two has the lost value',
      { secret: [{ file: 'a.json' }, { file: 'b.json' }], rotate: { every: '90d' } },
      '41 60d, 42 1h',
      '42, 41',
      'revoke 42 asks; rotate; secret_missing',
      { leftovers: { 42: 'stored' } },
    ],
    [
      'that was interrupted before storing leaves only a key to be revoked',
      every(),
      '41 60d, 42 1h',
      '41',
      'revoke 42 asks',
      { leftovers: { 42: 'told' } },
    ],
    [
      'does not start beside a newer key that was never used, where the sink is silent',
      VAULT,
      '41 100d used 1h, 42 1h',
      'told nothing',
      'newer_namesake',
    ],
  ]);
});
