// Reads and writes whole files that the user names, never through a link that leads out of the working folder.
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  readFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, systemWords } from '../../base/error-code.ts';
import { parseJson, RefusedJson, type Json } from '../../base/json.ts';
import {
  OUTSIDE,
  foldersAround,
  isOfSystem,
  isWithin,
  makeFolders,
  readWithin,
  type PlainFile,
} from '../../base/files/plain-file.ts';
import { shareOf } from '../../config/report.ts';
import type { Session } from '../command.ts';
import type { Io } from './io.ts';
import { UsageError } from './exit-code.ts';

/** The bytes of a plain file. Throws UsageError if it cannot be read, is too large, or a link leads out of its folder. */
export function readNamed(cwd: string, shown: string, maxBytes: number = MAX_JSON_BYTES): PlainFile {
  try {
    return readWithin(resolve(cwd, shown), foldersAround(cwd, shown, 'file'), maxBytes);
  } catch (error) {
    const code = errorCode(error);
    const why = code === 'EFBIG' ? `it is larger than ${maxBytes} bytes` : systemWords(error);
    if (code !== OUTSIDE) throw new UsageError(`cannot read ${shown}: ${why}`);
    throw new UsageError(`cannot read ${shown}: ${(error as Error).message}`, 'Name the file itself.');
  }
}

const MAX_KEY_BYTES = 4096;

/** Reads a small file with a key. Throws UsageError if it cannot be read, or if other users may write it. */
export function readKeyFile(cwd: string, shown: string): GivenKey {
  const { bytes, mode } = readNamed(cwd, shown, MAX_KEY_BYTES);
  if ((mode & 0o022) !== 0)
    throw new UsageError(`the key file ${shown} is writable by other users`, `Run: chmod 600 ${shown}.`);
  const text = Buffer.from(bytes).toString('utf8');
  const notice = (mode & 0o044) === 0 ? null : `warning: other users can read the key file ${shown}`;
  return { text, notice, where: shown };
}

export interface GivenKey {
  readonly text: string;
  readonly notice: string | null;
  /** The name of the variable or file that has the key. */
  readonly where: string;
}

/** The key in the variable `name` or in the file of `name`_FILE; null for neither. Throws UsageError for both or a bad file. */
export function keyInEnvironment({ cwd, env }: Pick<Io, 'cwd' | 'env'>, name: string, what: string): GivenKey | null {
  const text = env[name] ?? '';
  const file = env[`${name}_FILE`] ?? '';
  if (text !== '' && file !== '')
    throw new UsageError(`two ${what}s are given: ${name} and ${name}_FILE`, 'Unset one of the two variables.');
  if (file !== '') return readKeyFile(cwd, file);
  return text === '' ? null : { text, notice: null, where: name };
}

/** Reads all of standard input for a flag with the value `-`. Throws UsageError if standard input is a terminal. */
export async function readStdinFor(flag: string, io: Pick<Io, 'stdinIsTerminal' | 'readStdin'>): Promise<Uint8Array> {
  if (io.stdinIsTerminal) throw new UsageError(`${flag} - reads from stdin, which is a terminal`);
  return io.readStdin();
}

/** The maximum size of a JSON file, enough for a plan of ten thousand computes. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** The value in a JSON file, read under the watch. Throws UsageError if the file is unreadable, invalid, too large or nested too deeply. */
export function readNamedJson({ io, settings }: Session, shown: string): Json {
  io.watch(shareOf(settings.maxEntries));
  // TextDecoder drops the byte-order mark that some editors write.
  const text = new TextDecoder().decode(readNamed(io.cwd, shown).bytes);
  if (text.includes('\0'))
    throw new UsageError(`${shown} is UTF-16 text`, 'Save the file as UTF-8, as --out and --write do.');
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof RefusedJson) throw new UsageError(`cannot read ${shown}: ${error.message}`);
    if (error instanceof SyntaxError)
      throw new UsageError(
        `${shown} is not JSON, or is cut off`,
        /\.ya?ml$/.test(shown) ? `To plan with it: trueup plan -f ${shown}` : null,
      );
    throw error;
  }
}

/** Throws UsageError if `path` is in the working folder but a link leads out of it. */
export function refuseWayOut(cwd: string, path: string, shown: string): void {
  if (!isWithin(cwd, path) || path === cwd) return;
  let folder = dirname(path);
  while (!existsSync(folder) && folder !== cwd && isWithin(cwd, folder)) folder = dirname(folder);
  if (!isWithin(realpathSync.native(cwd), realpathSync.native(folder)))
    throw new UsageError(
      `cannot write ${shown}: a symbolic link leads out of the working folder`,
      'Name the real path.',
    );
}

/** Makes a folder unless it exists. Throws UsageError on failure, or if a link leads out of the working folder. */
export function makeFolder(cwd: string, path: string, shown: string, mode?: number): void {
  refuseWayOut(cwd, join(path, 'file'), shown);
  try {
    makeFolders(path, mode);
  } catch (error) {
    throw new UsageError(`cannot make the folder ${shown}: ${systemWords(error)}`);
  }
}

/** Throws UsageError if the folder is missing, a link leads out of the working folder, or `path` is a folder, link or pipe. */
export function checkWritable(path: string, shown: string, cwd: string): void {
  requireFolder(path, shown, cwd);
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile())
    throw new UsageError(`cannot write ${shown}: it is not a regular file`);
}

function requireFolder(path: string, shown: string, cwd: string): void {
  let isFolder: boolean;
  try {
    isFolder = statSync(dirname(path)).isDirectory();
  } catch {
    throw new UsageError(`cannot write ${shown}: the folder does not exist`);
  }
  if (!isFolder) throw new UsageError(`cannot write ${shown}: ${dirname(shown)} is not a folder`);
  refuseWayOut(cwd, path, shown);
}

/** Creates a missing log at once, so that a log collector can watch it. Refuses a link or pipe in the working folder. */
export function openLog(path: string, shown: string, cwd: string): void {
  // In the working folder, somebody may have put a link or a pipe; a pipe without a reader would block the run.
  if (isWithin(cwd, path) && !isOfSystem(path)) checkWritable(path, shown, cwd);
  else requireFolder(path, shown, cwd);
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw new UsageError(`cannot write ${shown}: it is a folder`);
  if (existing !== undefined) return;
  try {
    appendTo(path, '', cwd);
  } catch (error) {
    throw new UsageError(`cannot write ${shown}: ${systemWords(error)}`);
  }
}

/** Appends to a log. Follows only links of the system, such as /dev/stdout. Throws like `refuseWayOut`, or a system error. */
export function appendTo(path: string, text: string, cwd: string): void {
  refuseWayOut(cwd, path, path);
  const follow = isOfSystem(path) ? 0 : (constants.O_NOFOLLOW ?? 0);
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | follow, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Replaces the file atomically: a reader sees the old or the new text. Does not follow a link with the file's name. */
export function writeWhole(path: string, text: string, io: Pick<Io, 'cwd' | 'random'>, mode: number = 0o644): void {
  refuseWayOut(io.cwd, path, path);
  const chance = Buffer.from(io.random.bytes(9)).toString('base64url');
  const temporary = join(dirname(path), `.${basename(path)}.${chance}.tmp`);
  let isMade = false;
  try {
    const file = openSync(temporary, 'wx', mode);
    isMade = true;
    try {
      writeFileSync(file, text, { flush: true });
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    if (isMade) rmSync(temporary, { force: true });
    throw new UsageError(`cannot write ${path}: ${systemWords(error)}`);
  }
}

export function programVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
