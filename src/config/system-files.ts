// The machine's own files, as far as configuration is read from them.
import { open, readdir, stat } from 'node:fs/promises';
import type { FileReader } from './files.ts';
import { MAX_FILE_BYTES } from './limits.ts';

export const systemFiles: FileReader = {
  async stat(path) {
    const stats = await stat(path);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    return { kind, sizeBytes: stats.size };
  },
  readdir: (path) => readdir(path),
  // Checked once more on the open file, which nobody can exchange, and never read beyond the bound.
  async readFile(path) {
    const handle = await open(path, 'r');
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > MAX_FILE_BYTES) throw new Error('it changed while it was read');
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  },
};
