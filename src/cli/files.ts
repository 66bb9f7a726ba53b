// Files that the user asked for: written whole or not at all, never over something that is not a plain file.
import { lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from './usage-error.ts';

/** Throws UsageError when `path` cannot be written: its folder is missing, or something else than a file stands there. */
export function checkWritable(path: string, shown: string): void {
  try {
    if (!statSync(dirname(path)).isDirectory())
      throw new UsageError(`cannot write ${shown}: ${dirname(shown)} is not a folder`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write ${shown}: the folder does not exist`);
  }
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile())
    throw new UsageError(`cannot write ${shown}: it is not a regular file`);
}

/**
 * Makes the log where there is none: whoever collects it finds it, also when nothing happens. Throws UsageError when it cannot grow at
 * `path`: its folder is missing, or a folder stands there. A device or a pipe is fine.
 */
export function openLog(path: string, shown: string): void {
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`cannot write ${shown}: the folder does not exist`);
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw new UsageError(`cannot write ${shown}: it is a folder`);
  if (existing !== undefined) return;
  try {
    writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  } catch (error) {
    throw new UsageError(`cannot write ${shown}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
  }
}

/** Replaces the file's content in one move; a reader sees the old text or the new one. */
export function writeWhole(
  path: string,
  text: string,
  options: { readonly pid: number; readonly mode?: number },
): void {
  const temporary = join(dirname(path), `.${basename(path)}.${options.pid}.tmp`);
  try {
    writeFileSync(temporary, text, { mode: options.mode ?? 0o644, flag: 'w', flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`cannot write ${path}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
  }
}
