// Protects what the journal says of things made without a secret: whose request made them, and how long that is remembered.
import { describe, expect, it } from 'vitest';
import { creationsFrom } from '../../../src/apply/journal/past-runs.ts';
import type { IntentLine, JournalLine, NoteLine, NoteState, Owner } from '../../../src/apply/journal/lines.ts';
import { worthKeeping } from '../../../src/apply/journal/orphans.ts';
import type { Processes } from '../../../src/apply/journal/processes.ts';

const OWNER: Owner = { pid: 42, startTime: 'boot:1', host: 'here' };
const account = { baseUrl: 'https://one.example/api/v2', orgId: null };
const SELF: Owner = { ...OWNER, pid: 43 };
const dead: Processes = { self: SELF, isAlive: () => false };
const alive: Processes = { self: SELF, isAlive: () => true };

const runLine = (run: string, owner: Owner = OWNER): JournalLine => ({
  type: 'run',
  run,
  seq: 1,
  atMs: 1,
  owner,
  account,
});
const endLine = (run: string): JournalLine => ({ type: 'end', run, seq: 9, atMs: 9 });
const intent = (run: string, address: string, more: Partial<IntentLine> = {}): IntentLine => ({
  type: 'intent',
  run,
  seq: 2,
  atMs: 2,
  step: `create:${address}`,
  kind: 'compute',
  address,
  verb: 'POST',
  path: '/projects/shop-1/endpoints',
  pool: { branch_id: 'br-1', type: 'read_only' },
  known: ['ep-1'],
  secret: false,
  ...more,
});
const note = (run: string, address: string, state: NoteState, id: string | null = null): NoteLine => {
  return { type: 'note', run, seq: 3, atMs: 3, step: `create:${address}`, state, id };
};

describe('a later run is told', () => {
  const ids = (...lines: readonly JournalLine[]) => creationsFrom([runLine('r'), ...lines], dead).map(({ id }) => id);

  it.each<[string, readonly JournalLine[], readonly (string | null)[]]>([
    ['the id of a reply', [intent('r', 'shop/a'), note('r', 'shop/a', 'acked', 'ep-2')], ['ep-2']],
    ['of a lost reply', [intent('r', 'shop/a')], [null]],
    ['of one that was not found', [intent('r', 'shop/a'), note('r', 'shop/a', 'lost')], [null]],
    ['nothing of a refused request', [intent('r', 'shop/a'), note('r', 'shop/a', 'failed')], []],
    [
      'of the lost one before a refused one',
      [intent('r', 'shop/a'), intent('r', 'shop/a'), note('r', 'shop/a', 'failed')],
      [null],
    ],
    ['nothing of what makes nothing', [intent('r', 'shop/a', { pool: null })], []],
    ['nothing of secrets', [intent('r', 'shop/a', { secret: true })], []],
    ['nothing of another step’s reply', [intent('r', 'shop/a'), note('r', 'shop/b', 'acked', 'ep-2')], [null]],
    ['nothing of another run’s reply', [intent('r', 'shop/a'), note('q', 'shop/a', 'acked', 'ep-2')], [null]],
    [
      'the newest answer alone',
      [intent('r', 'shop/a'), intent('q', 'shop/a'), note('q', 'shop/a', 'acked', 'ep-3')],
      ['ep-3'],
    ],
    [
      'what was lost since',
      [intent('r', 'shop/a'), note('r', 'shop/a', 'acked', 'ep-2'), intent('q', 'shop/a')],
      ['ep-2', null],
    ],
    [
      'of each address',
      [intent('r', 'shop/a'), intent('r', 'shop/b'), note('r', 'shop/b', 'acked', 'ep-2')],
      [null, 'ep-2'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(ids(...lines)).toEqual(expected);
  });

  it.each<[string, readonly JournalLine[], Processes, { readonly over: boolean; readonly killed: boolean }]>([
    ['dead', [runLine('r')], dead, { over: true, killed: true }],
    ['dead, and its run has ended', [runLine('r'), endLine('r')], dead, { over: true, killed: false }],
    ['alive', [runLine('r')], alive, { over: false, killed: false }],
    ['alive, and its run has ended', [runLine('r'), endLine('r')], alive, { over: true, killed: false }],
    ['this process', [runLine('r', SELF)], alive, { over: true, killed: true }],
    ['not known', [], dead, { over: false, killed: false }],
  ])('whether the run is over, or was killed: its owner is %s', (_, frame, processes, ends) => {
    expect(creationsFrom([...frame, intent('r', 'shop/a')], processes)).toMatchObject([
      { kind: 'compute', address: 'shop/a', pool: { branch_id: 'br-1' }, known: ['ep-1'], at_ms: 2, ...ends },
    ]);
  });
});

it('a later run is told when a reply says that it was made', () => {
  const told = (line: NoteLine): unknown =>
    creationsFrom([runLine('r'), intent('r', 'shop/a'), line], dead)[0]?.['made_at_ms'];
  expect(told({ ...note('r', 'shop/a', 'acked', 'ep-2'), madeAtMs: 5 })).toBe(5);
  expect(told(note('r', 'shop/a', 'acked', 'ep-2'))).toBe(null);
});

describe('a later run keeps', () => {
  it('the newest answer of an address with its run’s beginning and end, and nothing older', () => {
    const old = [intent('p', 'shop/a'), note('p', 'shop/a', 'acked', 'ep-2')];
    const kept = [runLine('r'), intent('r', 'shop/a'), note('r', 'shop/a', 'acked', 'ep-3'), endLine('r')];
    const refused = [intent('r', 'shop/b'), note('r', 'shop/b', 'failed')];
    expect(worthKeeping([...old, ...kept, ...refused])).toEqual(kept);
    expect(worthKeeping(kept)).toEqual(kept);
  });

  it('two hundred of them, the newest', () => {
    const intents = Array.from({ length: 210 }, (_, at) => intent('r', `shop/c${at}`));
    expect(worthKeeping([runLine('r'), ...intents])).toEqual([runLine('r'), ...intents.slice(10)]);
  });
});
