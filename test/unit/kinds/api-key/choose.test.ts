// Which live key a declaration means: by pin, by the record in the sink, else the newest, which may be a guess.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { declared, judge, key, type FactsDraft, type KeyDraft } from './world.ts';

const FILE = { secret: { file: 'ci.json' } };
const EXEC = { secret: { exec: 'vault' } };
const ROTATE = { rotate: { every: '90d' } };
const OLD: KeyDraft = { id: '41', made: '60d' };
const NEW: KeyDraft = { id: '42', made: '10d' };
const BIG: KeyDraft = { id: '9007199254740993', made: '10d' };
const BIGGER: KeyDraft = { id: '9007199254740994', made: '10d' };

interface Case {
  readonly entry: JsonObject;
  readonly keys: readonly KeyDraft[];
  readonly facts?: FactsDraft;
  /** Id, or null for none. */
  readonly chosen: string | null;
  readonly companions: readonly string[];
  readonly codes?: readonly string[];
  /** Another key could be meant just as well. */
  readonly guess?: boolean;
}

const cases: Record<string, Case> = {
  'no key: none': { entry: FILE, keys: [], facts: { sinks: ['absent'] }, chosen: null, companions: [] },
  'one key: that one': { entry: {}, keys: [OLD], chosen: '41', companions: [] },
  'two, of which the sink holds the old one': {
    entry: FILE,
    keys: [OLD, NEW],
    facts: { sinks: ['41'] },
    chosen: '41',
    companions: ['42'],
  },
  'two, of which the sink holds the new one': {
    entry: FILE,
    keys: [OLD, NEW],
    facts: { sinks: ['42'] },
    chosen: '42',
    companions: ['41'],
  },
  'two sinks that differ: the newer record': {
    entry: { secret: [{ file: 'ci.json' }, { exec: 'vault' }] },
    keys: [OLD, NEW],
    facts: { sinks: ['42', '41'] },
    chosen: '42',
    companions: ['41'],
  },
  'ids that a double cannot tell apart': {
    entry: FILE,
    keys: [BIG, BIGGER],
    facts: { sinks: ['9007199254740993'] },
    chosen: '9007199254740993',
    companions: ['9007199254740994'],
  },
  'two and no record: the newest, by a guess': {
    entry: FILE,
    keys: [OLD, NEW],
    facts: { sinks: ['absent'] },
    chosen: '42',
    companions: ['41'],
    guess: true,
  },
  'two and the record of a third that is gone: the newest, by a guess': {
    entry: { ...FILE, ...ROTATE },
    keys: [OLD, NEW],
    facts: { sinks: ['40'] },
    chosen: '42',
    companions: ['41'],
    guess: true,
  },
  'two and no sink at all: the newest, by a guess': {
    entry: {},
    keys: [OLD, NEW],
    chosen: '42',
    companions: ['41'],
    guess: true,
  },
  'two, rotated into a program that tells no id: the newest that was used': {
    entry: { ...EXEC, ...ROTATE },
    keys: [OLD, { ...NEW, used: '1h' }],
    facts: { sinks: ['told nothing'] },
    chosen: '42',
    companions: ['41'],
  },
  'two, rotated into such a program, which never got the new value': {
    entry: { ...EXEC, ...ROTATE },
    keys: [{ ...OLD, used: '1h' }, NEW],
    facts: { sinks: ['told nothing'] },
    chosen: '41',
    companions: ['42'],
  },
  'two, rotated into such a program and never used: the newest, by a guess': {
    entry: { ...EXEC, ...ROTATE },
    keys: [OLD, NEW],
    facts: { sinks: ['told nothing'] },
    chosen: '42',
    companions: ['41'],
    guess: true,
  },
  'two of one age, rotated: the larger id': {
    entry: { ...EXEC, ...ROTATE },
    keys: [
      { id: '999', made: '10d', used: '1h' },
      { id: '1000', made: '10d', used: '1h' },
    ],
    facts: { sinks: ['told nothing'] },
    chosen: '1000',
    companions: ['999'],
  },
  'two, rotated, but the program has lost it: the newest, by a guess': {
    entry: { ...EXEC, ...ROTATE },
    keys: [OLD, NEW],
    facts: { sinks: ['absent'] },
    chosen: '42',
    companions: ['41'],
    guess: true,
  },
  "a pin: that one, its namesake is nobody's": {
    entry: { ...FILE, id: 41 },
    keys: [OLD, NEW],
    facts: { sinks: ['41'] },
    chosen: '41',
    companions: [],
  },
  'a pin that a rotation has made old: the record': {
    entry: { ...FILE, ...ROTATE, id: 41 },
    keys: [OLD, NEW],
    facts: { sinks: ['42'] },
    chosen: '42',
    companions: ['41'],
    codes: ['stale_pin'],
  },
  'a pin on the current of a rotation': {
    entry: { ...FILE, ...ROTATE, id: 42 },
    keys: [OLD, NEW],
    facts: { sinks: ['42'] },
    chosen: '42',
    companions: ['41'],
  },
  'a pin on a key of another name': {
    entry: { id: 43 },
    keys: [{ id: '43', name: 'other' }],
    chosen: '43',
    companions: [],
    codes: ['pin_other_name'],
  },
  'what a crash left is never the one': {
    entry: { ...FILE, id: 41 },
    keys: [OLD, NEW],
    facts: { sinks: ['41'], leftovers: { 42: 'guess' } },
    chosen: '41',
    companions: ['42'],
  },
  'only what a crash left: none, and it is not a stranger': {
    entry: FILE,
    keys: [NEW],
    facts: { sinks: ['absent'], leftovers: { 42: 'told' } },
    chosen: null,
    companions: ['42'],
  },
  'absent, one key: that one': { entry: { state: 'absent' }, keys: [OLD], chosen: '41', companions: [] },
  'absent, two keys: the newest, by a guess': {
    entry: { state: 'absent' },
    keys: [OLD, NEW],
    chosen: '42',
    companions: ['41'],
    guess: true,
  },
  'absent and pinned: that one alone': {
    entry: { state: 'absent', id: 41 },
    keys: [OLD, NEW],
    chosen: '41',
    companions: [],
  },
};

describe('the live key of a declaration', () => {
  it.each(Object.entries(cases))(
    '%s',
    (_what, { entry, keys, facts, chosen, companions, codes = [], guess = false }) => {
      const drafts = keys.map(key);
      for (const live of [drafts, [...drafts].reverse()]) {
        const { choice } = judge(declared(entry), live, facts);
        expect(choice.live?.id ?? null).toBe(chosen);
        expect(choice.companions.map(({ id }) => id)).toEqual(companions);
        expect(choice.diagnostics.map(({ code }) => code)).toEqual(codes);
        expect(choice.guess).toBe(guess);
      }
    },
  );
});
