// Replaces a small file atomically: a temporary file beside it is reserved, filled, synced and renamed over it.
import { basename, dirname, join } from 'node:path';
import { readWhole, systemError, writeAll, type FileSystem, type OpenFile } from '../folder/file-system.ts';

/** The bytes reserved for a record, more than any record has. Blanks fill the space, because JSON ignores blanks. */
const RESERVED_BYTES = 4096;

/** A temporary file beside its target; creating it proved that there are space and permission. */
export interface TemporaryFile {
  readonly path: string;
  readonly file: OpenFile;
}

/** `runId` in the name of the file (mode 0600) identifies the leftovers of a crash. Rejects with a system error and leaves nothing. */
export async function reserveBeside(fileSystem: FileSystem, target: string, runId: string): Promise<TemporaryFile> {
  const path = join(dirname(target), `.${basename(target)}.trueup-${runId}.tmp`);
  const temporary = { path, file: await fileSystem.open(path, 'create') };
  try {
    const facts = await temporary.file.facts();
    if ((facts.mode & 0o077) !== 0) throw systemError('EPERM', 'the file system does not keep permissions');
    await writeAll(temporary.file, new Uint8Array(RESERVED_BYTES).fill(0x20), 0);
    await temporary.file.sync();
    return temporary;
  } catch (error) {
    await discard(fileSystem, temporary);
    throw error;
  }
}

/** Rejects if any of it is uncertain; `target` then has its complete old or new content. The temporary file is gone in both cases. */
export async function commitOver(
  fileSystem: FileSystem,
  temporary: TemporaryFile,
  target: string,
  bytes: Uint8Array,
): Promise<void> {
  try {
    await writeAll(temporary.file, bytes, 0);
    await temporary.file.truncate(bytes.length);
    await temporary.file.sync();
    await temporary.file.close();
    await fileSystem.rename(temporary.path, target);
  } catch (error) {
    await discard(fileSystem, temporary);
    throw error;
  }
  await fileSystem.syncFolder(dirname(target));
  const found = await readWhole(fileSystem, target, bytes.length);
  if (Buffer.compare(found, bytes) !== 0)
    throw systemError('EIO', 'the stored content differs from the written content');
}

/** Closes and removes a temporary file. Never rejects: a later run removes what stays. */
export async function discard(fileSystem: FileSystem, temporary: TemporaryFile): Promise<void> {
  await temporary.file.close().catch(() => undefined);
  await fileSystem.remove(temporary.path).catch(() => undefined);
}

/** Removes temporary files that earlier runs left beside `target`. Never rejects: a leftover does no harm. */
export async function removeLeftovers(fileSystem: FileSystem, target: string): Promise<void> {
  const prefix = `.${basename(target)}.trueup-`;
  try {
    for (const name of await fileSystem.names(dirname(target)))
      if (name.startsWith(prefix) && /^[\w-]+\.tmp$/.test(name.slice(prefix.length)))
        await fileSystem.remove(join(dirname(target), name));
  } catch {
    // A leftover is readable only by its owner, so it does no harm.
  }
}
