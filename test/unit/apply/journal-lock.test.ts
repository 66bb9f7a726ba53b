// The lock when several want it, when it changes hands, and when the disk does not obey; and which processes count as alive.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/time/clock.ts';
import { runs } from '../../support/property-runs.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { FileSystem } from '../../../src/apply/folder/file-system.ts';
import type { Owner } from '../../../src/apply/journal/lines.ts';
import { acquireLock, LEASE_MS, lockOwner, type LockResult } from '../../../src/apply/journal/lock.ts';
import { machineProcesses, type Processes } from '../../../src/apply/journal/processes.ts';
import { memoryFiles, type MemoryFiles } from './memory-files.ts';

const PATH = 'state/lock';
const FIRST = `${PATH}.1`;
const SECOND = `${PATH}.2`;
const HERE: Owner = { pid: 42, startTime: 'boot:1', host: 'here' };
const DEAD = JSON.stringify({ ...HERE, run: 'r0' });
const LIVING = JSON.stringify({ ...HERE, pid: 44, run: 'r9' });
const ELSEWHERE = JSON.stringify({ ...HERE, pid: 7, host: 'there', run: 'r9', renewed: '000000000' });
/** The process 42 of this machine is dead; of others nothing is known. */
const processes: Processes = { self: { ...HERE, pid: 43 }, isAlive: ({ pid }) => pid !== 42 };

function put(files: MemoryFiles, path: string, text: string): void {
  files.contents.set(path, new TextEncoder().encode(text));
}

const textOf = (files: MemoryFiles, path: string): string => new TextDecoder().decode(files.contents.get(path));
const names = (files: MemoryFiles): readonly string[] => [...files.contents.keys()].sort();

interface Taken {
  readonly result: LockResult;
  readonly waitedMs: number;
  readonly waitedFor: readonly Owner[];
}

interface Circumstances {
  readonly fileSystem?: Partial<FileSystem>;
  readonly signal?: AbortSignal;
  /** Acts of others, by the time at which they happen. */
  readonly meanwhile?: Readonly<Record<number, () => void>>;
}

async function take(files: MemoryFiles, around: Circumstances = {}): Promise<Taken> {
  const clock = new VirtualClock();
  const waitedFor: Owner[] = [];
  for (const [atMs, act] of Object.entries(around.meanwhile ?? {})) void clock.sleep(Number(atMs)).then(act);
  const result = await clock.run(
    acquireLock({
      fileSystem: { ...files, ...around.fileSystem },
      path: PATH,
      run: 'r1',
      processes,
      clock,
      onWait: (owner) => waitedFor.push(owner),
      ...(around.signal === undefined ? {} : { signal: around.signal }),
    }),
  );
  return { result, waitedMs: clock.monotonicMs(), waitedFor };
}

const problem = (code: string): Error => Object.assign(new Error(code), { code });

describe('a lock', () => {
  it('says who has it, and where', async () => {
    const files = memoryFiles();
    put(files, FIRST, LIVING);
    const { result, waitedMs } = await take(files);
    expect(result).toEqual({ state: 'held', owner: expect.objectContaining({ pid: 44 }) as Owner, path: FIRST });
    expect(waitedMs).toBe(0);
    expect(textOf(files, FIRST)).toBe(LIVING);
  });

  it('that is free holds who took it', async () => {
    const files = memoryFiles();
    const { result } = await take(files);
    expect(result).toMatchObject({ state: 'acquired', tookOver: null });
    expect(JSON.parse(textOf(files, FIRST))).toEqual({ ...processes.self, run: 'r1', renewed: '000000000' });
  });

  it('of a dead owner leaves nothing behind when it is taken over', async () => {
    const files = memoryFiles();
    put(files, FIRST, DEAD);
    const { result, waitedMs } = await take(files);
    expect(result).toMatchObject({ state: 'acquired', tookOver: { pid: 42 } });
    expect(waitedMs).toBe(0);
    expect(names(files)).toEqual([SECOND]);
  });

  it('is found by its highest number alone', async () => {
    const files = memoryFiles();
    put(files, `${PATH}.9`, DEAD);
    put(files, `${PATH}.10`, LIVING);
    for (const name of ['0', '01', '1e9', '-1', 'x', '9999999999999999']) put(files, `${PATH}.${name}`, DEAD);
    put(files, `${PATH}s.11`, DEAD);
    expect((await take(files)).result).toMatchObject({ state: 'held', path: `${PATH}.10` });
  });

  it('that is just being written is waited for, four times a tenth of a second', async () => {
    const files = memoryFiles();
    put(files, FIRST, '{"pid":');
    const { result, waitedMs } = await take(files);
    expect(result).toMatchObject({ state: 'acquired', tookOver: null });
    expect(waitedMs).toBe(400);
  });

  it.each(['', 'null', '[]', '{"pid":1}', 'nonsense'])('of nobody (%j) is taken in the end', async (text) => {
    const files = memoryFiles();
    put(files, FIRST, text);
    expect((await take(files)).result.state).toBe('acquired');
  });

  it('whose writer finishes meanwhile is its', async () => {
    const files = memoryFiles();
    put(files, FIRST, '{"pid":');
    const { result } = await take(files, { meanwhile: { 250: () => put(files, FIRST, LIVING) } });
    expect(result).toMatchObject({ state: 'held', owner: { pid: 44 } });
  });

  it('whose writer finishes in the very moment of the take-over is its', async () => {
    const files = memoryFiles();
    put(files, FIRST, DEAD);
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'create') put(files, FIRST, LIVING);
      return files.open(path, mode);
    };
    expect((await take(files, { fileSystem: { open } })).result).toMatchObject({ state: 'held', owner: { pid: 44 } });
    expect(names(files)).toEqual([FIRST]);
  });

  it('that another run takes over first is the other one’s', async () => {
    const files = memoryFiles();
    put(files, FIRST, DEAD);
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'create') put(files, SECOND, LIVING);
      return files.open(path, mode);
    };
    const { result } = await take(files, { fileSystem: { open } });
    expect(result).toMatchObject({ state: 'held', owner: { pid: 44 }, path: SECOND });
    expect(textOf(files, SECOND)).toBe(LIVING);
  });

  it.each([
    ['a dead one', DEAD],
    ['none', null],
  ])('is not taken by a run that saw %s before others had come and gone', async (_, seen) => {
    const files = memoryFiles();
    if (seen !== null) put(files, FIRST, seen);
    const open: FileSystem['open'] = async (path, mode) => {
      // Two others have had it since: of the first nothing is left.
      if (mode === 'create') files.contents.delete(FIRST);
      if (mode === 'create') put(files, `${PATH}.3`, LIVING);
      return files.open(path, mode);
    };
    const { result } = await take(files, { fileSystem: { open } });
    expect(result).toMatchObject({ state: 'held', path: `${PATH}.3` });
    expect(names(files)).toEqual([`${PATH}.3`]);
  });

  it('that comes and goes for ever is given up', async () => {
    const open: FileSystem['open'] = async (_, mode) => {
      throw problem(mode === 'create' ? 'EEXIST' : 'ENOENT');
    };
    const { result } = await take(memoryFiles(), { fileSystem: { open } });
    expect(result).toEqual({ state: 'held', owner: null, path: PATH });
  });

  it.each(['EACCES', 'EIO'])('that cannot be read (%s) is said', async (code) => {
    const files = memoryFiles();
    put(files, FIRST, DEAD);
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'read') throw problem(code);
      return files.open(path, mode);
    };
    expect((await take(files, { fileSystem: { open } })).result).toEqual({ state: 'unusable', reason: code });
  });

  it('that cannot be written is said, and its file is closed', async () => {
    const files = memoryFiles();
    let closed = 0;
    const open: FileSystem['open'] = async (path, mode) => ({
      ...(await files.open(path, mode)),
      write: async () => Promise.reject(problem('ENOSPC')),
      close: async () => {
        closed++;
      },
    });
    expect((await take(files, { fileSystem: { open } })).result).toEqual({ state: 'unusable', reason: 'ENOSPC' });
    expect(closed).toBe(1);
  });

  it('that fails without a word of the system is said too', async () => {
    const open: FileSystem['open'] = async () => Promise.reject(new Error('no'));
    expect((await take(memoryFiles(), { fileSystem: { open } })).result).toEqual({
      state: 'unusable',
      reason: 'the lock cannot be written',
    });
  });

  it('that is released is free at once, and its number is never given again', async () => {
    const files = memoryFiles();
    const { result } = await take(files);
    if (result.state !== 'acquired') throw new Error('not acquired');
    await result.lock.release();
    expect(await lockOwner({ fileSystem: files, path: PATH })).toBeNull();
    const next = await take(files);
    expect(next).toMatchObject({ result: { state: 'acquired', tookOver: null }, waitedMs: 0 });
    expect(names(files)).toEqual([SECOND]);
  });

  it('is released without a word when that fails', async () => {
    const files = memoryFiles();
    const open: FileSystem['open'] = async (path, mode) =>
      mode === 'write' ? Promise.reject(problem('EIO')) : files.open(path, mode);
    const { result } = await take(files, { fileSystem: { open } });
    if (result.state !== 'acquired') throw new Error('not acquired');
    await result.lock.release();
    expect(await lockOwner({ fileSystem: files, path: PATH })).toMatchObject({ pid: 43 });
  });
});

describe('a lock of another machine', () => {
  const theirs = (): MemoryFiles => {
    const files = memoryFiles();
    put(files, FIRST, ELSEWHERE);
    return files;
  };
  const renewed = ELSEWHERE.replace('"000000000"', '"000000001"');

  it('whose lease lapses is taken over, and that is waited for in words', async () => {
    const { result, waitedMs, waitedFor } = await take(theirs());
    expect(result).toMatchObject({ state: 'acquired', tookOver: { pid: 7, host: 'there' } });
    expect(waitedMs).toBe(LEASE_MS);
    expect(waitedFor).toMatchObject([{ pid: 7, host: 'there' }]);
  });

  it.each([0, 4000, LEASE_MS - 1000])('that is renewed after %d ms is its owner’s', async (atMs) => {
    const files = theirs();
    const { result, waitedMs } = await take(files, { meanwhile: { [atMs]: () => put(files, FIRST, renewed) } });
    expect(result).toMatchObject({ state: 'held', owner: { pid: 7, host: 'there' } });
    expect(waitedMs).toBeLessThanOrEqual(atMs + 1000);
  });

  it('that is released meanwhile is free', async () => {
    const files = theirs();
    const released = { 3500: () => put(files, FIRST, '{"released":true}   ') };
    const { result, waitedMs } = await take(files, { meanwhile: released });
    expect(result.state).toBe('acquired');
    expect(waitedMs).toBe(4000);
  });

  it('is not waited for when the run is told to stop', async () => {
    const stop = new AbortController();
    const { result, waitedMs } = await take(theirs(), {
      signal: stop.signal,
      meanwhile: { 1500: () => stop.abort() },
    });
    expect(result.state).toBe('held');
    expect(waitedMs).toBeLessThan(2000);
  });
});

describe('a lease', () => {
  const held = async (files: MemoryFiles) => {
    const clock = new VirtualClock();
    const result = await acquireLock({ fileSystem: files, path: PATH, run: 'r1', processes, clock });
    if (result.state !== 'acquired') throw new Error('not acquired');
    return { clock, lock: result.lock };
  };

  it('is renewed at least three times while another machine would watch it', async () => {
    const files = memoryFiles();
    const { clock, lock } = await held(files);
    const seen = new Set<string>();
    for (let atMs = 0; atMs < LEASE_MS; atMs += 1000) {
      await clock.run(clock.sleep(1000));
      seen.add(textOf(files, FIRST));
    }
    expect(seen.size).toBeGreaterThan(3);
    expect(new Set([...seen].map(({ length }) => length)).size).toBe(1);
    expect(lock.lost.aborted).toBe(false);
    await lock.release();
  });

  it('is lost to a later owner, whose lock a release leaves alone', async () => {
    const files = memoryFiles();
    const { clock, lock } = await held(files);
    put(files, SECOND, LIVING);
    await clock.run(clock.sleep(5001));
    expect(lock.lost.aborted).toBe(true);
    await lock.release();
    expect(textOf(files, SECOND)).toBe(LIVING);
  });

  it('is lost when somebody deletes it', async () => {
    const files = memoryFiles();
    const { clock, lock } = await held(files);
    files.contents.delete(FIRST);
    await clock.run(clock.sleep(5001));
    expect(lock.lost.aborted).toBe(true);
  });

  it('outlives a disk that fails for a moment', async () => {
    const files = memoryFiles();
    const { clock, lock } = await held(files);
    files.failing = { call: files.calls + 1, code: 'EIO' };
    await clock.run(clock.sleep(10_001));
    expect(lock.lost.aborted).toBe(false);
    await lock.release();
  });
});

describe('several runs that want a lock at once', () => {
  /** Every call to the disk is a step, and chance says whose is next. */
  async function contend(scheduler: fc.Scheduler, files: MemoryFiles, count: number): Promise<readonly LockResult[]> {
    const step =
      <A extends readonly unknown[], R>(act: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> =>
        scheduler.schedule(Promise.resolve()).then(async () => act(...args));
    const fileSystem: FileSystem = {
      ...files,
      names: step(files.names),
      remove: step(files.remove),
      open: async (path, mode) => {
        const file = await step(files.open)(path, mode);
        return { ...file, write: step(file.write), read: step(file.read) };
      },
    };
    const pause = async (): Promise<void> => scheduler.schedule(Promise.resolve());
    const clock = { ...systemClock, nowMs: () => 0, monotonicMs: () => 0 };
    const results = Array.from({ length: count }, async (_, index) =>
      acquireLock({
        fileSystem,
        path: PATH,
        run: `r${index}`,
        processes: { ...processes, self: { ...HERE, pid: 100 + index } },
        clock: { ...clock, sleep: async (ms, signal) => (ms === 5000 ? never(signal) : pause()) },
      }),
    );
    await scheduler.waitFor(Promise.all(results));
    return Promise.all(results);
  }

  const never = async (signal?: AbortSignal): Promise<void> =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('over')));
    });

  it.each([
    ['that is free', null],
    ['of a dead owner', DEAD],
    ['that was released', '{"released":true}'],
    ['that nobody has written', ''],
  ])('%s: one has it at the most, however their calls mix', async (_, text) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, count) => {
        const files = memoryFiles();
        if (text !== null) put(files, `${PATH}.5`, text);
        const results = await contend(scheduler, files, count);
        expect(results.filter(({ state }) => state === 'acquired').length).toBeLessThanOrEqual(1);
      }),
      runs(150),
    );
  });
});

describe('a process', () => {
  const machine = machineProcesses();

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('of the id %d does not exist', (pid) => {
    expect(machine.isAlive({ ...machine.self, pid, startTime: '' })).toBe(false);
  });

  it('without a start time counts by its id', () => {
    expect(machine.isAlive({ ...machine.self, startTime: '' })).toBe(true);
  });

  it('tells when it started, where the system does', () => {
    expect(machine.self).toMatchObject({ pid: process.pid, host: expect.stringMatching(/./) as string });
    if (process.platform === 'linux') expect(machine.self.startTime).toMatch(/^[0-9a-f-]{36}:[0-9]+$/);
  });

  it.runIf(process.platform === 'linux')(
    'that has ended is not alive, also while its parent has not noticed',
    async () => {
      // A shell that never waits for its child: the child stays as a zombie.
      const shell = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 30'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [chunk] = (await once(shell.stdout, 'data')) as [Buffer];
      const pid = Number(String(chunk).trim());
      const owner = { ...machine.self, pid, startTime: '' };
      await expect.poll(() => machine.isAlive(owner)).toBe(false);
      shell.kill('SIGKILL');
    },
  );
});
