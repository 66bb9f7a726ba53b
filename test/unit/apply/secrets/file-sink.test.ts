// A secret in a file: exact, owner-only, never through a link, never over something that is not ours.
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem, type FileSystem } from '../../../../src/apply/file-system.ts';
import { SinkFailure } from '../../../../src/apply/sinks/sink.ts';
import { NEW, OLD, makeFifo, recordOf, sinkIn, systemError, workFolder } from './world.ts';

const HUGE = '9007199254740993';

async function storeIn(workDir: string, id = '42', secret = NEW): Promise<void> {
  const reservation = await sinkIn(workDir).reserve();
  await reservation.store(recordOf(id), { key: secret });
}

describe('a stored secret', () => {
  it('has exactly the four members, with an id that is not rounded, and can be told by its id', async () => {
    const workDir = workFolder();
    await storeIn(workDir, HUGE);
    const text = readFileSync(join(workDir, 'state/secrets/ci.json'), 'utf8');
    expect(text).toContain(`"id": ${HUGE},`);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['name', 'id', 'key', 'created_at']);
    expect(JSON.parse(text)).toMatchObject({ name: 'ci-deploy', key: NEW.reveal() });
    expect(await sinkIn(workDir).check()).toEqual({
      state: 'stored',
      holds: { id: HUGE, name: 'ci-deploy', created_at: '2026-01-01T00:00:00Z' },
      reason: null,
      isOurs: false,
    });
  });

  it('replaces one that others could read by a closed one, after remarking on it', async () => {
    const workDir = workFolder();
    await storeIn(workDir, '41', OLD);
    chmodSync(join(workDir, 'state/secrets/ci.json'), 0o644);
    expect(await sinkIn(workDir).check()).toMatchObject({
      state: 'stored',
      reason: expect.stringContaining('other users can read') as string,
    });
    await storeIn(workDir, '42');
    expect(statSync(join(workDir, 'state/secrets/ci.json')).mode & 0o777).toBe(0o600);
    expect(await sinkIn(workDir).check()).toMatchObject({ holds: { id: '42' }, reason: null });
  });

  it('is forgotten for good, once or twice; what is no record of a secret stays', async () => {
    const workDir = workFolder();
    const path = join(workDir, 'state/secrets/ci.json');
    await sinkIn(workDir).forget();
    await storeIn(workDir, '41');
    for (const times of [1, 2]) {
      await sinkIn(workDir).forget();
      expect(await sinkIn(workDir).check(), `${times}`).toMatchObject({ state: 'absent' });
    }
    writeFileSync(path, 'notes', { mode: 0o600 });
    await expect(sinkIn(workDir).forget()).rejects.toThrow(/not a secret record of trueup/);
    expect(readFileSync(path, 'utf8')).toBe('notes');
  });

  it('can be taken back: the one before is there again, or none', async () => {
    const workDir = workFolder();
    const first = await sinkIn(workDir).reserve();
    await first.store(recordOf('41'), { key: OLD });
    const second = await sinkIn(workDir).reserve();
    await second.store(recordOf('42'), { key: NEW });
    await second.revert();
    expect(await sinkIn(workDir).check()).toMatchObject({ state: 'stored', holds: { id: '41' } });
    await first.revert();
    expect(await sinkIn(workDir).check()).toMatchObject({ state: 'absent' });
  });
});

describe('a reservation', () => {
  it('leaves no trace when it is released, and stores only once', async () => {
    const workDir = workFolder();
    const reservation = await sinkIn(workDir).reserve();
    expect(readdirSync(join(workDir, 'state/secrets'))).toHaveLength(1);
    await reservation.revert();
    await reservation.release();
    await reservation.release();
    expect(readdirSync(join(workDir, 'state/secrets'))).toEqual([]);
    await expect(reservation.store(recordOf('42'), { key: NEW })).rejects.toThrow(SinkFailure);
  });

  it('removes what earlier runs left beside this file, and nothing else', async () => {
    const workDir = workFolder();
    await storeIn(workDir);
    const folder = join(workDir, 'state/secrets');
    const otherFiles = ['.other.json.trueup-dead.tmp', '.ci.json.tmp', 'notes.tmp'];
    const nearly = ['x.ci.json.trueup-dead.tmp', '.ci.json.trueup-dead.tmp.bak', '.ci.json.trueup- dead.tmp'];
    const kept = [...otherFiles, ...nearly];
    for (const name of [...kept, '.ci.json.trueup-dead.tmp', '.ci.json.trueup-gone.tmp'])
      writeFileSync(join(folder, name), '');
    const reservation = await sinkIn(workDir).reserve();
    await reservation.release();
    expect(readdirSync(folder).sort()).toEqual([...kept, 'ci.json'].sort());
  });

  it('does not overwrite a record of another name that came meanwhile', async () => {
    const workDir = workFolder();
    const mine = await sinkIn(workDir).reserve();
    const theirs = await sinkIn(workDir).reserve();
    await theirs.store({ ...recordOf('7'), name: 'other' }, { key: OLD });
    await expect(mine.store(recordOf('42'), { key: NEW })).rejects.toThrow(/holds the secret of "other"/);
    expect(readFileSync(join(workDir, 'state/secrets/ci.json'), 'utf8')).toContain(OLD.reveal());
    expect(readdirSync(join(workDir, 'state/secrets'))).toEqual(['ci.json']);
  });

  it('does not overwrite what came meanwhile and is no record', async () => {
    const workDir = workFolder();
    const reservation = await sinkIn(workDir).reserve();
    mkdirSync(join(workDir, 'state/secrets/ci.json'));
    await expect(reservation.store(recordOf('42'), { key: NEW })).rejects.toThrow('file:ci.json: the path is a folder');
  });

  it('on a file system that keeps no permissions is refused', async () => {
    const open: FileSystem['open'] = async (path, mode) => {
      const file = await nodeFileSystem.open(path, mode);
      return { ...file, facts: async () => ({ ...(await file.facts()), mode: 0o755 }) };
    };
    const sink = sinkIn(workFolder(), { fileSystem: { ...nodeFileSystem, open } });
    await expect(sink.reserve()).rejects.toThrow('file:ci.json: cannot be written: permission denied (EPERM)');
  });

  it('that may not be made is not tried under other names', async () => {
    const tried: string[] = [];
    const open: FileSystem['open'] = async (path, mode) => {
      if (!path.endsWith('.tmp')) return nodeFileSystem.open(path, mode);
      tried.push(path);
      throw systemError('EACCES');
    };
    const sink = sinkIn(workFolder(), { fileSystem: { ...nodeFileSystem, open } });
    await expect(sink.reserve()).rejects.toThrow('file:ci.json: cannot be written: permission denied (EACCES)');
    expect(tried).toHaveLength(1);
  });
});

describe('a target that is not ours to write', () => {
  const OPEN = 'is writable by other users';
  it.each<[string, (path: string, folder: string) => void, string]>([
    ['a symlink', (path) => symlinkSync('/nonexistent', path), 'the path is a symlink, not a plain file'],
    ['a folder', (path) => mkdirSync(path), 'the path is a folder, not a plain file'],
    ['a FIFO', (path) => makeFifo(path), 'the path is a special file, not a plain file'],
    ['an empty file', (path) => writeFileSync(path, ''), ''],
    ['something else than a record', (path) => writeFileSync(path, '{"id": 1}'), 'not a secret record of trueup'],
    ['a file without end', (path) => writeFileSync(path, Buffer.alloc(100_000, 0x20)), ''],
    ['a folder that others may write to', (_, folder) => chmodSync(folder, 0o770), OPEN],
    ['a sticky folder that others may write to', (_, folder) => chmodSync(folder, 0o1777), OPEN],
  ])('is refused: %s', async (_what, prepare, reason) => {
    const workDir = workFolder();
    const folder = join(workDir, 'state/secrets');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    prepare(join(folder, 'ci.json'), folder);
    const before = readdirSync(folder);
    const state = { state: 'broken', holds: null, reason: expect.stringContaining(reason) as string };
    expect(await sinkIn(workDir).check()).toEqual(state);
    await expect(sinkIn(workDir).reserve()).rejects.toThrow(SinkFailure);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('is refused: a folder of the repository that is a symlink out of it', async () => {
    const workDir = workFolder();
    const outside = workFolder();
    symlinkSync(outside, join(workDir, 'state'));
    expect(await sinkIn(workDir).check()).toMatchObject({ state: 'broken' });
    await expect(sinkIn(workDir).reserve()).rejects.toThrow(/symlink/);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('is told from one that is just not there yet', async () => {
    const workDir = workFolder();
    expect(await sinkIn(workDir).check()).toEqual({ state: 'absent', holds: null, reason: null, isElsewhere: true });
    expect(readdirSync(workDir)).toEqual([]);
  });
});
