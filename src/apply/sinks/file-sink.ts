// A sink in a local file, which is readable only by its owner, replaced atomically, and never reached through a symlink.
import type { JsonObject } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';
import { errorCode } from '../../base/error-code.ts';
import { readWhole, type FileSystem } from '../folder/file-system.ts';
import { commitOver, discard, removeLeftovers, reserveBeside, type TemporaryFile } from './atomic-file.ts';
import { openFolder, secretPlace, type SecretPlace } from './secret-folder.ts';
import { otherOwner, parseRecord, recordText, type RecordShape } from './record.ts';
import { SinkFailure, systemWords, type Reservation, type SecretSink, type SinkState } from './sink.ts';

const MAX_RECORD_BYTES = 64 * 1024;

export interface FileSinkOptions {
  /** A name that `fileNameProblem` accepts. */
  readonly name: string;
  readonly shape: RecordShape;
  /** The folder as the operator wrote it, absolute or relative to `workDir`. */
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
    await removeLeftovers(fileSystem, place.path);
    return reservation(context, await reserveBeside(fileSystem, place.path, context.runId));
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
      let former: Uint8Array | null;
      try {
        former = await contentForReplacement(context, facts);
      } catch (error) {
        await discard(fileSystem, temporary);
        throw asFailure(label, 'cannot be replaced', error);
      }
      before = { bytes: former };
      try {
        await commitOver(fileSystem, temporary, context.place.path, bytes);
      } catch (error) {
        const restored = await putBack(context, former).then(
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

/** The present content, null if there is no file. Rejects if the file holds the record of another secret or no record. */
async function contentForReplacement(context: Context, facts: JsonObject): Promise<Uint8Array | null> {
  const now = await usableFile(context);
  if (now.state === 'absent') return null;
  const other = otherOwner(context.shape, now.holds, facts);
  if (other !== null) throw new SinkFailure(context.label, `the sink holds the secret of ${other}`);
  return readWhole(context.fileSystem, context.place.path, MAX_RECORD_BYTES);
}

async function putBack(context: Context, before: Uint8Array | null): Promise<void> {
  const { fileSystem, place, runId, label } = context;
  try {
    const exists = (await fileSystem.facts(place.path)) !== null;
    if (before !== null) {
      const now = exists ? await readWhole(fileSystem, place.path, MAX_RECORD_BYTES) : null;
      if (now !== null && Buffer.compare(now, before) === 0) return;
      await commitOver(fileSystem, await reserveBeside(fileSystem, place.path, runId), place.path, before);
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
