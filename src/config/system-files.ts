// The machine's own files, as far as configuration is read from them.
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { FileReader } from './files.ts';
import { MAX_FILE_BYTES } from './limits.ts';

/** Read one after the other, and before anything else is done: what Node.js has for reading at the same time takes longer to load. */
export const systemFiles: FileReader = {
  async stat(path) {
    const stats = statSync(path);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    return { kind, sizeBytes: stats.size };
  },
  readdir: async (path) => readdirSync(path),
  // Checked once more on the open file, which nobody can exchange, and never read beyond the bound.
  async readFile(path) {
    const file = openSync(path, 'r');
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > MAX_FILE_BYTES) throw new Error('it changed while it was read');
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  },
};
