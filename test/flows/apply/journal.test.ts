// The journal: what must be on the disk before a run goes on, what a later run reads there, and never in the way.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { FileSystem } from '../../../src/apply/file-system.ts';
import { openJournal, readJournal, type Journal } from '../../../src/apply/journal/journal.ts';
import { memoryFiles, type MemoryFiles } from '../../unit/apply/memory-files.ts';
import { createStep, UNMARKED } from './harness.ts';

const PATH = 'state/journal';
const STEP = createStep('s', { branch_id: 'br-a', type: 'read_only' });

interface Opening {
  readonly path?: string;
  readonly run?: string;
  readonly troubles?: string[];
  readonly clock?: VirtualClock;
}

async function journalOf(fileSystem: FileSystem, opening: Opening = {}): Promise<Journal> {
  const { path = PATH, run = 'r1', troubles = [], clock = new VirtualClock() } = opening;
  const onTrouble = (why: string): void => void troubles.push(why);
  return openJournal({ fileSystem, path, clock, run, account: 'sha256:account', onTrouble });
}

/** The calls that this makes on an open journal. */
async function callsOf(act: (journal: Journal) => Promise<unknown>): Promise<readonly string[]> {
  const files = memoryFiles();
  const journal = await journalOf(files);
  files.calls.length = 0;
  await act(journal);
  return files.calls;
}

const put = (files: MemoryFiles, path: string, text: string): void =>
  void files.contents.set(path, new TextEncoder().encode(text));
const text = (files: MemoryFiles): string => new TextDecoder().decode(files.contents.get(PATH));

describe('a journal that is opened', () => {
  it.each([
    ['state/journal', 'state'],
    ['journal', '.'],
    ['/journal', '/'],
    ['a/b/journal', 'a/b'],
  ])('at %s has its name on the disk, in the folder %s', async (path, folder) => {
    const files = memoryFiles();
    await journalOf(files, { path });
    expect(files.calls).toEqual([`open ${path} append`, `folder ${folder}`]);
  });

  it('is rewritten in one go when there is one, and leaves no handle open', async () => {
    const files = memoryFiles();
    put(files, PATH, '');
    put(files, `${PATH}.new`, 'left over');
    await journalOf(files);
    const isHandle = (call: string): boolean => /^open|^close/.test(call);
    const handles = [`open ${PATH} read`, 'close', `open ${PATH}.new create`, 'close', `open ${PATH} append`];
    expect(files.calls.filter(isHandle)).toEqual(handles);
    expect(files.calls.indexOf('sync')).toBeLessThan(files.calls.indexOf('rename'));
    expect([...files.contents.keys()]).toEqual([PATH]);
  });

  it('is pruned to what a later run may need, and mends a torn end', async () => {
    const files = memoryFiles();
    const first = await journalOf(files);
    for (const id of ['2', '3']) {
      await first.intent(STEP, ['1'], true);
      await first.note(STEP, 'acked', id);
      await first.note(STEP, 'stored', id);
    }
    await first.intent({ ...STEP, id: 'open' }, ['1'], true);
    put(files, PATH, `${text(files)}{"torn`);
    const clock = new VirtualClock();
    await clock.advance(60_000);
    await (await journalOf(files, { run: 'r2', clock })).close();
    const { lines, malformed } = await readJournal(files, PATH);
    expect(malformed).toBe(0);
    // The newest that was stored, and what is open.
    expect(lines.map(({ run, type }) => `${run} ${type}`)).toEqual(['r1 intent', 'r1 note', 'r1 note', 'r1 intent']);
  });

  it.each<[string, (files: MemoryFiles) => void]>([
    ['opened', (files) => (files.failing = (call) => (call === `open ${PATH} read` ? 'EMFILE' : null))],
    ['read', (files) => (files.failing = (call) => (call === 'read' ? 'EIO' : null))],
    ['held in memory', (files) => void files.contents.set(PATH, new Uint8Array(64 * 1024 ** 2 + 1))],
  ])('and cannot be %s stays as it is, and the run goes on without it', async (_, spoil) => {
    const files = memoryFiles();
    await (await journalOf(files)).intent(STEP, [], true);
    spoil(files);
    const before = files.contents.get(PATH);
    const troubles: string[] = [];
    await (await journalOf(files, { troubles })).intent(STEP, [], true);
    expect(files.contents.get(PATH) === before).toBe(true);
    expect(troubles).toEqual([expect.stringMatching(/^the journal cannot be written \(E/)]);
  });
});

describe('a line', () => {
  it.each<[string, (journal: Journal) => Promise<void>]>([
    ['an intent', async (journal) => journal.intent(STEP, [], true)],
    ['an answer', async (journal) => journal.note(STEP, 'acked', '1')],
    ['a store', async (journal) => journal.note(STEP, 'stored', '1')],
  ])('that tells %s is on the disk', async (_, write) => {
    expect(await callsOf(write)).toEqual(['write', 'sync']);
  });

  it('comes back as it was written, ids beyond 2^53 and all, and holds no body', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files);
    const step = { ...STEP, body: { key_name: 'visible-only-in-the-body' } };
    await Promise.all([
      journal.intent(step, ['9007199254740993'], true),
      journal.note(STEP, 'acked', '9007199254740995', 1_700_000_000_123),
    ]);
    const { lines, malformed } = await readJournal(files, PATH);
    expect(malformed).toBe(0);
    const of = { run: 'r1', account: 'sha256:account', step: 's', verb: 'POST', pool: { branch_id: 'br-a' } };
    expect(lines).toMatchObject([
      { type: 'intent', ...of, known: ['9007199254740993'] },
      { type: 'note', state: 'acked', id: '9007199254740995', madeAtMs: 1_700_000_000_123 },
    ]);
    expect(text(files)).not.toContain('visible-only-in-the-body');
  });

  it('of a step on something live tells no pool', async () => {
    const files = memoryFiles();
    const expects = { state: 'present', id: 'ep-1', attributes: {}, fingerprint: UNMARKED, joins: null } as const;
    await (await journalOf(files)).intent({ ...STEP, expects }, [], false);
    expect((await readJournal(files, PATH)).lines.at(-1)).toMatchObject({ type: 'intent', pool: null });
  });

  it('that cannot be written is the last one that is tried', async () => {
    const files = memoryFiles();
    const troubles: string[] = [];
    const journal = await journalOf(files, { troubles });
    files.calls.length = 0;
    files.failing = (call) => (call === 'sync' ? 'EIO' : null);
    await journal.intent(STEP, [], true);
    files.failing = () => null;
    await journal.intent(STEP, [], true);
    await journal.note(STEP, 'acked', '1');
    expect(files.calls).toEqual(['write', 'sync']);
    expect(troubles).toEqual(['the journal cannot be written (EIO)']);
  });
});

describe('a journal that is read', () => {
  it('and is not there is whole and empty', async () => {
    expect(await readJournal(memoryFiles(), PATH)).toEqual({ lines: [], malformed: 0 });
  });

  it('and cannot be is malformed', async () => {
    const files = memoryFiles();
    files.failing = () => 'EACCES';
    expect(await readJournal(files, PATH)).toEqual({ lines: [], malformed: 1 });
  });

  it('is closed, whatever happens', async () => {
    const files = memoryFiles();
    put(files, PATH, '');
    files.failing = (call) => (call === 'read' ? 'EIO' : null);
    await readJournal(files, PATH);
    expect(files.calls).toEqual([`open ${PATH} read`, 'read', 'close']);
  });
});

describe('trouble', () => {
  async function worked(files: FileSystem): Promise<readonly string[]> {
    const troubles: string[] = [];
    const journal = await journalOf(files, { troubles });
    await journal.intent(STEP, [], true);
    await journal.note(STEP, 'acked', '1');
    await journal.close();
    return troubles;
  }

  it('with any call is done without the journal, and said once; with closing it is none', async () => {
    const clean = memoryFiles();
    await worked(clean);
    expect(clean.calls.at(-1)).toBe('close');
    for (const [at, name] of clean.calls.entries()) {
      const files = memoryFiles();
      files.failing = (_, number) => (number === at + 1 ? 'ENOSPC' : null);
      const said = name === 'close' ? [] : ['the journal cannot be written (ENOSPC)'];
      expect([name, await worked(files)]).toEqual([name, said]);
    }
  });

  it('without a word of the system is told without one', async () => {
    const open: FileSystem['open'] = async () => Promise.reject(new Error('no'));
    expect(await worked({ ...memoryFiles(), open })).toEqual(['the journal cannot be written']);
  });
});

describe('many lines at once', () => {
  const steps = Array.from({ length: 50 }, (_, at) => ({ ...STEP, id: `s${at}` }));

  it('share a write and a sync with those that came while others were on their way', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files);
    files.calls.length = 0;
    await Promise.all(steps.map(async (step) => journal.intent(step, [], false)));
    expect(files.calls.length).toBeLessThanOrEqual(4);
    const { lines, malformed } = await readJournal(files, PATH);
    expect(malformed).toBe(0);
    expect(lines.flatMap((line) => (line.type === 'intent' ? [line.step] : []))).toEqual(steps.map(({ id }) => id));
  });

  it('none of them counts as written before the sync that holds it', async () => {
    const files = memoryFiles();
    const journal = await journalOf(files);
    const lastCalls: (string | undefined)[] = [];
    await Promise.all(
      steps.map(async (step) => {
        await journal.intent(step, [], false);
        lastCalls.push(files.calls.at(-1));
      }),
    );
    expect(new Set(lastCalls)).toEqual(new Set(['sync']));
  });
});
