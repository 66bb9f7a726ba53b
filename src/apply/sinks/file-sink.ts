// Implements a sink in a local file. Only its owner can read the file, each change replaces the file atomically, and a symlink is refused.
import type { JsonObject } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';
import { errorCode } from '../../base/error-code.ts';
import { readWhole, type FileSystem, systemError, writeAll, type OpenFile } from '../file-system.ts';
import { openFolder, secretPlace, type SecretPlace } from './secret-folder.ts';
import {
  otherOwner,
  parseRecord,
  recordText,
  type RecordShape,
  SinkFailure,
  systemWords,
  type Reservation,
  type SecretSink,
  type SinkState,
} from './sink.ts';
import { basename, join } from 'node:path';

const MAX_RECORD_BYTES = 64 * 1024;

export interface FileSinkOptions {
  /** A name that `fileNameProblem` accepts. */
  readonly name: string;
  readonly shape: RecordShape;
  /** The secrets folder, absolute or relative to `workDir`. */
  readonly secretsDir: string;
  readonly workDir: string;
  readonly fileSystem: FileSystem;
  readonly runId: string;
  readonly confidential: readonly Secret[];
}

interface Context extends FileSinkOptions {
  readonly place: SecretPlace;
  readonly label: string;
}

export function fileSink(options: FileSinkOptions): SecretSink {
  const place = secretPlace(options.name, options.secretsDir, options.workDir);
  const context: Context = { ...options, place, label: `file:${options.name}` };
  return {
    label: context.label,
    path: place.path,
    check: async () => {
      try {
        return await look(context);
      } catch (error) {
        return broken(systemWords(errorCode(error)));
      }
    },
    reserve: async () => reserve(context),
    forget: async () => forget(context),
  };
}

function broken(reason: string): SinkState {
  return { state: 'broken', holds: null, reason };
}

async function look(context: Context): Promise<SinkState> {
  const { fileSystem, place } = context;
  const folder = await openFolder(fileSystem, place, false);
  if (folder.state === 'refused') return broken(folder.reason);
  if (folder.state === 'ready') return lookAtFile(context);
  const isElsewhere = (await fileSystem.facts(place.base)) === null;
  return { state: 'absent', holds: null, reason: null, ...(isElsewhere ? { isElsewhere } : {}) };
}

async function lookAtFile({ fileSystem, place, shape, confidential }: Context): Promise<SinkState> {
  const facts = await fileSystem.facts(place.path);
  if (facts === null) return { state: 'absent', holds: null, reason: null };
  if (facts.type !== 'file')
    return broken(`the path is a ${facts.type === 'other' ? 'special file' : facts.type}, not a plain file`);
  const record = parseRecord(shape, await readWhole(fileSystem, place.path, MAX_RECORD_BYTES));
  if (record === null)
    return broken('the file there is not a secret record of trueup; move it away or choose another name');
  const exposed = (facts.mode & 0o077) !== 0;
  const isOurs = confidential.some((secret) => record.values.includes(secret.reveal()));
  return {
    state: 'stored',
    holds: record.holds,
    isOurs,
    reason: exposed ? 'other users can read the file; run chmod 600 on it' : null,
  };
}

async function usableFile(context: Context): Promise<SinkState> {
  const now = await lookAtFile(context);
  if (now.state === 'broken') throw new SinkFailure(context.label, now.reason ?? 'it cannot be used');
  return now;
}

async function reserve(context: Context): Promise<Reservation> {
  const { fileSystem, place, label } = context;
  try {
    const folder = await openFolder(fileSystem, place, true);
    if (folder.state === 'refused') throw new SinkFailure(label, folder.reason);
    await usableFile(context);
    await removeLeftovers(context);
    return reservation(context, await reserveBeside(context));
  } catch (error) {
    throw asFailure(label, 'cannot be written', error);
  }
}

function reservation(context: Context, reserved: TemporaryFile): Reservation {
  const { fileSystem, label } = context;
  let waiting: TemporaryFile | null = reserved;
  let before: { readonly bytes: Uint8Array | null } | null = null;
  return {
    async store(facts, secrets) {
      const temporary = waiting;
      if (temporary === null) throw new SinkFailure(label, 'its reservation was already used');
      waiting = null;
      const bytes = new TextEncoder().encode(recordText(context.shape, facts, secrets));
      try {
        before = { bytes: await contentForReplacement(context, facts) };
        await commitOver(context, temporary, bytes);
      } catch (error) {
        await discard(fileSystem, temporary);
        const back = before === null ? Promise.resolve() : putBack(context, before.bytes);
        const restored = await back.then(
          () => '',
          () => '; the former content of the file could not be restored',
        );
        throw asFailure(label, `could not be written${restored}`, error);
      }
    },
    async revert() {
      if (before === null) return;
      const { bytes } = before;
      before = null;
      await putBack(context, bytes);
    },
    async release() {
      if (waiting === null) return;
      const temporary = waiting;
      waiting = null;
      await discard(fileSystem, temporary);
    },
  };
}

/** Returns the present content; null if there is no file. Rejects if the file has the record of another owner, or no record. */
async function contentForReplacement(context: Context, facts: JsonObject): Promise<Uint8Array | null> {
  const now = await usableFile(context);
  if (now.state === 'absent') return null;
  const other = otherOwner(context.shape, now.holds, facts);
  if (other !== null) throw new SinkFailure(context.label, `the sink holds the secret of ${other}`);
  return readWhole(context.fileSystem, context.place.path, MAX_RECORD_BYTES);
}

async function putBack(context: Context, before: Uint8Array | null): Promise<void> {
  const { fileSystem, place, label } = context;
  try {
    const exists = (await fileSystem.facts(place.path)) !== null;
    if (before !== null) {
      const now = exists ? await readWhole(fileSystem, place.path, MAX_RECORD_BYTES) : null;
      if (now !== null && Buffer.compare(now, before) === 0) return;
      await commitOver(context, await reserveBeside(context), before);
    } else if (exists) {
      await fileSystem.remove(place.path);
      await fileSystem.syncFolder(place.folder);
    }
  } catch (error) {
    throw asFailure(label, 'the former content of the file could not be restored', error);
  }
}

async function forget(context: Context): Promise<void> {
  const { fileSystem, place, label } = context;
  try {
    const folder = await openFolder(fileSystem, place, false);
    if (folder.state === 'missing') return;
    if (folder.state === 'refused') throw new SinkFailure(label, folder.reason);
    if ((await usableFile(context)).state === 'absent') return;
    await fileSystem.remove(place.path);
    await fileSystem.syncFolder(place.folder);
  } catch (error) {
    throw asFailure(label, 'cannot be removed', error);
  }
}

function asFailure(label: string, what: string, error: unknown): SinkFailure {
  if (error instanceof SinkFailure) return error;
  return new SinkFailure(label, `${what}: ${systemWords(errorCode(error))}`, error);
}

/** A new temporary file gets this many blanks, to reserve disk space. Most records are shorter, and the record replaces the blanks. */
const RESERVED_BYTES = 4096;

/** A temporary file beside its target, created early to prove that space and permissions suffice. */
interface TemporaryFile {
  readonly path: string;
  readonly file: OpenFile;
}

/** Creates a temporary file (mode 0600) that reserves the space for a record. Rejects with a system error, and then leaves no file. */
async function reserveBeside({ fileSystem, place, runId }: Context): Promise<TemporaryFile> {
  const path = join(place.folder, `${temporaryPrefix(place)}${runId}.tmp`);
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

function temporaryPrefix({ path }: SecretPlace): string {
  return `.${basename(path)}.trueup-`;
}

/** Replaces the target by the temporary file, then compares the content. After a failure, the target may have its old or new content. */
async function commitOver({ fileSystem, place }: Context, temporary: TemporaryFile, bytes: Uint8Array): Promise<void> {
  try {
    await writeAll(temporary.file, bytes, 0);
    await temporary.file.truncate(bytes.length);
    await temporary.file.sync();
    await temporary.file.close();
    await fileSystem.rename(temporary.path, place.path);
  } catch (error) {
    await discard(fileSystem, temporary);
    throw error;
  }
  await fileSystem.syncFolder(place.folder);
  const found = await readWhole(fileSystem, place.path, bytes.length);
  if (Buffer.compare(found, bytes) !== 0)
    throw systemError('EIO', 'the stored content differs from the written content');
}

/** Closes and removes a temporary file. Never rejects: a later run removes what stays. */
async function discard(fileSystem: FileSystem, temporary: TemporaryFile): Promise<void> {
  await temporary.file.close().catch(() => undefined);
  await fileSystem.remove(temporary.path).catch(() => undefined);
}

/** Removes temporary files that earlier runs left beside the file. Never rejects. */
async function removeLeftovers({ fileSystem, place }: Context): Promise<void> {
  const prefix = temporaryPrefix(place);
  try {
    for (const name of await fileSystem.names(place.folder))
      if (name.startsWith(prefix) && /^[\w-]+\.tmp$/.test(name.slice(prefix.length)))
        await fileSystem.remove(join(place.folder, name));
  } catch {
    // A leftover is readable only by its owner, so it does no harm.
  }
}
