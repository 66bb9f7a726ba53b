// The machine's own files, as far as configuration is read from them.
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { readPlain } from '../../base/files/plain-file.ts';
import { MAX_FILE_BYTES } from '../limits.ts';
import type { FileReader } from './read-files.ts';

/** Read one after the other, and before anything else is done: what Node.js has for reading at the same time takes longer to load. */
export const systemFiles: FileReader = {
  async stat(path) {
    const stats = statSync(path);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    return { kind, sizeBytes: stats.size };
  },
  readdir: async (path) => readdirSync(path),
  realPath: async (path) => realpathSync.native(path),
  readFile: async (_path, real) => readPlain(real, MAX_FILE_BYTES),
};
