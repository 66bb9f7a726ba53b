// What of a journal is believed, line by line, and what of it a later run is told or keeps.
import { describe, expect, it } from 'vitest';
import {
  lineText,
  parseJournal,
  type IntentLine,
  type JournalLine,
  type NoteLine,
  type NoteState,
  secretsFrom,
  worthKeeping,
  youngFor,
} from '../../../src/apply/journal/entries.ts';

const ACCOUNT = 'sha256:account';
const intent = (run: string, step: string, more: Partial<IntentLine> = {}): IntentLine => ({
  type: 'intent',
  run,
  atMs: 1000,
  account: ACCOUNT,
  step,
  kind: 'api_key',
  address: 'api_keys/ci',
  verb: 'POST',
  path: '/api_keys',
  pool: { name: 'ci' },
  known: ['1'],
  secret: true,
  ...more,
});
const note = (run: string, step: string, state: NoteState, id: string | null = null): NoteLine => ({
  type: 'note',
  run,
  atMs: 1000,
  step,
  state,
  id,
  madeAtMs: null,
});

describe('a line', () => {
  const whole: readonly JournalLine[] = [intent('r', 's'), note('r', 's', 'acked', '7')];

  it.each(whole.map((line) => [line.type, line] as const))('of the type %s is read', (_, line) => {
    expect(parseJournal(lineText(line)).lines).toMatchObject([line]);
    expect(parseJournal(`${JSON.stringify({ v: 2, ...line })}\n\n`)).toMatchObject({ lines: [line], malformed: 0 });
  });

  const bent: readonly (readonly [string, unknown])[] = [
    ['a future version', { ...note('r', 's', 'acked'), v: 3 }],
    ['a version in words', { ...note('r', 's', 'acked'), v: '2' }],
    ['no version', note('r', 's', 'acked')],
    ['a list', [1]],
  ];
  it.each(bent)('is no line with %s', (_, content) => {
    expect(parseJournal(`${JSON.stringify(content)}\n`)).toEqual({ lines: [], malformed: 1 });
  });

  it('is read beside malformed ones, each of which is counted, but for a torn last one', () => {
    const text = `x\n${lineText(intent('r', 's'))}y\n${lineText(note('r', 's', 'acked'))}{"torn`;
    expect(parseJournal(text)).toMatchObject({ lines: [{ type: 'intent' }, { type: 'note' }], malformed: 2 });
  });
});

const told = (lines: readonly JournalLine[], holder: string | null = null) => secretsFrom(ACCOUNT, lines, holder);

describe('a later run sees', () => {
  const open = (...lines: readonly JournalLine[]) => told(lines).filter(({ state }) => state === 'open');

  it.each<[NoteState, string | null]>([
    ['acked', 'open'],
    ['stored', 'stored'],
    ['failed', null],
  ])('a secret whose last note is %s as %s', (state, expected) => {
    const found = told([intent('r', 's'), note('r', 's', state)]);
    expect(found.map((one) => one['state'])).toEqual(expected === null ? [] : [expected]);
  });

  it('all that it needs to find what was made', () => {
    expect(told([intent('r', 's'), note('r', 's', 'acked', '7')])).toEqual([
      {
        kind: 'api_key',
        address: 'api_keys/ci',
        path: '/api_keys',
        verb: 'POST',
        pool: { name: 'ci' },
        known: ['1'],
        state: 'open',
        id: '7',
        made_at_ms: null,
        at_ms: 1000,
        alive: false,
        stored_since: null,
      },
    ]);
  });

  it('that the run which holds the lock is alive', () => {
    expect(told([intent('r', 's')], 'r')).toMatchObject([{ alive: true }]);
  });

  it('nothing of intents without a secret', () => {
    expect(open(intent('r', 's', { secret: false }))).toEqual([]);
  });

  it.each<[string, readonly JournalLine[]]>([
    ['of another step', [note('r', 'other', 'stored', '7')]],
    ['of another run', [note('q', 's', 'stored', '7')]],
    ['of the next attempt', [intent('r', 's'), note('r', 's', 'stored', '7')]],
  ])('an intent as open in spite of a note %s', (_, lines) => {
    expect(open(intent('r', 's'), ...lines)[0]).toMatchObject({ id: null });
  });

  const STORED = [intent('r', 't'), note('r', 't', 'stored', '8')];

  it.each<[string, readonly JournalLine[], string | null]>([
    ['a later one of the address', STORED, '8'],
    ['the next attempt', [intent('r', 's'), note('r', 's', 'acked', '9'), note('r', 's', 'stored', '9')], '9'],
    ['the newest', [...STORED, intent('r', 'u'), note('r', 'u', 'stored', '9')], '9'],
    ['one that was only answered', [intent('r', 't'), note('r', 't', 'acked', '8')], null],
    ['one that was removed again', [intent('r', 't'), note('r', 't', 'failed', '8')], null],
    ['one of another address', [intent('r', 't', { address: 'api_keys/x' }), note('r', 't', 'stored', '8')], null],
    ['one of another kind', [intent('r', 't', { kind: 'x' }), note('r', 't', 'stored', '8')], null],
    ['one without a secret', [intent('r', 't', { secret: false }), note('r', 't', 'stored', '8')], null],
  ])('which secret was stored since: %s', (_, lines, stored) => {
    expect(open(intent('r', 's'), ...lines)[0]).toMatchObject({ stored_since: stored });
  });

  it('no secret that was stored before as stored since', () => {
    expect(open(...STORED, intent('r', 's'))).toMatchObject([{ stored_since: null }]);
  });

  it('nothing of another account', () => {
    const other = intent('b', 's', { account: 'sha256:another' });
    expect(told([other, intent('r', 's')])).toHaveLength(1);
    expect(told([intent('r', 's'), other, note('b', 's', 'stored', '8')])).toMatchObject([{ stored_since: null }]);
  });
});

describe('a request is young', () => {
  const young = (nowMs: number, ...lines: readonly JournalLine[]): readonly number[] => [
    ...youngFor(ACCOUNT, [intent('r', 's', { secret: false }), ...lines], nowMs).values(),
  ];

  it('for half a minute after its reply, or after its intent if no reply came', () => {
    expect(young(1000)).toEqual([31_000]);
    expect(young(30_999)).toHaveLength(1);
    expect(young(31_000)).toEqual([]);
    const late: NoteLine = { ...note('r', 's', 'acked', '7'), atMs: 5000 };
    expect(young(31_000, late)).toEqual([35_000]);
  });

  it('never if nothing came of it, or if it comes from a wrong clock', () => {
    expect(young(1000, note('r', 's', 'failed'))).toEqual([]);
    expect(young(-90_000)).toEqual([]);
  });
});

describe('a later run keeps', () => {
  const NOW = 3_600_000;
  const kept = (lines: readonly JournalLine[], nowMs: number = NOW) => worthKeeping(lines, nowMs);

  it('open intents with their notes, and what overwrote them', () => {
    const needed: readonly JournalLine[] = [
      intent('r', 's'),
      note('r', 's', 'acked', '7'),
      intent('q', 't'),
      note('q', 't', 'stored', '8'),
    ];
    const other = [
      intent('r', 'older', { address: 'api_keys/x' }),
      note('r', 'older', 'stored', '5'),
      intent('r', 'refused', { address: 'api_keys/x' }),
      note('r', 'refused', 'failed'),
      intent('r', 'plain', { secret: false, pool: null }),
    ];
    const newer = [intent('q', 'x', { address: 'api_keys/x' }), note('q', 'x', 'stored', '6')];
    expect(kept([...needed, ...other, ...newer])).toEqual([...needed, ...newer]);
  });

  it('the newest secret and the newest refill of an address', () => {
    const lines = ['POST', 'GET', 'POST', 'GET'].flatMap((verb, at): readonly JournalLine[] => [
      intent('r', `s${at}`, { verb }),
      note('r', `s${at}`, 'stored', `${at}`),
    ]);
    expect(kept(lines)).toEqual(lines.slice(4));
  });

  it('young requests', () => {
    const lines = [intent('r', 's', { secret: false }), note('r', 's', 'acked', '7')];
    expect(kept(lines, 2000)).toEqual(lines);
    expect(kept(lines)).toEqual([]);
  });

  it('every secret and every refill of a run of thousands', () => {
    const lines = Array.from({ length: 5000 }, (_, at): readonly JournalLine[] => {
      const refill = intent('r', `f${at}`, { verb: 'GET', address: `refilled/${at}`, pool: null });
      const made = intent('r', `s${at}`, { address: `made/${at}`, pool: null });
      const ends = [note('r', `s${at}`, 'acked', `${at}`), note('r', `s${at}`, 'stored', `${at}`)];
      return [made, ...ends, refill, note('r', `f${at}`, 'stored')];
    });
    expect(told(kept(lines.flat())).length).toBe(10_000);
  });

  it('twenty thousand intents at the most, the newest', () => {
    const intents = Array.from({ length: 20_010 }, (_, at) => intent('r', `s${at}`, { address: `api_keys/k${at}` }));
    expect(kept(intents)).toEqual(intents.slice(10));
  });
});
