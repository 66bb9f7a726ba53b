// A disk in memory: what is written is there at once, what was not synced is lost when the power fails.
import { dirname } from 'node:path';
import type { FileFacts, FileSystem, OpenFile } from '../../../src/apply/file-system.ts';
import type { Life } from './life.ts';

interface Node {
  readonly type: 'file' | 'folder';
  readonly identity: string;
  readonly mode: number;
  bytes: Uint8Array;
  synced: Uint8Array;
}

/** A call of the disk that fails: the n-th from now, with this code. */
export interface DiskFault {
  readonly call: number;
  readonly code: string;
}

const EMPTY = new Uint8Array();

export class Disk {
  #names = new Map<string, Node>();
  #syncedNames = new Map<string, Node>();
  #nodes = 0;
  #calls = 0;
  fault: DiskFault | null = null;
  /** Told of every path whose content or existence has just changed. */
  onChange: (path: string) => void = () => undefined;

  constructor(folders: readonly string[]) {
    for (const folder of folders) this.#names.set(folder, this.#node('folder', 0o755));
    this.#syncedNames = new Map(this.#names);
  }

  /** Puts a file there, with its folders, as if it had always been there. */
  plant(path: string, text: string): void {
    for (let folder = dirname(path); !this.#names.has(folder); folder = dirname(folder))
      this.#names.set(folder, this.#node('folder', 0o700));
    const node = this.#node('file', 0o600);
    node.bytes = new TextEncoder().encode(text);
    node.synced = node.bytes;
    this.#names.set(path, node);
    this.#syncedNames = new Map(this.#names);
  }

  text(path: string): string | null {
    const node = this.#names.get(path);
    return node?.type === 'file' ? new TextDecoder().decode(node.bytes) : null;
  }

  write(path: string, text: string): void {
    const node = this.#names.get(path);
    if (node !== undefined) node.bytes = new TextEncoder().encode(text);
  }

  erase(path: string): void {
    this.#names.delete(path);
  }

  paths(): readonly string[] {
    return [...this.#names].filter(([, node]) => node.type === 'file').map(([path]) => path);
  }

  modeOf(path: string): number {
    return this.#names.get(path)?.mode ?? 0;
  }

  /** All that a later process could see of it, also after a power failure, as text. */
  snapshot(): string {
    const all = (names: ReadonlyMap<string, Node>): unknown =>
      [...names].map(([path, { type, identity, mode, bytes, synced }]) => [
        path,
        type,
        identity,
        mode,
        Buffer.from(bytes).toString('latin1'),
        synced === bytes ? null : Buffer.from(synced).toString('latin1'),
      ]);
    return JSON.stringify([this.#nodes, all(this.#names), all(this.#syncedNames)]);
  }

  /** A folder whose name is lost takes its contents with it. */
  losePower(): void {
    const isKept = (path: string): boolean =>
      this.#syncedNames.has(path) && (path === dirname(path) || isKept(dirname(path)));
    this.#names = new Map([...this.#syncedNames].filter(([path]) => isKept(path)));
    this.#syncedNames = new Map(this.#names);
    for (const node of this.#names.values()) node.bytes = node.synced;
  }

  /** The disk as one process sees it. */
  seenBy(life: Life): FileSystem {
    const call = <T>(name: string, path: string, act: () => T): Promise<T> =>
      life.call(`${name} ${path}`, () => {
        if (this.fault?.call === ++this.#calls) throw problem(this.fault.code);
        return act();
      });
    return {
      open: (path, mode) =>
        call(`open-${mode}`, path, () => {
          const found = this.#names.get(path);
          if (mode === 'create' && found !== undefined) throw problem('EEXIST');
          if ((mode === 'read' || mode === 'write') && found === undefined) throw problem('ENOENT');
          if (found?.type === 'folder') throw problem('EISDIR');
          if (found === undefined) this.#add(path, 'file', 0o600);
          return this.#openFile(path, mode === 'append', call);
        }),
      facts: (path) =>
        call('facts', path, () => {
          const node = this.#names.get(path);
          return node === undefined ? null : factsOf(node);
        }),
      makeFolder: (path) =>
        call('make-folder', path, () => {
          if (this.#names.has(path)) throw problem('EEXIST');
          this.#add(path, 'folder', 0o700);
        }),
      names: (path) => call('names', path, () => this.#namesIn(path)),
      link: (from, to) =>
        call('link', from, () => {
          const node = this.#names.get(from);
          if (node === undefined) throw problem('ENOENT');
          if (this.#names.has(to)) throw problem('EEXIST');
          this.#names.set(to, node);
        }),
      rename: (from, to) => call('rename', from, () => this.#rename(from, to)),
      remove: (path) => call('remove', path, () => this.#remove(path)),
      syncFolder: (path) => call('sync-folder', path, () => this.#syncNames(path)),
    };
  }

  #openFile(
    path: string,
    isAppending: boolean,
    call: <T>(name: string, path: string, act: () => T) => Promise<T>,
  ): OpenFile {
    const node = this.#names.get(path);
    if (node === undefined) throw problem('ENOENT');
    const changed = (): void => {
      for (const [name, other] of this.#names) if (other === node) this.onChange(name);
    };
    return {
      write: (bytes, position) =>
        call('write', path, () => {
          const at = isAppending ? node.bytes.length : (position ?? node.bytes.length);
          const next = new Uint8Array(Math.max(node.bytes.length, at + bytes.length));
          next.set(node.bytes);
          next.set(bytes, at);
          node.bytes = next;
          changed();
          return bytes.length;
        }),
      read: (maxBytes, position = 0) => call('read', path, () => node.bytes.slice(position, position + maxBytes)),
      truncate: (size) =>
        call('truncate', path, () => {
          node.bytes = node.bytes.slice(0, size);
          changed();
        }),
      sync: () =>
        call('sync', path, () => {
          node.synced = node.bytes;
        }),
      facts: async () => factsOf(node),
      close: async () => undefined,
    };
  }

  #node(type: Node['type'], mode: number): Node {
    return { type, identity: `${++this.#nodes}`, mode, bytes: EMPTY, synced: EMPTY };
  }

  #add(path: string, type: Node['type'], mode: number): void {
    if (this.#names.get(dirname(path))?.type !== 'folder') throw problem('ENOENT');
    this.#names.set(path, this.#node(type, mode));
    this.onChange(path);
  }

  #rename(from: string, to: string): void {
    const node = this.#names.get(from);
    if (node === undefined) throw problem('ENOENT');
    this.#names.delete(from);
    this.#names.set(to, node);
    this.onChange(from);
    this.onChange(to);
  }

  #remove(path: string): void {
    if (!this.#names.delete(path)) throw problem('ENOENT');
    this.onChange(path);
  }

  #namesIn(folder: string): readonly string[] {
    if (this.#names.get(folder)?.type !== 'folder') throw problem('ENOENT');
    return [...this.#names.keys()]
      .filter((path) => dirname(path) === folder && path !== folder)
      .map((path) => path.slice(folder.length + 1))
      .sort();
  }

  #syncNames(folder: string): void {
    for (const path of this.#syncedNames.keys())
      if (dirname(path) === folder && !this.#names.has(path)) this.#syncedNames.delete(path);
    for (const [path, node] of this.#names) if (dirname(path) === folder) this.#syncedNames.set(path, node);
  }
}

function factsOf({ type, mode }: Node): FileFacts {
  return { type, mode };
}

function problem(code: string): Error {
  return Object.assign(new Error(code), { code });
}
