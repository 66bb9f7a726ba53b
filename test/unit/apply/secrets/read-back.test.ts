// Protects against disks that say yes and keep something else: what was stored is read back, and only that counts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFileSystem, type FileSystem } from '../../../../src/apply/file-system.ts';
import { SinkFailure } from '../../../../src/apply/sinks/sink.ts';
import { NEW, OLD, recordOf, sinkIn, systemError, workFolder } from './world.ts';

/** A disk on which the first `lies` readings of a file that was just replaced show something else. */
function lyingDisk(lies: number): FileSystem {
  let left = 0;
  let told = 0;
  return {
    ...nodeFileSystem,
    async rename(from, to) {
      await nodeFileSystem.rename(from, to);
      left = 1;
    },
    async open(path, mode) {
      const file = await nodeFileSystem.open(path, mode);
      if (mode !== 'read') return file;
      return {
        ...file,
        async read(maxBytes, position) {
          const bytes = await file.read(maxBytes, position);
          if (left === 0 || told >= lies) return bytes;
          left = 0;
          told++;
          return bytes.map((byte, at) => (at === 20 ? byte ^ 1 : byte));
        },
      };
    },
  };
}

it('a stored secret that reads back as something else is not stored: the place holds what it held before', async () => {
  const workDir = workFolder();
  await (await sinkIn(workDir).reserve()).store(recordOf('41'), { key: OLD });
  const reservation = await sinkIn(workDir, { fileSystem: lyingDisk(1) }).reserve();
  await expect(reservation.store(recordOf('42'), { key: NEW })).rejects.toThrow(
    new SinkFailure('file:ci.json', 'could not be written: the disk reported an error (EIO)'),
  );
  expect(readFileSync(join(workDir, 'state/secrets/ci.json'), 'utf8')).toContain(OLD.reveal());
});

it('what was not replaced need not be put back: a full disk is told as that alone', async () => {
  const workDir = workFolder();
  await (await sinkIn(workDir).reserve()).store(recordOf('41'), { key: OLD });
  const rename: FileSystem['rename'] = async () => Promise.reject(systemError('ENOSPC'));
  const reservation = await sinkIn(workDir, { fileSystem: { ...nodeFileSystem, rename } }).reserve();
  await expect(reservation.store(recordOf('42'), { key: NEW })).rejects.toThrow(
    new SinkFailure('file:ci.json', 'could not be written: the disk is full (ENOSPC)'),
  );
  expect(readFileSync(join(workDir, 'state/secrets/ci.json'), 'utf8')).toContain(OLD.reveal());
});

it('a failure says the word of the system alone, whatever its error quotes', async () => {
  const workDir = workFolder();
  const rename: FileSystem['rename'] = async () =>
    Promise.reject(Object.assign(new Error(`cannot write ${NEW.reveal()}`), { code: 'EIO' }));
  const reservation = await sinkIn(workDir, { fileSystem: { ...nodeFileSystem, rename } }).reserve();
  const failure = await reservation.store(recordOf('42'), { key: NEW }).catch((error: unknown) => String(error));
  expect(failure).toBe('SinkFailure: file:ci.json: could not be written: the disk reported an error (EIO)');
});
