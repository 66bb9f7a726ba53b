// Files in memory that can fail at any call, or lose what was not synced.
import type { FileSystem, OpenFile } from '../../../src/apply/file-system.ts';

export interface MemoryFiles extends FileSystem {
  readonly contents: Map<string, Uint8Array>;
  /** `open PATH MODE`, `write`, `sync`, `close`, `folder PATH` and the like, in order. */
  readonly calls: string[];
  /** The code that a call fails with, the number-th from 1; null: it succeeds. */
  failing: (call: string, number: number) => string | null;
}

function problem(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export function memoryFiles(): MemoryFiles {
  const contents = new Map<string, Uint8Array>();
  const note = (call: string): void => {
    files.calls.push(call);
    const code = files.failing(call, files.calls.length);
    if (code !== null) throw problem(code);
  };
  const FACTS = { type: 'file', mode: 0o600 } as const;
  const openFile = (path: string, isAppending: boolean): OpenFile => ({
    write: async (bytes, position) => {
      note('write');
      const old = contents.get(path) ?? new Uint8Array();
      const at = isAppending ? old.length : (position ?? old.length);
      const next = new Uint8Array(Math.max(old.length, at + bytes.length));
      next.set(old);
      next.set(bytes, at);
      contents.set(path, next);
      return bytes.length;
    },
    read: async (maxBytes, position = 0) => {
      note('read');
      return (contents.get(path) ?? new Uint8Array()).subarray(position, position + maxBytes);
    },
    truncate: async (size) => {
      contents.set(path, (contents.get(path) ?? new Uint8Array()).subarray(0, size));
    },
    sync: async () => note('sync'),
    facts: async () => FACTS,
    close: async () => note('close'),
  });
  const files: MemoryFiles = {
    contents,
    calls: [],
    failing: () => null,
    async open(path, mode) {
      note(`open ${path} ${mode}`);
      if (mode === 'create' && contents.has(path)) throw problem('EEXIST');
      if ((mode === 'read' || mode === 'write') && !contents.has(path)) throw problem('ENOENT');
      if (!contents.has(path)) contents.set(path, new Uint8Array());
      return openFile(path, mode === 'append');
    },
    async facts(path) {
      return contents.has(path) ? FACTS : null;
    },
    makeFolder: async () => undefined,
    names: async () => [...contents.keys()].sort(),
    async rename(from, to) {
      note('rename');
      const bytes = contents.get(from);
      if (bytes === undefined) throw problem('ENOENT');
      contents.delete(from);
      contents.set(to, bytes);
    },
    async link(from, to) {
      note('link');
      const bytes = contents.get(from);
      if (bytes === undefined) throw problem('ENOENT');
      if (contents.has(to)) throw problem('EEXIST');
      contents.set(to, bytes);
    },
    async remove(path) {
      note('remove');
      contents.delete(path);
    },
    syncFolder: async (path) => note(`folder ${path}`),
  };
  return files;
}
