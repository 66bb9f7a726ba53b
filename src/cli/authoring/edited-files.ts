// Files that a command edits. A file is replaced only if it has not changed since it was read.
import { accessSync, chmodSync, constants, realpathSync, statSync, writeFileSync } from 'node:fs';
import { picked } from '../../base/picked.ts';
import { errorCode, systemWords } from '../../base/error-code.ts';
import { readPlain } from '../../base/files/plain-file.ts';
import { MAX_FILE_BYTES } from '../../config/report.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { systemFiles, type FileReader } from '../../config/files/read-files.ts';
import { loadDesired, type LoadResult } from '../../config/load.ts';
import { kinds } from '../../kinds/index.ts';
import { readStdinFor, refuseWayOut, writeWhole } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import type { Session } from '../command.ts';
import { UsageError } from '../process/exit-code.ts';

export interface AuthoringFiles {
  /** Reads the files of the run and `more`. Texts in `texts` (by absolute path) are used instead of those on disk. */
  load(texts?: ReadonlyMap<string, string>, more?: readonly string[]): Promise<LoadResult>;
  /** The text of a file as it was first read; undefined for a file that was not read. */
  textOf(path: string): string | undefined;
}

export function openAuthoringFiles({ io, settings }: Session, paths: readonly string[]): AuthoringFiles {
  const bytes = new Map<string, Uint8Array>();
  let stdin: Promise<Uint8Array> | undefined;
  return {
    load: async (texts = new Map(), more = []) =>
      loadDesired({
        ...picked(settings, ['cwd', 'overlays', 'variables', 'safetyFiles', 'maxEntries']),
        paths: [...paths, ...more],
        stdin: async () => (stdin ??= readStdinFor('-f', io)),
        kinds,
        files: withTexts(texts, bytes),
      }),
    textOf(path) {
      const found = bytes.get(path);
      return found === undefined ? undefined : Buffer.from(found).toString('utf8');
    },
  };
}

function withTexts(texts: ReadonlyMap<string, string>, bytes: Map<string, Uint8Array>): FileReader {
  return {
    isFolder: async (path) => !texts.has(path) && systemFiles.isFolder(path),
    readdir: async (path) => systemFiles.readdir(path),
    // A file in `texts` may not exist yet, so its real path is made from that of its folder.
    realPath: async (path) =>
      texts.has(path) ? join(await systemFiles.realPath(dirname(path)), basename(path)) : systemFiles.realPath(path),
    async readFile(path, around) {
      const text = texts.get(path);
      if (text !== undefined) return new TextEncoder().encode(text);
      const read = await systemFiles.readFile(path, around);
      if (!bytes.has(path)) bytes.set(path, read);
      return read;
    },
  };
}

/** The files of the run; none if the default file is missing or empty: `trueup import > trueup.yaml` makes it empty first. */
export function presentFiles({ io, settings: { files } }: Session): readonly string[] {
  const [only] = files;
  if (files.length !== 1 || only !== 'trueup.yaml') return files;
  const found = statSync(resolve(io.cwd, only), { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && found.size === 0) ? [] : files;
}

export interface Replacement {
  readonly path: string;
  readonly shown: string;
  /** The text as read; null for a new file. */
  readonly before: string | null;
  readonly after: string;
}

/** Writes all files, or none if one changed since it was read. Replaces an existing file atomically and keeps its mode. */
export function replaceFiles(replacements: readonly Replacement[], io: Io): void {
  const places = replacements.map((replacement) => ({ ...replacement, real: placeOf(replacement) }));
  for (const { real, before, after, shown } of places) {
    if (before === null) writeNew(real, after, shown, io);
    else {
      const mode = statSync(real).mode & 0o7777;
      writeWhole(real, after, io, mode);
      // The umask must not change the mode of an existing file.
      chmodSync(real, mode);
    }
  }
}

/** The real path of a file, or `path` for a new file. Throws UsageError if the file changed meanwhile or is not writable. */
function placeOf({ path, shown, before }: Replacement): string {
  if (before === null) return path;
  let real: string;
  let now: string;
  try {
    real = realpathSync.native(path);
    now = Buffer.from(readPlain(real, MAX_FILE_BYTES)).toString('utf8');
    accessSync(real, constants.W_OK);
  } catch (error) {
    throw new UsageError(`cannot write ${shown}: ${systemWords(error)}`, 'Nothing was written.');
  }
  if (now !== before)
    throw new UsageError(
      `${shown} was changed while this command ran`,
      'Nothing was written. Run the same command again.',
    );
  return real;
}

export function writeNew(path: string, text: string, shown: string, { cwd }: Pick<Io, 'cwd'>): void {
  refuseWayOut(cwd, path, shown);
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) === 'EEXIST')
      throw new UsageError(
        `${shown} exists already and is never overwritten`,
        'Move the file away, or choose another name.',
      );
    throw new UsageError(`cannot write ${shown}: ${systemWords(error)}`);
  }
}
