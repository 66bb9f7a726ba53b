// What of a journal is believed, line by line, and what of it a later run is told or keeps.
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  lineText,
  parseJournal,
  type Account,
  type IntentLine,
  type JournalLine,
  type NoteLine,
  type NoteState,
  type Owner,
  type RunLine,
} from '../../../src/apply/journal/lines.ts';
import { orphansFrom, settleDelayMs, worthKeeping } from '../../../src/apply/journal/orphans.ts';
import { completedFrom, refillsFrom, secretsFrom } from '../../../src/apply/journal/past-runs.ts';
import type { Processes } from '../../../src/apply/journal/processes.ts';

const OWNER: Owner = { pid: 42, startTime: 'boot:1', host: 'here' };
const dead: Processes = { self: { ...OWNER, pid: 43 }, isAlive: () => false };

const ACCOUNT: Account = { baseUrl: 'https://one.example/api/v2', orgId: null };
const runLine = (run: string, account: Account = ACCOUNT): RunLine => {
  return { type: 'run', run, seq: 1, atMs: 1000, owner: OWNER, account };
};
const endLine = (run: string): JournalLine => ({ type: 'end', run, seq: 9, atMs: 1000 });
const intent = (run: string, step: string, more: Partial<IntentLine> = {}): IntentLine => ({
  type: 'intent',
  run,
  seq: 2,
  atMs: 1000,
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
  seq: 3,
  atMs: 1000,
  step,
  state,
  id,
});

/** A line with a right sum, whatever stands in it. */
function sealed(content: unknown): string {
  const body = JSON.stringify(content).slice(0, -1);
  return `${body},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}`;
}

describe('a line with a right sum', () => {
  const whole: readonly JournalLine[] = [runLine('r'), intent('r', 's'), note('r', 's', 'acked', '7'), endLine('r')];

  it.each(whole.map((line) => [line.type, line] as const))('of the type %s is read', (_, line) => {
    expect(parseJournal(lineText(line)).lines).toMatchObject([line]);
    expect(parseJournal(`${sealed({ v: 1, ...line })}\n\n`)).toMatchObject({ lines: [line], damaged: 0 });
  });

  const without = (line: JournalLine, key: string): object =>
    Object.fromEntries(Object.entries({ v: 1, ...line }).filter(([name]) => name !== key));
  const torn = whole.flatMap((line) =>
    Object.keys({ v: 1, ...line })
      .filter((key) => key !== 'account')
      .map((key) => [`${line.type} without ${key}`, without(line, key)] as const),
  );
  const bent: readonly (readonly [string, object])[] = [
    ['a future version', { ...endLine('r'), v: 2 }],
    ['a version in words', { ...endLine('r'), v: '1' }],
    ['an unknown type', { v: 1, ...endLine('r'), type: 'begin' }],
    ['a run that is a number', { v: 1, ...endLine('r'), run: 7 }],
    ['a sequence in words', { v: 1, ...endLine('r'), seq: '1' }],
    ['a time in words', { v: 1, ...endLine('r'), atMs: '1' }],
    ['an owner without a host', { v: 1, ...runLine('r'), owner: { pid: 1, startTime: '' } }],
    ['an owner without a start', { v: 1, ...runLine('r'), owner: { pid: 1, host: '' } }],
    ['an owner with a pid in words', { v: 1, ...runLine('r'), owner: { ...OWNER, pid: '1' } }],
    ['an owner that is a list', { v: 1, ...runLine('r'), owner: [] }],
    ['an account without a URL', { v: 1, ...runLine('r'), account: { orgId: null } }],
    ['an account without a word on the organization', { v: 1, ...runLine('r'), account: { baseUrl: 'x' } }],
    ['an organization that is a number', { v: 1, ...runLine('r'), account: { baseUrl: 'x', orgId: 7 } }],
    ['a store that is a number', { v: 1, ...runLine('r'), account: { baseUrl: 'x', orgId: null, store: 7 } }],
    ['a time of making that is a text', { v: 1, ...note('r', 's', 'acked'), madeAtMs: 'x' }],
    ['an account that is a text', { v: 1, ...runLine('r'), account: 'x' }],
    ['known ids that are a text', { v: 1, ...intent('r', 's'), known: '1' }],
    ['a secret in words', { v: 1, ...intent('r', 's'), secret: 'yes' }],
    ['a pool that is a text', { v: 1, ...intent('r', 's'), pool: 'ci' }],
    ['a path that is a number', { v: 1, ...intent('r', 's'), path: 7 }],
    ['a step that is a number', { v: 1, ...note('r', 's', 'done'), step: 7 }],
    ['a list', [1]],
  ];
  it.each([...torn, ...bent])('is no line with %s', (_, content) => {
    expect(parseJournal(sealed(content))).toEqual({ lines: [], damaged: 1 });
  });

  it('of a run of an earlier version, which does not tell its account, is read', () => {
    const { account: _, ...line } = runLine('r');
    expect(parseJournal(sealed({ v: 1, ...line }))).toMatchObject({ lines: [line], damaged: 0 });
  });

  it('is no line beyond 64 KiB', () => {
    const long = intent('r', 's', { known: ['9'.repeat(66_000)] });
    expect(parseJournal(lineText(long))).toEqual({ lines: [], damaged: 1 });
    expect(parseJournal(lineText(intent('r', 's', { known: ['9'.repeat(60_000)] }))).lines).toHaveLength(1);
  });

  it('is read beside others that are damaged, each of which is counted', () => {
    const text = `x\n${lineText(runLine('r'))}y\n${lineText(endLine('r'))}{"torn`;
    expect(parseJournal(text)).toMatchObject({ lines: [{ type: 'run' }, { type: 'end' }], damaged: 3 });
  });

  it('with something before or behind it is none', () => {
    const line = sealed({ v: 1, ...endLine('r') });
    for (const text of [` ${line}`, `${line} `, `${line}}`, line.toUpperCase()])
      expect(parseJournal(text)).toEqual({ lines: [], damaged: 1 });
  });
});

describe('a later run is told', () => {
  const told = (...lines: readonly JournalLine[]) => orphansFrom([runLine('r'), ...lines], dead);

  it.each<[NoteState, boolean]>([
    ['acked', true],
    ['lost', true],
    ['failed', false],
    ['unknown', true],
    ['stored', false],
    ['proved', false],
    ['done', false],
    ['undone', false],
  ])('of an intent whose last note is %s: %s', (state, expected) => {
    expect(told(intent('r', 's'), note('r', 's', state))).toHaveLength(expected ? 1 : 0);
  });

  it('all that it needs to find what was made', () => {
    expect(told(intent('r', 's'), note('r', 's', 'acked', '7'))).toEqual([
      {
        kind: 'api_key',
        address: 'api_keys/ci',
        path: '/api_keys',
        pool: { name: 'ci' },
        known: ['1'],
        id: '7',
        made_at_ms: null,
        owner_alive: false,
        stored_since: null,
        at_ms: 1000,
      },
    ]);
  });

  it('nothing of intents without a secret', () => {
    expect(told(intent('r', 's', { secret: false }))).toEqual([]);
  });

  it('that an owner lives when the beginning of its run is lost', () => {
    expect(orphansFrom([intent('q', 's')], dead)).toMatchObject([{ owner_alive: true }]);
  });

  it.each<[string, readonly JournalLine[]]>([
    ['of another step', [note('r', 'other', 'done', '7')]],
    ['of another run', [note('q', 's', 'done', '7')]],
    ['of the next attempt', [intent('r', 's'), note('r', 's', 'done', '7')]],
    ['that an end is', [endLine('r')]],
  ])('of an intent in spite of a note %s', (_, lines) => {
    expect(told(intent('r', 's'), ...lines)[0]).toMatchObject({ id: null });
  });

  it.each<[string, readonly JournalLine[], string | null]>([
    ['a later one of the address', [intent('q', 't'), note('q', 't', 'stored', '8')], '8'],
    ['the next attempt', [intent('r', 's'), note('r', 's', 'acked', '9'), note('r', 's', 'done', '9')], '9'],
    [
      'the newest of two',
      [intent('q', 't'), note('q', 't', 'stored', '8'), intent('q', 'u'), note('q', 'u', 'proved', '9')],
      '9',
    ],
    ['one that was only answered', [intent('q', 't'), note('q', 't', 'acked', '8')], null],
    ['one that was removed again', [intent('q', 't'), note('q', 't', 'undone', '8')], null],
    ['one of another address', [intent('q', 't', { address: 'api_keys/x' }), note('q', 't', 'stored', '8')], null],
    ['one of another kind', [intent('q', 't', { kind: 'x' }), note('q', 't', 'stored', '8')], null],
    ['one without a secret', [intent('q', 't', { secret: false }), note('q', 't', 'stored', '8')], null],
  ])('what was stored since: %s', (_, lines, stored) => {
    expect(told(intent('r', 's'), ...lines)[0]).toMatchObject({ stored_since: stored });
  });

  it('not what was stored before', () => {
    expect(told(intent('q', 't'), note('q', 't', 'stored', '8'), intent('r', 's'))).toMatchObject([
      { stored_since: null },
    ]);
  });
});

describe('a later run keeps', () => {
  it('open intents with their notes and runs, and what overwrote them', () => {
    const kept: readonly JournalLine[] = [
      runLine('r'),
      intent('r', 's'),
      note('r', 's', 'acked', '7'),
      runLine('q'),
      intent('q', 't'),
      note('q', 't', 'stored', '8'),
    ];
    const other = [
      intent('r', 'closed', { address: 'api_keys/x' }),
      note('r', 'closed', 'done', '6'),
      intent('r', 'plain', { secret: false, pool: null }),
      note('r', 'plain', 'lost'),
      endLine('r'),
      endLine('q'),
    ];
    expect(worthKeeping([...kept, ...other])).toEqual(kept);
  });

  it('what was answered and may not show in a log yet, the newest of each path', () => {
    const asked = (run: string): JournalLine => intent(run, 'plain', { secret: false, pool: null });
    const older = [asked('p'), note('p', 'plain', 'acked', '5')];
    const newer = [asked('q'), note('q', 'plain', 'acked', '5')];
    const kept = worthKeeping([runLine('p'), ...older, runLine('q'), ...newer]).filter(({ type }) => type !== 'run');
    expect(kept).toEqual(newer);
    expect(completedFrom(newer)).toMatchObject([{ ended: false }]);
    expect(completedFrom([...newer, note('q', 'plain', 'done', '5')])).toMatchObject([{ ended: true }]);
  });

  it('the twenty last runs, and an older one that left something open', () => {
    const runs = Array.from({ length: 30 }, (_, at) => runLine(`r${at}`));
    expect(worthKeeping(runs).map(({ run }) => run)).toEqual(runs.slice(10).map(({ run }) => run));
    const open = worthKeeping([...runs, intent('r3', 's')]);
    expect(open.map(({ run }) => run)).toEqual(['r3', ...runs.slice(10).map(({ run }) => run), 'r3']);
  });

  it('every secret and every refill of a run of thousands', () => {
    const lines = Array.from({ length: 5000 }, (_, at): readonly JournalLine[] => {
      const refill = intent('r', `f${at}`, { verb: 'GET', address: `refilled/${at}`, pool: null });
      const made = intent('r', `s${at}`, { address: `made/${at}`, pool: null });
      const ends = [note('r', `s${at}`, 'acked', `${at}`), note('r', `s${at}`, 'stored', `${at}`)];
      return [made, ...ends, refill, note('r', `f${at}`, 'stored')];
    });
    const kept = worthKeeping([runLine('r'), ...lines.flat()]);
    expect([secretsFrom(kept).length, refillsFrom(kept).length]).toEqual([5000, 5000]);
    expect(orphansFrom(kept, dead)).toEqual([]);
  });

  it('the two hundred newest of the open intents', () => {
    const intents = Array.from({ length: 210 }, (_, at) => intent('r', `s${at}`, { address: `api_keys/k${at}` }));
    const kept = worthKeeping([runLine('r'), ...intents]);
    expect(kept).toEqual([runLine('r'), ...intents.slice(10)]);
  });
});

describe('a later run waits', () => {
  it.each<[string, readonly JournalLine[], number, number]>([
    ['for the newest intent', [intent('r', 's'), intent('r', 't', { atMs: 1500 })], 2000, 1500],
    [
      'also when an older one comes later in the file',
      [intent('r', 's', { atMs: 1500 }), intent('q', 't')],
      2000,
      1500,
    ],
    ['not for a run that ended', [intent('r', 's'), intent('q', 't', { atMs: 1500 }), endLine('q')], 2000, 1000],
    ['not for notes', [note('r', 's', 'acked')], 1000, 0],
    ['two seconds at the most, whatever the clocks say', [intent('r', 's', { atMs: 1e12 })], 0, 2000],
  ])('%s', (_, lines, nowMs, expected) => {
    expect(settleDelayMs(lines, nowMs)).toBe(expected);
  });
});
