// Reads the files with the registry's kinds, from the machine's own file system.
import { systemFiles } from '../config/files/read-files.ts';
import { loadDesired, type LoadInput, type LoadResult } from '../config/load.ts';
import { kinds } from '../kinds/index.ts';

/** The options of reading files; the machine adds the rest. */
export type FilesInput = Omit<LoadInput, 'kinds' | 'files'>;

/** Reads and checks the files; nothing is sent. Never rejects for what stands in them. */
export async function loadFiles(input: FilesInput): Promise<LoadResult> {
  return loadDesired({ ...input, files: systemFiles, kinds });
}
