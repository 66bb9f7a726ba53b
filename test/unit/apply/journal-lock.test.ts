// The lock when several want it, when it changes hands, and when the disk does not obey; and which processes count as alive.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import type { FileSystem } from '../../../src/apply/file-system.ts';
import type { Owner } from '../../../src/apply/journal/lines.ts';
import { acquireLock } from '../../../src/apply/journal/lock.ts';
import type { LockResult } from '../../../src/apply/journal/lock.ts';
import { machineProcesses } from '../../../src/apply/journal/processes.ts';
import type { Processes } from '../../../src/apply/journal/processes.ts';
import { memoryFiles } from './memory-files.ts';
import type { MemoryFiles } from './memory-files.ts';

const PATH = '.trueup/lock';
const OWNER: Owner = { pid: 42, startTime: 'boot:1', host: 'here' };
const DEAD = JSON.stringify({ ...OWNER, run: 'r0' });
const LIVING = JSON.stringify({ ...OWNER, pid: 44, run: 'r9' });
const processes: Processes = { self: { ...OWNER, pid: 43 }, isAlive: ({ pid }) => pid !== 42 };

function put(files: MemoryFiles, path: string, text: string): void {
  files.contents.set(path, new TextEncoder().encode(text));
}

const textOf = (files: MemoryFiles, path: string = PATH): string => new TextDecoder().decode(files.contents.get(path));

interface Taken {
  readonly result: LockResult;
  readonly waitedMs: number;
}

async function take(files: MemoryFiles, changed: Partial<FileSystem> = {}): Promise<Taken> {
  const clock = new VirtualClock();
  const fileSystem = { ...files, ...changed };
  const result = await clock.run(acquireLock({ fileSystem, path: PATH, run: 'r1', processes, clock }));
  return { result, waitedMs: clock.monotonicMs() };
}

describe('a lock', () => {
  it('says who has it, and where', async () => {
    const files = memoryFiles();
    put(files, PATH, LIVING);
    const { result, waitedMs } = await take(files);
    expect(result).toEqual({ state: 'held', owner: expect.objectContaining({ pid: 44 }) as Owner, path: PATH });
    expect(waitedMs).toBe(0);
    expect(textOf(files)).toBe(LIVING);
  });

  it('that is free holds who took it', async () => {
    const files = memoryFiles();
    const { result } = await take(files);
    expect(result).toMatchObject({ state: 'acquired', tookOver: null });
    expect(JSON.parse(textOf(files))).toEqual({ ...processes.self, run: 'r1' });
  });

  it('of a dead owner leaves nothing aside when it is taken over', async () => {
    const files = memoryFiles();
    put(files, PATH, DEAD);
    const { result, waitedMs } = await take(files);
    expect(result).toMatchObject({ state: 'acquired', tookOver: { pid: 42 } });
    expect(waitedMs).toBe(0);
    expect([...files.contents.keys()]).toEqual([PATH]);
  });

  it('that is just being written is waited for, four times a tenth of a second', async () => {
    const files = memoryFiles();
    put(files, PATH, '{"pid":');
    const { result, waitedMs } = await take(files);
    expect(result).toMatchObject({ state: 'acquired', tookOver: null });
    expect(waitedMs).toBe(400);
  });

  it.each(['', 'null', '[]', '{"pid":1}', 'nonsense'])('of nobody (%j) is taken in the end', async (text) => {
    const files = memoryFiles();
    put(files, PATH, text);
    expect((await take(files)).result.state).toBe('acquired');
  });

  it('whose writer finishes meanwhile is its', async () => {
    const files = memoryFiles();
    put(files, PATH, '{"pid":');
    let reads = 0;
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'read' && ++reads === 3) put(files, PATH, LIVING);
      return files.open(path, mode);
    };
    expect((await take(files, { open })).result).toMatchObject({ state: 'held', owner: { pid: 44 } });
  });

  it('that another run takes over first is put back, and is the other one’s', async () => {
    const files = memoryFiles();
    put(files, PATH, DEAD);
    const rename: FileSystem['rename'] = async (from, to) => {
      if (from === PATH) put(files, PATH, LIVING);
      return files.rename(from, to);
    };
    expect((await take(files, { rename })).result).toEqual({ state: 'held', owner: null, path: PATH });
    expect(textOf(files)).toBe(LIVING);
    expect([...files.contents.keys()]).toEqual([PATH]);
  });

  it('that vanishes while it is looked at is tried again', async () => {
    const files = memoryFiles();
    put(files, PATH, DEAD);
    let once = true;
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'read' && once) {
        once = false;
        files.contents.delete(PATH);
      }
      return files.open(path, mode);
    };
    const { result, waitedMs } = await take(files, { open });
    expect(result).toMatchObject({ state: 'acquired', tookOver: null });
    expect(waitedMs).toBe(0);
  });

  it('that vanishes while it is moved aside is tried again', async () => {
    const files = memoryFiles();
    put(files, PATH, DEAD);
    const rename: FileSystem['rename'] = async (from, to) => {
      files.contents.delete(PATH);
      return files.rename(from, to);
    };
    expect((await take(files, { rename })).result.state).toBe('acquired');
  });

  it('that comes and goes for ever is given up', async () => {
    const files = memoryFiles();
    const problem = (code: string): Error => Object.assign(new Error(code), { code });
    let tries = 0;
    const open: FileSystem['open'] = async (_, mode) => {
      tries++;
      throw problem(mode === 'create' ? 'EEXIST' : 'ENOENT');
    };
    expect((await take(files, { open })).result).toEqual({ state: 'held', owner: null, path: PATH });
    expect(tries).toBe(12);
  });

  it.each(['EACCES', 'EIO'])('that cannot be read (%s) is said', async (code) => {
    const files = memoryFiles();
    put(files, PATH, DEAD);
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'read') throw Object.assign(new Error(code), { code });
      return files.open(path, mode);
    };
    expect((await take(files, { open })).result).toEqual({ state: 'unusable', reason: code });
  });

  it('that cannot be written is said, and its file is closed', async () => {
    const files = memoryFiles();
    let closed = 0;
    const open: FileSystem['open'] = async (path, mode) => ({
      ...(await files.open(path, mode)),
      write: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOSPC' })),
      close: async () => {
        closed++;
      },
    });
    expect((await take(files, { open })).result).toEqual({ state: 'unusable', reason: 'ENOSPC' });
    expect(closed).toBe(1);
  });

  it('that cannot be moved aside is said', async () => {
    const files = memoryFiles();
    put(files, PATH, DEAD);
    const rename: FileSystem['rename'] = async () => Promise.reject(Object.assign(new Error('no'), { code: 'EPERM' }));
    expect((await take(files, { rename })).result).toEqual({ state: 'unusable', reason: 'EPERM' });
  });

  it('that fails without a word of the system is said too', async () => {
    const open: FileSystem['open'] = async () => Promise.reject(new Error('no'));
    expect((await take(memoryFiles(), { open })).result).toEqual({
      state: 'unusable',
      reason: 'the lock cannot be written',
    });
  });

  it('is released without a word when that fails, and only once it is ours', async () => {
    const files = memoryFiles();
    const { result } = await take(files, { remove: async () => Promise.reject(new Error('no')) });
    if (result.state !== 'acquired') throw new Error('not acquired');
    await result.lock.release();
    files.contents.delete(PATH);
    await result.lock.release();
    expect(files.contents.size).toBe(0);
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
