// Protects other accounts' resources: what a run did elsewhere, or nobody knows where, is no evidence here.
import { describe, expect, it } from 'vitest';
import { byAccount, linesFor } from '../../../src/apply/journal/accounts.ts';
import { creationsFrom, secretsFrom } from '../../../src/apply/journal/past-runs.ts';
import type {
  Account,
  IntentLine,
  JournalLine,
  NoteLine,
  NoteState,
  RunLine,
} from '../../../src/apply/journal/lines.ts';
import { orphansFrom, worthKeeping } from '../../../src/apply/journal/orphans.ts';
import type { Processes } from '../../../src/apply/journal/processes.ts';

const owner = { pid: 42, startTime: 'boot:1', host: 'here' };
const dead: Processes = { self: { ...owner, pid: 43 }, isAlive: () => false };
const HERE: Account = { baseUrl: 'https://one.example/api/v2', orgId: 'org-1' };
const ELSEWHERE: Account = { ...HERE, baseUrl: 'http://localhost/api/v2' };

const runLine = (run: string, account: Account): RunLine => ({ type: 'run', run, seq: 1, atMs: 1, owner, account });
/** The beginning that an earlier version wrote. */
const silent = (run: string): JournalLine => ({ type: 'run', run, seq: 1, atMs: 1, owner });
const intent = (run: string, more: Partial<IntentLine> = {}): IntentLine => ({
  type: 'intent',
  run,
  seq: 2,
  atMs: 2,
  step: 'create:api_keys/ci',
  kind: 'api_key',
  address: 'api_keys/ci',
  verb: 'POST',
  path: '/api_keys',
  pool: { name: 'ci' },
  known: [],
  secret: true,
  ...more,
});
const note = (run: string, state: NoteState, id: string): NoteLine => {
  return { type: 'note', run, seq: 3, atMs: 3, step: 'create:api_keys/ci', state, id };
};

describe('the lines of an account', () => {
  const own = [runLine('a', HERE), intent('a'), note('a', 'acked', '7')];

  it.each<[string, readonly JournalLine[]]>([
    ['another base URL', [runLine('b', ELSEWHERE), intent('b'), note('b', 'acked', '8')]],
    ['another organization', [runLine('b', { ...HERE, orgId: 'org-2' }), intent('b')]],
    ['no organization', [runLine('b', { ...HERE, orgId: null }), intent('b')]],
    ['a store behind the same URL', [runLine('b', { ...HERE, store: 'one' }), intent('b'), note('b', 'acked', '8')]],
    ['an account that an earlier version did not tell', [silent('b'), intent('b'), note('b', 'acked', '8')]],
    ['a run whose beginning is lost', [intent('b'), note('b', 'acked', '8')]],
  ])('are without those of %s', (_, others) => {
    expect(linesFor(HERE, [...others, ...own])).toEqual(own);
    const made = [...others, ...own].map((line) => (line.type === 'intent' ? { ...line, secret: false } : line));
    expect(orphansFrom(linesFor(HERE, [...others, ...own]), dead)).toMatchObject([{ id: '7' }]);
    expect(creationsFrom(linesFor(HERE, made), dead)).toMatchObject([{ id: '7' }]);
  });

  it.each<[string, Account, boolean]>([
    ['the same store', { ...ELSEWHERE, store: 'one' }, true],
    ['another store', { ...ELSEWHERE, store: 'two' }, false],
    ['no store', ELSEWHERE, false],
  ])('of a store are told by %s', (_, account, isOwn) => {
    const lines = [runLine('a', { ...ELSEWHERE, store: 'one' }), intent('a'), note('a', 'acked', '7')];
    expect(linesFor(account, lines)).toEqual(isOwn ? lines : []);
  });

  it('come from all of its runs', () => {
    const again = [runLine('c', HERE), intent('c')];
    expect(linesFor(HERE, [...own, runLine('b', ELSEWHERE), ...again])).toEqual([...own, ...again]);
  });
});

describe('a later run knows', () => {
  const made = (run: string, id: string, ...states: readonly NoteState[]): readonly JournalLine[] => [
    runLine(run, HERE),
    intent(run),
    { ...note(run, 'acked', id), madeAtMs: 99 },
    ...states.map((state) => note(run, state, id)),
    { type: 'end', run, seq: 9, atMs: 9 },
  ];

  it('the newest secret that was made and stored at an address, and when the reply came', () => {
    const lines = [...made('a', '7', 'stored', 'done'), ...made('b', '8', 'stored', 'done')];
    const told = { kind: 'api_key', address: 'api_keys/ci', id: '8', places: null };
    const known = [{ ...told, made_at_ms: 99, answered_at_ms: 3 }];
    expect(secretsFrom(lines)).toEqual(known);
    expect(secretsFrom(worthKeeping(lines))).toEqual(known);
    expect(linesFor(HERE, worthKeeping(lines)).filter(({ type }) => type === 'intent')).toEqual([intent('b')]);
  });

  it('nothing of one that was not stored, or was removed again', () => {
    expect(secretsFrom([...made('a', '7'), ...made('b', '8', 'stored', 'undone')])).toEqual([]);
    expect(secretsFrom(made('b', '8', 'undone'))).toEqual([]);
  });

  it('each of them for long', () => {
    const old = made('old', '7', 'stored', 'done');
    const runs = Array.from({ length: 30 }, (_, at) => runLine(`r${at}`, HERE));
    expect(secretsFrom(linesFor(HERE, worthKeeping([...old, ...runs])))).toMatchObject([{ id: '7' }]);
  });
});

describe('a later run keeps', () => {
  it('what is open in each account: what was stored elsewhere since changes nothing', () => {
    const open = [runLine('a', HERE), intent('a')];
    const stored = [runLine('b', ELSEWHERE), intent('b'), note('b', 'stored', '8')];
    const kept = worthKeeping([...open, ...stored]);
    expect(kept).toEqual([...open, runLine('b', ELSEWHERE)]);
    expect(orphansFrom(linesFor(HERE, [...open, ...stored]), dead)).toMatchObject([{ stored_since: null }]);
  });

  it('nothing that nobody can use, but who ran last', () => {
    expect(worthKeeping([silent('a'), intent('a'), intent('b')])).toEqual([silent('a')]);
  });

  it('the eight accounts that were used last', () => {
    const lines = Array.from({ length: 10 }, (_, at) => runLine(`r${at}`, { ...HERE, orgId: `org-${at}` }));
    const again = runLine('again', { ...HERE, orgId: 'org-0' });
    const runs = byAccount([...lines, again]).map((own) => own.map(({ run }) => run));
    expect(runs).toEqual([['r0', 'again'], ['r9'], ['r8'], ['r7'], ['r6'], ['r5'], ['r4'], ['r3']]);
  });

  it('an account, however many stores were made anew since', () => {
    const stores = Array.from({ length: 10 }, (_, at) => runLine(`s${at}`, { ...ELSEWHERE, store: `${at}` }));
    const runs = byAccount([runLine('a', HERE), ...stores]).map((own) => own.map(({ run }) => run));
    expect(runs).toEqual([['a'], ['s9'], ['s8'], ['s7'], ['s6'], ['s5'], ['s4'], ['s3'], ['s2']]);
  });
});
