// What a journal asks of the disk: what must be on it before a run goes on, what need not, and what is left behind.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { FileSystem, OpenFile } from '../../../src/apply/file-system.ts';
import { openJournal, readJournal, type Journal } from '../../../src/apply/journal/journal.ts';
import { createStep } from './harness.ts';
import { memoryFiles, type MemoryFiles } from '../../unit/apply/memory-files.ts';

const PATH = 'state/journal';
const STEP = createStep('s', { branch_id: 'br-a', type: 'read_only' });
const account = 'sha256:account';
const problem = (code: string): Error => Object.assign(new Error(code), { code });

interface Watched {
  readonly files: MemoryFiles;
  readonly fileSystem: FileSystem;
  /** `open PATH MODE`, `write`, `sync`, `close`, `folder PATH`, in order. */
  readonly calls: string[];
  failing: string | null;
}

/** Files that write down what is asked of them, and fail at the call named. */
function watched(): Watched {
  const files = memoryFiles();
  const calls: string[] = [];
  const note = (call: string): void => {
    calls.push(call);
    if (watch.failing !== null && call.startsWith(watch.failing)) throw problem('EIO');
  };
  const fileSystem: FileSystem = {
    ...files,
    async open(path, mode) {
      note(`open ${path} ${mode}`);
      const file = await files.open(path, mode);
      const told: OpenFile = {
        ...file,
        async write(bytes, position) {
          note('write');
          return file.write(bytes, position);
        },
        async sync() {
          note('sync');
          return file.sync();
        },
        async close() {
          note('close');
          return file.close();
        },
      };
      return told;
    },
    async syncFolder(path) {
      note(`folder ${path}`);
    },
  };
  const watch: Watched = { files, fileSystem, calls, failing: null };
  return watch;
}

async function open(watch: Watched, path: string = PATH, troubles: string[] = []): Promise<Journal> {
  const onTrouble = (why: string): void => void troubles.push(why);
  return openJournal({
    fileSystem: watch.fileSystem,
    path,
    clock: new VirtualClock(),
    run: 'r1',
    account,
    onTrouble,
  });
}

describe('a journal that is opened', () => {
  it('has its name on the disk', async () => {
    const watch = watched();
    await open(watch);
    expect(watch.calls).toEqual([`open ${PATH} append`, 'folder state']);
  });

  it('is rewritten in one go when there is one, and leaves no handle open', async () => {
    const watch = watched();
    watch.files.contents.set(PATH, new Uint8Array());
    watch.files.contents.set(`${PATH}.new`, new TextEncoder().encode('left over'));
    await open(watch);
    expect(watch.calls.slice(0, 6)).toEqual([
      `open ${PATH} read`,
      'close',
      `open ${PATH}.new create`,
      'sync',
      'close',
      `open ${PATH} append`,
    ]);
    expect([...watch.files.contents.keys()]).toEqual([PATH]);
  });

  it.each([
    ['journal', '.'],
    ['/journal', '/'],
    ['a/b/journal', 'a/b'],
  ])('at %s lies in the folder %s', async (path, folder) => {
    const watch = watched();
    await open(watch, path);
    expect(watch.calls.at(-1)).toBe(`folder ${folder}`);
  });
});

describe('a line', () => {
  it.each<[string, (journal: Journal) => Promise<void>, readonly string[]]>([
    ['that tells an intent is on the disk', async (journal) => journal.intent(STEP, [], true), ['write', 'sync']],
    ['that tells an answer is on the disk', async (journal) => journal.note(STEP, 'acked', '1'), ['write', 'sync']],
    ['that tells a store is on the disk', async (journal) => journal.note(STEP, 'stored', '1'), ['write', 'sync']],
  ])('%s', async (_, write, expected) => {
    const watch = watched();
    const journal = await open(watch);
    watch.calls.length = 0;
    await write(journal);
    expect(watch.calls).toEqual(expected);
  });

  it('that cannot be written is the last one that is tried', async () => {
    const watch = watched();
    const troubles: string[] = [];
    const journal = await open(watch, PATH, troubles);
    watch.calls.length = 0;
    watch.failing = 'sync';
    await journal.intent(STEP, [], true);
    watch.failing = null;
    await journal.intent(STEP, [], true);
    await journal.note(STEP, 'acked', '1');
    expect(watch.calls).toEqual(['write', 'sync']);
    expect(troubles).toEqual(['the journal cannot be written (EIO)']);
  });

  it('is whole before the next one begins', async () => {
    const watch = watched();
    const journal = await open(watch);
    await Promise.all([journal.intent(STEP, ['1'], true), journal.note(STEP, 'acked', '2')]);
    const { lines, malformed } = await readJournal(watch.files, PATH);
    expect(malformed).toBe(0);
    expect(lines.map(({ type }) => type)).toEqual(['intent', 'note']);
  });

  it('of a step on something live tells no pool', async () => {
    const watch = watched();
    const journal = await open(watch);
    const expects = {
      state: 'present',
      id: 'ep-1',
      attributes: {},
      fingerprint: { lasting: {}, passing: {}, restsOn: [] },
      joins: null,
    } as const;
    await journal.intent({ ...STEP, expects }, [], false);
    expect((await readJournal(watch.files, PATH)).lines.at(-1)).toMatchObject({ type: 'intent', pool: null });
  });
});

describe('a journal that is read', () => {
  it('and is not there is whole and empty', async () => {
    expect(await readJournal(memoryFiles(), PATH)).toEqual({ lines: [], malformed: 0 });
  });

  it('and cannot be is malformed', async () => {
    const open: FileSystem['open'] = async () => Promise.reject(problem('EACCES'));
    expect(await readJournal({ ...memoryFiles(), open }, PATH)).toEqual({ lines: [], malformed: 1 });
  });

  it('is closed, whatever happens', async () => {
    const watch = watched();
    watch.files.contents.set(PATH, new Uint8Array());
    await readJournal(watch.fileSystem, PATH);
    expect(watch.calls).toEqual([`open ${PATH} read`, 'close']);
  });
});

it('trouble without a word of the system is told without one', async () => {
  const watch = watched();
  const troubles: string[] = [];
  const open: FileSystem['open'] = async () => Promise.reject(new Error('no'));
  await openJournal({
    fileSystem: { ...watch.files, open },
    path: PATH,
    clock: new VirtualClock(),
    run: 'r1',
    account,
    onTrouble: (why) => void troubles.push(why),
  });
  expect(troubles).toEqual(['the journal cannot be written']);
});

it('what cannot be closed is no trouble', async () => {
  const watch = watched();
  const troubles: string[] = [];
  const journal = await open(watch, PATH, troubles);
  watch.failing = 'close';
  await journal.close();
  expect(troubles).toEqual([]);
});

describe('many lines at once', () => {
  const steps = Array.from({ length: 50 }, (_, at) =>
    createStep(`s${at}`, { branch_id: `br-${at}`, type: 'read_only' }),
  );

  it('share a write and a sync with those that came while others were on their way', async () => {
    const watch = watched();
    const journal = await open(watch);
    watch.calls.length = 0;
    await Promise.all(steps.map(async (step) => journal.intent(step, [], false)));
    expect(watch.calls.length).toBeLessThanOrEqual(4);
    const { lines, malformed } = await readJournal(watch.fileSystem, PATH);
    expect(malformed).toBe(0);
    expect(lines.flatMap((line) => (line.type === 'intent' ? [line.step] : []))).toEqual(steps.map(({ id }) => id));
  });

  it('none of them counts as written before the sync that holds it', async () => {
    const watch = watched();
    const journal = await open(watch);
    const synced: number[] = [];
    await Promise.all(
      steps.map(async (step) => {
        await journal.intent(step, [], false);
        synced.push(watch.calls.lastIndexOf('sync') - watch.calls.lastIndexOf('write'));
      }),
    );
    expect(new Set(synced)).toEqual(new Set([1]));
  });
});
