// Loads files with the built-in kinds, from the machine's own file system.
import { systemFiles } from '../config/files/read-files.ts';
import { loadDesired, type LoadInput, type LoadResult } from '../config/load.ts';
import { kinds } from '../kinds/index.ts';

export type FilesInput = Omit<LoadInput, 'kinds' | 'files'>;

/** Reads and checks the files; sends nothing. Errors in the files are diagnostics, never a rejection. */
export async function loadFiles(input: FilesInput): Promise<LoadResult> {
  return loadDesired({ ...input, files: systemFiles, kinds });
}
