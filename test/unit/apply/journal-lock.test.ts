// The lock when several want it, when it changes hands, and when the disk does not obey; and which processes count as alive.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/time/clock.ts';
import { runs } from '../../support/property-runs.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { FileSystem } from '../../../src/apply/file-system.ts';
import {
  acquireLock,
  lockHolder,
  type Holder,
  type LockResult,
  machineProcesses,
  type Owner,
  type Processes,
} from '../../../src/apply/journal/lock.ts';
import { memoryFiles, type MemoryFiles } from './memory-files.ts';

const PATH = 'state/lock';
const FIRST = `${PATH}.1`;
const SECOND = `${PATH}.2`;
const HERE: Owner = { pid: 42, startTime: 'boot:1', host: 'here' };
const DEAD = JSON.stringify({ ...HERE, run: 'r0', sinceMs: 0 });
const LIVING = JSON.stringify({ ...HERE, pid: 44, run: 'r9', sinceMs: 0 });
const elsewhereSince = (sinceMs: number): string =>
  JSON.stringify({ ...HERE, pid: 7, host: 'there', run: 'r9', sinceMs });
const ELSEWHERE = elsewhereSince(new VirtualClock().nowMs());
/** The process 42 of this machine is dead; of others nothing is known. */
const processes: Processes = { self: { ...HERE, pid: 43 }, isAlive: ({ pid }) => pid !== 42 };

function put(files: MemoryFiles, path: string, text: string): void {
  files.contents.set(path, new TextEncoder().encode(text));
}

const textOf = (files: MemoryFiles, path: string): string => new TextDecoder().decode(files.contents.get(path));
const names = (files: MemoryFiles): readonly string[] => [...files.contents.keys()].sort();

async function take(files: MemoryFiles, differing: Partial<FileSystem> = {}): Promise<LockResult> {
  const fileSystem = { ...files, ...differing };
  return acquireLock({ fileSystem, path: PATH, run: 'r1', processes, clock: new VirtualClock() });
}

const problem = (code: string): Error => Object.assign(new Error(code), { code });

describe('a lock', () => {
  it('says who has it, and where', async () => {
    const files = memoryFiles();
    put(files, FIRST, LIVING);
    const result = await take(files);
    expect(result).toEqual({ state: 'held', holder: expect.objectContaining({ pid: 44 }) as Holder, path: FIRST });
    expect(textOf(files, FIRST)).toBe(LIVING);
  });

  it('that is free holds who took it', async () => {
    const files = memoryFiles();
    const result = await take(files);
    expect(result).toMatchObject({ state: 'acquired' });
    const sinceMs = new VirtualClock().nowMs();
    expect(JSON.parse(textOf(files, FIRST))).toEqual({ ...processes.self, run: 'r1', sinceMs });
  });

  it('of a dead owner leaves nothing behind when it is taken over', async () => {
    const files = memoryFiles();
    put(files, FIRST, DEAD);
    const result = await take(files);
    expect(result).toMatchObject({ state: 'acquired' });
    expect(names(files)).toEqual([SECOND]);
  });

  it('is found by its highest number alone', async () => {
    const files = memoryFiles();
    put(files, `${PATH}.9`, DEAD);
    put(files, `${PATH}.10`, LIVING);
    for (const name of ['0', '01', '1e9', '-1', 'x', '9999999999999999']) put(files, `${PATH}.${name}`, DEAD);
    put(files, `${PATH}s.11`, DEAD);
    expect(await take(files)).toMatchObject({ state: 'held', path: `${PATH}.10` });
  });

  it.each(['', 'null', '[]', '{"pid":1}', 'nonsense'])('of nobody (%j) is free', async (text) => {
    const files = memoryFiles();
    put(files, FIRST, text);
    expect((await take(files)).state).toBe('acquired');
  });

  it('that another run takes over first is the other one’s', async () => {
    const files = memoryFiles();
    put(files, FIRST, DEAD);
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'create') put(files, SECOND, LIVING);
      return files.open(path, mode);
    };
    const result = await take(files, { open });
    expect(result).toMatchObject({ state: 'held', holder: { pid: 44 }, path: SECOND });
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
    const result = await take(files, { open });
    expect(result).toMatchObject({ state: 'held', path: `${PATH}.3` });
    expect(names(files)).toEqual([`${PATH}.3`]);
  });

  it('that comes and goes for ever is given up', async () => {
    const open: FileSystem['open'] = async (_, mode) => {
      throw problem(mode === 'create' ? 'EEXIST' : 'ENOENT');
    };
    const result = await take(memoryFiles(), { open });
    expect(result).toEqual({ state: 'held', holder: null, path: PATH });
  });

  it.each(['EACCES', 'EIO'])('that cannot be read (%s) is said', async (code) => {
    const files = memoryFiles();
    put(files, FIRST, DEAD);
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'read') throw problem(code);
      return files.open(path, mode);
    };
    expect(await take(files, { open })).toEqual({ state: 'unusable', reason: code });
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
    expect(await take(files, { open })).toEqual({ state: 'unusable', reason: 'ENOSPC' });
    expect(closed).toBe(1);
  });

  it('that fails without a word of the system is said too', async () => {
    const open: FileSystem['open'] = async () => Promise.reject(new Error('no'));
    expect(await take(memoryFiles(), { open })).toEqual({ state: 'unusable', reason: 'the lock cannot be written' });
  });

  it('that is released is free at once, and its number is never given again', async () => {
    const files = memoryFiles();
    const result = await take(files);
    if (result.state !== 'acquired') throw new Error('not acquired');
    await result.lock.release();
    expect(await lockHolder({ fileSystem: files, path: PATH, processes, clock: new VirtualClock() })).toBeNull();
    const next = await take(files);
    expect(next).toMatchObject({ state: 'acquired' });
    expect(names(files)).toEqual([SECOND]);
  });

  it('is released without a word when that fails', async () => {
    const files = memoryFiles();
    const open: FileSystem['open'] = async (path, mode) =>
      mode === 'write' ? Promise.reject(problem('EIO')) : files.open(path, mode);
    const result = await take(files, { open });
    if (result.state !== 'acquired') throw new Error('not acquired');
    await result.lock.release();
    expect(await lockHolder({ fileSystem: files, path: PATH, processes, clock: new VirtualClock() })).toMatchObject({
      pid: 43,
    });
  });
});

it('a lock of another machine is its owner’s: nobody here knows whether that lives', async () => {
  const files = memoryFiles();
  put(files, FIRST, ELSEWHERE);
  const result = await take(files);
  expect(result).toMatchObject({ state: 'held', holder: { pid: 7, host: 'there' }, path: FIRST });
});

it('a lock that another machine took more than a day ago is free: no run takes so long', async () => {
  const files = memoryFiles();
  put(files, FIRST, elsewhereSince(new VirtualClock().nowMs() - 86_400_001));
  expect((await take(files)).state).toBe('acquired');
});

it('a lock that somebody deleted and another run took is not released', async () => {
  const files = memoryFiles();
  const result = await take(files);
  put(files, FIRST, LIVING);
  if (result.state === 'acquired') await result.lock.release();
  expect(textOf(files, FIRST)).toBe(LIVING);
});

/** Every call to the disk is a step, and chance says whose is next. */
async function contend(scheduler: fc.Scheduler, files: MemoryFiles, count: number): Promise<readonly LockResult[]> {
  const step =
    <A extends readonly unknown[], R>(act: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> =>
      scheduler.schedule(Promise.resolve()).then(async () => act(...args));
  const fileSystem: FileSystem = {
    ...files,
    names: step(files.names),
    link: step(files.link),
    remove: step(files.remove),
    open: async (path, mode) => {
      const file = await step(files.open)(path, mode);
      return { ...file, write: step(file.write), read: step(file.read) };
    },
  };
  const clock = { ...systemClock, nowMs: () => 0 };
  const results = Array.from({ length: count }, async (_, index) =>
    acquireLock({
      fileSystem,
      path: PATH,
      run: `r${index}`,
      processes: { ...processes, self: { ...HERE, pid: 100 + index } },
      clock,
    }),
  );
  await scheduler.waitFor(Promise.all(results));
  return Promise.all(results);
}

it.each([
  ['that is free', null],
  ['of a dead owner', DEAD],
  ['that was released', '{"released":true}'],
  ['that nobody has written', ''],
])('several runs that want a lock at once: %s: one has it at the most, however their calls mix', async (_, text) => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 6 }), async (scheduler, count) => {
      const files = memoryFiles();
      if (text !== null) put(files, `${PATH}.5`, text);
      const results = await contend(scheduler, files, count);
      expect(results.filter(({ state }) => state === 'acquired').length).toBeLessThanOrEqual(1);
    }),
    runs(150),
  );
});

describe('a process', () => {
  const machine = machineProcesses();

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('of the id %d does not exist', (pid) => {
    expect(machine.isAlive({ ...machine.self, pid, startTime: '' })).toBe(false);
  });

  it.each([
    ['of its own is alive', {}, true],
    ['without a start time counts by its id', { startTime: '' }, true],
    ['that does not exist is not alive', { pid: 2 ** 30 }, false],
    ['of another host may be alive for all we know', { host: 'elsewhere', pid: 2 ** 30 }, true],
  ])('%s', (_, more, isAlive) => {
    expect(machine.isAlive({ ...machine.self, ...more })).toBe(isAlive);
  });

  it.runIf(machine.self.startTime !== '')('of another start time is not alive', () => {
    expect(machine.isAlive({ ...machine.self, startTime: 'another boot:1' })).toBe(false);
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
