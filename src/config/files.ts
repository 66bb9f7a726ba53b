// Which files a run reads, and their bytes: only regular files within the size bound.
import { join, resolve } from 'node:path';
import { compareText } from '../base/json.ts';
import { plural } from '../base/words.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import type { Report } from './report.ts';

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other';
  readonly sizeBytes: number;
}

/** The part of a file system that is needed here. Paths are absolute; failures reject with Node's error codes. */
export interface FileReader {
  stat(path: string): Promise<FileFacts>;
  readdir(path: string): Promise<readonly string[]>;
  readFile(path: string): Promise<Uint8Array>;
}

export interface FileSource {
  readonly files: FileReader;
  readonly cwd: string;
  readonly stdin: () => Promise<Uint8Array>;
  readonly report: Report;
}

/** One file's name, as the user gave it, and its bytes. */
export interface FileBytes {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Reads every path: a folder stands for its YAML files, `-` for stdin. What cannot be read is in the report. */
export async function readPaths(paths: readonly string[], source: FileSource): Promise<readonly FileBytes[]> {
  const read: FileBytes[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const file of await expand(path, source)) {
      const identity = file === '-' ? '-' : resolve(source.cwd, file);
      if (seen.has(identity)) continue;
      seen.add(identity);
      const bytes = await readOne(file, source);
      if (bytes !== null) read.push({ file, bytes });
    }
  }
  return read;
}

const STARTER = 'Run `trueup init` to write a starter file, or name a file with -f PATH.';

/** Reads one file; null (and a problem) when it cannot be read. `hint` says what to do where it does not exist. */
export async function readOne(file: string, source: FileSource, hint: string = STARTER): Promise<Uint8Array | null> {
  try {
    const bytes = file === '-' ? await source.stdin() : await readRegular(file, source);
    if (bytes === null || bytes.length <= MAX_FILE_BYTES) return bytes;
    reportSize(file, bytes.length, source.report);
  } catch (error) {
    reportUnreadable(file, error, source, hint);
  }
  return null;
}

async function readRegular(file: string, { files, cwd, report }: FileSource): Promise<Uint8Array | null> {
  const path = resolve(cwd, file);
  const facts = await files.stat(path);
  if (facts.kind !== 'file') {
    report.add('not_a_file', `${file} is not a regular file`, null, {
      hint: 'Name a YAML file, a folder of them, or - for stdin.',
    });
    return null;
  }
  if (facts.sizeBytes > MAX_FILE_BYTES) {
    reportSize(file, facts.sizeBytes, report);
    return null;
  }
  return files.readFile(path);
}

/** Whether a file of this name is read where its folder is given. */
export function isRead(name: string): boolean {
  return /\.ya?ml$/.test(name) && !name.startsWith('.');
}

async function expand(path: string, source: FileSource): Promise<readonly string[]> {
  if (path === '-') return ['-'];
  try {
    const facts = await source.files.stat(resolve(source.cwd, path));
    if (facts.kind !== 'folder') return [path];
    const names = await source.files.readdir(resolve(source.cwd, path));
    const found = names.filter(isRead).sort(compareText);
    if (found.length === 0)
      source.report.add('no_files', `the folder ${path} holds no *.yaml or *.yml file`, null, {
        hint: 'Run `trueup init` to write a starter file.',
      });
    return found.map((name) => join(path, name));
  } catch (error) {
    reportUnreadable(path, error, source, STARTER);
    return [];
  }
}

function reportSize(file: string, bytes: number, report: Report): void {
  report.add('file_too_large', `${file} is ${plural(bytes, 'byte')} long; ${MAX_FILE_BYTES} are allowed`, null, {
    hint: 'Split it: -f can be given several times.',
  });
}

function reportUnreadable(file: string, error: unknown, { cwd, report }: FileSource, hint: string): void {
  const code = (error as { code?: unknown }).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    report.add('file_not_found', `${file} does not exist in ${cwd}`, null, { hint });
    return;
  }
  const reason = REASONS[String(code)] ?? (error instanceof Error ? error.message : String(error));
  report.add('file_unreadable', `${file === '-' ? 'stdin' : file} cannot be read: ${reason}`, null, {});
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
};
