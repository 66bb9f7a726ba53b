// What a declared key leads to: rotation, retirement, a value made anew, and never anybody locked out.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { apiKey } from '../../../../src/kinds/api-key/api-key.ts';
import { runCases } from './cases.ts';
import { contextOf, declared } from './world.ts';

const FILE = { secret: { file: 'ci.json' } };
const EXEC = { secret: { exec: 'vault' } };
const every = (revoke = 'when_unused'): JsonObject => ({ ...FILE, rotate: { every: '90d', overlap: '7d', revoke } });

describe('a key that is to be made', () => {
  runCases({
    'has a place for its value': { entry: FILE, keys: [], facts: { sinks: ['absent'] }, intents: [] },
    'has a record of one that is gone, which it replaces': {
      entry: FILE,
      keys: [],
      facts: { sinks: ['40'] },
      intents: [],
    },
    'has no place for its value': { entry: {}, keys: [], intents: [], blockedBy: ['secret_missing'] },
    'has a broken place': {
      entry: FILE,
      keys: [],
      facts: { sinks: ['broken'] },
      intents: [],
      blockedBy: ['sink_unusable'],
    },
    'goes to a machine that may vanish, which is said': {
      entry: FILE,
      keys: [],
      facts: { sinks: ['on ci'] },
      intents: [],
      codes: ['sink_on_ci'],
    },
    'leaves what a crash left, which is revoked with consent': {
      entry: FILE,
      keys: [{ id: '42' }],
      facts: { sinks: ['absent'], leftovers: { 42: 'told' } },
      intents: ['revoke 42 asks'],
    },
  });

  it('is not stored over the value of another key', () => {
    const context = contextOf({ sinks: ['40'] });
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
  runCases({
    'is made anew only where an allowance names it': {
      entry: FILE,
      keys: [{ id: '42' }],
      facts: { sinks: ['absent'] },
      intents: ['replace 42 needs api_keys/ci asks'],
      codes: ['secret_missing'],
    },
    'because it holds that of a former key': {
      entry: FILE,
      keys: [{ id: '42' }],
      facts: { sinks: ['41'] },
      intents: ['replace 42 needs api_keys/ci asks'],
      codes: ['secret_missing'],
    },
    'in one of two sinks': {
      entry: { secret: [{ file: 'ci.json' }, { exec: 'vault' }] },
      keys: [{ id: '42' }],
      facts: { sinks: ['42', 'absent'] },
      intents: ['replace 42 needs api_keys/ci asks'],
      codes: ['secret_missing'],
    },
    'of the key that the run itself uses': {
      entry: FILE,
      keys: [{ id: '42', used: '0s' }],
      facts: { sinks: ['absent'], self: '42' },
      intents: ['replace 42 [self] needs api_keys/ci asks'],
      codes: ['secret_missing'],
    },
    'is there after all, as far as a program tells': {
      entry: EXEC,
      keys: [{ id: '42' }],
      facts: { sinks: ['told nothing'] },
      intents: [],
    },
    'cannot be known, since the sink is broken': {
      entry: FILE,
      keys: [{ id: '42' }],
      facts: { sinks: ['broken'] },
      intents: [],
      codes: ['sink_broken'],
    },
    'does not matter where no sink is declared': { entry: {}, keys: [{ id: '42' }], intents: [] },
    'comes with a rotation anyway': {
      entry: every(),
      keys: [{ id: '42', made: '91d' }],
      facts: { sinks: ['absent'] },
      intents: ['rotate due'],
      codes: ['secret_missing'],
    },
  });
});

describe('a rotation', () => {
  const notBefore = (time: string): JsonObject => ({ ...FILE, rotate: { not_before: time } });
  runCases({
    'by age is not due yet': {
      entry: every(),
      keys: [{ id: '42', made: '89d' }],
      facts: { sinks: ['42'] },
      intents: [],
    },
    'by age is due on the day': {
      entry: every(),
      keys: [{ id: '42', made: '90d' }],
      facts: { sinks: ['42'] },
      intents: ['rotate due'],
    },
    'by age needs an age': {
      entry: every(),
      keys: [{ id: '42', made: null }],
      facts: { sinks: ['42'] },
      intents: [],
      codes: ['age_unknown'],
    },
    'by time waits for it': {
      entry: notBefore('2026-06-01T12:00:01Z'),
      keys: [{ id: '42' }],
      facts: { sinks: ['42'] },
      intents: [],
    },
    'by time is a difference once it has passed': {
      entry: notBefore('2026-06-01T12:00:00Z'),
      keys: [{ id: '42' }],
      facts: { sinks: ['42'] },
      intents: ['rotate'],
    },
    'by time happens once': {
      entry: notBefore('2026-05-22T12:00:00Z'),
      keys: [{ id: '42', made: '10d' }],
      facts: { sinks: ['42'] },
      intents: [],
    },
    'is held back by a broken sink': {
      entry: every(),
      keys: [{ id: '42', made: '90d' }],
      facts: { sinks: ['broken'] },
      intents: ['rotate due [sink_unusable]'],
      codes: ['sink_broken'],
    },
    'does not start while a newer key of unknown origin has the name': {
      entry: { ...every(), id: 41 },
      keys: [
        { id: '41', made: '100d' },
        { id: '42', made: '10d' },
      ],
      facts: { sinks: ['41'] },
      intents: [],
      codes: ['newer_namesake'],
    },
    'that was interrupted begins again when a program may hold the lost value': {
      entry: { ...EXEC, rotate: { every: '90d' } },
      keys: [
        { id: '41', made: '60d' },
        { id: '42', made: '1h' },
      ],
      facts: { sinks: ['told nothing'], leftovers: { 42: 'stored' } },
      intents: ['revoke 42 asks', 'rotate'],
    },
    'that was interrupted begins again when one sink of two has the lost value': {
      entry: { secret: [{ file: 'a.json' }, { file: 'b.json' }], rotate: { every: '90d' } },
      keys: [
        { id: '41', made: '60d' },
        { id: '42', made: '1h' },
      ],
      facts: { sinks: ['42', '41'], leftovers: { 42: 'stored' } },
      intents: ['revoke 42 asks', 'rotate'],
      codes: ['secret_missing'],
    },
    'that was interrupted before storing leaves only a key to be revoked': {
      entry: every(),
      keys: [
        { id: '41', made: '60d' },
        { id: '42', made: '1h' },
      ],
      facts: { sinks: ['41'], leftovers: { 42: 'told' } },
      intents: ['revoke 42 asks'],
    },
    'does not start beside a newer key that was never used, where the sink is silent': {
      entry: { ...EXEC, rotate: { every: '90d' } },
      keys: [
        { id: '41', made: '100d', used: '1h' },
        { id: '42', made: '1h' },
      ],
      facts: { sinks: ['told nothing'] },
      intents: [],
      codes: ['newer_namesake'],
    },
  });
});
