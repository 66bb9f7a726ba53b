// Reads the files of a run: accepts only regular files up to the size limit, and only valid UTF-8 without control characters.
import { join, resolve } from 'node:path';
import { compareText } from '../../base/json.ts';
import { errorCode, systemWords } from '../../base/error-code.ts';
import { OUTSIDE, foldersAround, isOfSystem, isWithin, readWithin } from '../../base/files/plain-file.ts';
import { MAX_FILE_BYTES, type Budget, type Report } from '../report.ts';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { codePoint } from '../yaml/show.ts';
import { textFile, type TextFile } from '../yaml/source-tree.ts';

/** Paths are absolute; failures reject with the error codes of Node.js. */
export interface FileReader {
  isFolder(path: string): Promise<boolean>;
  readdir(path: string): Promise<readonly string[]>;
  realPath(path: string): Promise<string>;
  /** Reads a regular file whose real path is inside all folders `around`; else rejects with OUTSIDE, EINVAL, EISDIR or EFBIG. */
  readFile(path: string, around: readonly string[]): Promise<Uint8Array>;
}

export interface FileSource {
  readonly files: FileReader;
  readonly cwd: string;
  readonly stdin: () => Promise<Uint8Array>;
  readonly report: Report;
  readonly budget: Budget;
}

export interface FileBytes {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export interface ReadFiles {
  readonly files: readonly FileBytes[];
  readonly overlays: readonly FileBytes[];
}

/** Reads each file once. A folder stands for its YAML files, `-` for stdin; a file that is also an overlay is only an overlay. */
export async function readPaths(
  paths: readonly string[],
  overlays: readonly string[],
  source: FileSource,
): Promise<ReadFiles> {
  const seen = new Set<string>();
  const onTop = await readEach(overlays, OVERLAY, seen, source);
  return { files: await readEach(paths, STARTER, seen, source), overlays: onTop };
}

async function readEach(
  paths: readonly string[],
  hint: string,
  seen: Set<string>,
  source: FileSource,
): Promise<readonly FileBytes[]> {
  const read: FileBytes[] = [];
  for (const path of paths)
    for (const { file, around } of await expand(path, source, hint)) {
      const identity = file === '-' ? '-' : await source.files.realPath(resolve(source.cwd, file)).catch(() => file);
      if (seen.has(identity)) continue;
      seen.add(identity);
      const bytes = source.budget.bytes < 0 ? null : await readOne(file, source, hint, around);
      if (bytes !== null) read.push({ file, bytes });
    }
  return read;
}

const OVERLAY = 'Check the path after --overlay.';

const STARTER = 'Run `trueup init` to write a starter file, or name a file with -f PATH.';

/** Returns null, after a report, for an unreadable file. `hint` is for a missing file; the real path must be inside all of `around`. */
export async function readOne(
  file: string,
  source: FileSource,
  hint: string,
  around: readonly string[] = foldersAround(source.cwd, file, 'file'),
): Promise<Uint8Array | null> {
  try {
    const bytes = file === '-' ? await source.stdin() : await source.files.readFile(resolve(source.cwd, file), around);
    return spend(file, bytes, source);
  } catch (error) {
    reportUnreadable(file, error, source, hint);
    return null;
  }
}

/** Returns null if all files together have too many bytes; the excess is reported once. */
function spend(file: string, bytes: Uint8Array, { budget, report }: FileSource): Uint8Array | null {
  if (budget.bytes < 0) return null;
  budget.bytes -= bytes.length;
  if (budget.bytes < 0) reportSize(`with ${file}, the files of this run have more bytes than trueup accepts`, report);
  return budget.bytes < 0 ? null : bytes;
}

async function isAround(real: string, around: readonly string[], files: FileReader): Promise<boolean> {
  for (const folder of around) if (!isWithin(await files.realPath(folder), real)) return false;
  return true;
}

function reportOutside(file: string, report: Report): void {
  report.add('outside_folder', `${file} is not read: it leads out of its folder`, null, {
    hint: 'Name the file itself. trueup reads plain files of the working folder, and files that you name by a path outside it.',
  });
}

interface Found {
  readonly file: string;
  readonly around: readonly string[];
}

async function expand(path: string, source: FileSource, hint: string): Promise<readonly Found[]> {
  if (path === '-') return [{ file: '-', around: [] }];
  const { files, cwd, report } = source;
  const folder = resolve(cwd, path);
  try {
    if (!(await files.isFolder(folder))) return [{ file: path, around: foldersAround(cwd, path, 'file') }];
    const real = await files.realPath(folder);
    if (isOfSystem(real) || !(await isAround(real, foldersAround(cwd, path, 'folder'), files))) {
      reportOutside(path, report);
      return [];
    }
    const { found, outside, isCut } = await yamlFilesBelow(path, folder, files);
    for (const link of outside) reportOutside(link, report);
    if (isCut) report.add('too_many_files', `the folder ${path} holds too many files to look through`, null, {});
    if (found.length === 0 && outside.length === 0)
      report.add('no_files', `the folder ${path} and its subfolders hold no *.yaml or *.yml file`, null, {
        hint: 'Hidden folders are left out. Run `trueup init` to write a starter file.',
      });
    return found.map((file) => ({ file, around: [folder] }));
  } catch (error) {
    reportUnreadable(path, error, source, hint);
    return [];
  }
}

const MAX_NAMES = 250_000;

interface FolderFiles {
  readonly found: readonly string[];
  readonly outside: readonly string[];
  readonly isCut: boolean;
}

/** Finds the YAML files below the folder `path`, which messages call `shown`. Skips hidden files and folders, and node_modules. */
export async function yamlFilesBelow(shown: string, path: string, files: FileReader): Promise<FolderFiles> {
  const root = await files.realPath(path);
  const found: string[] = [];
  const outside: string[] = [];
  const seen = new Set([root]);
  const open = [{ shown, path }];
  let names = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of await files.readdir(next.path)) {
      if (++names > MAX_NAMES) return { found: found.sort(compareText), outside, isCut: true };
      const inner = { shown: join(next.shown, name), path: join(next.path, name) };
      if (name.startsWith('.') || name === 'node_modules') continue;
      // A special file, such as a socket, is refused later, when it is read.
      if (!(await files.isFolder(inner.path).catch(() => false))) {
        if (/\.ya?ml$/.test(name)) found.push(inner.shown);
        continue;
      }
      const real = await files.realPath(inner.path);
      if (!isWithin(root, real)) outside.push(inner.shown);
      else if (!seen.has(real)) open.push(inner);
      seen.add(real);
    }
  }
  return { found: found.sort(compareText), outside: outside.sort(compareText), isCut: false };
}

function reportSize(message: string, report: Report): void {
  report.add('files_too_large', message, null, { hint: 'Name fewer files, or split the run.' });
}

function reportUnreadable(file: string, error: unknown, { cwd, report }: FileSource, hint: string): void {
  switch (errorCode(error)) {
    case OUTSIDE:
      return reportOutside(file, report);
    case 'EFBIG':
      return reportSize(`${file} has more than ${MAX_FILE_BYTES} bytes`, report);
    case 'EINVAL':
    case 'EISDIR':
      return report.add('not_a_file', `${file} is not a regular file`, null, {
        hint: 'Name a YAML file, a folder of them, or - for stdin.',
      });
    case 'ENOENT':
    case 'ENOTDIR':
      return report.add('file_not_found', `${file} does not exist in ${cwd}`, null, { hint });
    default:
      report.add('file_unreadable', `${file === '-' ? 'stdin' : file} cannot be read: ${systemWords(error)}`, null);
  }
}

/** Reads synchronously, because the file promises of Node.js take longer to load. */
export const systemFiles: FileReader = {
  isFolder: async (path) => statSync(path).isDirectory(),
  readdir: async (path) => readdirSync(path),
  realPath: async (path) => realpathSync.native(path),
  readFile: async (path, around) => readWithin(path, around, MAX_FILE_BYTES).bytes,
};

// The characters that YAML calls non-printable, except line feed, carriage return, tab and next line.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/g;
// Characters that reorder the text on a reviewer's screen.
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;

/** Drops a byte order mark and replaces lone carriage returns. Returns null, after a report, for invalid UTF-8 or forbidden characters. */
export function decodeText(file: string, bytes: Uint8Array, report: Report): TextFile | null {
  if (isWide(bytes)) {
    report.add('encoding', `${file} is encoded as UTF-16 or UTF-32`, null, { hint: 'Save the file as UTF-8.' });
    return null;
  }
  const text = decodeUtf8(file, bytes, report);
  return text !== null && checkCharacters(text, report) ? text : null;
}

/** True for a byte order mark of UTF-16 or UTF-32, or for a zero byte in the first two bytes. Both encodings write ASCII with zero bytes. */
function isWide([a, b, c]: Uint8Array): boolean {
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (c !== undefined && (a === 0 || b === 0));
}

function decodeUtf8(file: string, bytes: Uint8Array, report: Report): TextFile | null {
  try {
    return textFile(file, new TextDecoder('utf-8', { fatal: true }).decode(withLineFeeds(bytes)));
  } catch {
    const offset = firstInvalidByte(bytes);
    const before = textFile(file, lineFeeds(new TextDecoder('utf-8').decode(bytes.subarray(0, offset))));
    const end = before.text.length;
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
    report.add(
      'encoding',
      `invalid UTF-8: byte 0x${byte} at byte offset ${offset}`,
      { text: before, start: end, end },
      {
        hint: 'Save the file as UTF-8.',
      },
    );
    return null;
  }
}

/** Replaces lone carriage returns in the bytes, because replacing millions of them in the decoded text takes too much memory. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  let at = bytes.indexOf(RETURN);
  if (at < 0) return bytes;
  const changed = Uint8Array.from(bytes);
  for (; at >= 0 && at < bytes.length; at++) if (changed[at] === RETURN && changed[at + 1] !== FEED) changed[at] = FEED;
  return changed;
}

const RETURN = 0x0d;
const FEED = 0x0a;

/** Replaces lone carriage returns by line feeds. The text keeps its length, so all offsets stay right. */
export function lineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

/** Decodes the bytes and encodes them again: the first byte that differs is invalid, because the decoder replaced it. */
function firstInvalidByte(bytes: Uint8Array): number {
  const replaced = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const offset = bytes.findIndex((byte, at) => byte !== replaced[at]);
  return offset < 0 ? bytes.length - 1 : offset;
}

function checkCharacters(text: TextFile, report: Report): boolean {
  const before = report.diagnostics.length;
  const refuse = (characters: RegExp, code: string, problem: string): void => {
    for (const { 0: character, index: start } of text.text.matchAll(characters)) {
      if (report.isFull) break;
      report.add(code, problem.replace('{}', codePoint(character)), { text, start, end: start + 1 }, { hint: REMOVE });
    }
  };
  refuse(CONTROL, 'control_character', 'the control character {} is not allowed');
  refuse(BIDI, 'bidi_character', 'the character {} reorders visible text and is not allowed');
  return report.diagnostics.length === before;
}

const REMOVE = 'Remove that character.';
