// Files in memory that can fail at any call, or lose what was not synced.
import type { FileSystem, OpenFile } from '../../../src/apply/file-system.ts';

export interface MemoryFiles extends FileSystem {
  readonly contents: Map<string, Uint8Array>;
  /** Calls so far. */
  calls: number;
  /** The call that fails, by number and code; null = none. */
  failing: { readonly call: number; readonly code: string } | null;
}

function problem(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export function memoryFiles(): MemoryFiles {
  const contents = new Map<string, Uint8Array>();
  const count = (): void => {
    files.calls++;
    if (files.failing?.call === files.calls) throw problem(files.failing.code);
  };
  const FACTS = { type: 'file', mode: 0o600 } as const;
  const openFile = (path: string, isAppending: boolean): OpenFile => ({
    write: async (bytes, position) => {
      count();
      const old = contents.get(path) ?? new Uint8Array();
      const at = isAppending ? old.length : (position ?? old.length);
      const next = new Uint8Array(Math.max(old.length, at + bytes.length));
      next.set(old);
      next.set(bytes, at);
      contents.set(path, next);
      return bytes.length;
    },
    read: async (maxBytes, position = 0) => {
      count();
      return (contents.get(path) ?? new Uint8Array()).subarray(position, position + maxBytes);
    },
    truncate: async (size) => {
      contents.set(path, (contents.get(path) ?? new Uint8Array()).subarray(0, size));
    },
    sync: async () => count(),
    facts: async () => FACTS,
    close: async () => undefined,
  });
  const files: MemoryFiles = {
    contents,
    calls: 0,
    failing: null,
    async open(path, mode) {
      count();
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
      count();
      const bytes = contents.get(from);
      if (bytes === undefined) throw problem('ENOENT');
      contents.delete(from);
      contents.set(to, bytes);
    },
    async link(from, to) {
      count();
      const bytes = contents.get(from);
      if (bytes === undefined) throw problem('ENOENT');
      if (contents.has(to)) throw problem('EEXIST');
      contents.set(to, bytes);
    },
    async remove(path) {
      count();
      contents.delete(path);
    },
    syncFolder: async () => count(),
  };
  return files;
}
