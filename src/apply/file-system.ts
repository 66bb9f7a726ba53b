// Access to the state folder and to local files that must survive a crash. Each call does little, so that tests can make any call fail.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  write,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '../base/error-code.ts';
import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

export interface FileFacts {
  readonly type: 'file' | 'folder' | 'symlink' | 'other';
  /** Only the permission bits, such as 0o600. */
  readonly mode: number;
}

/** `create`: EEXIST if the name is taken · `append`: creates a missing file · `write`, `read`: the file must exist. None opens a symlink. */
export type OpenMode = 'create' | 'append' | 'write' | 'read';

/** Every failed call rejects with a Node system error, whose `code` is for example ENOSPC. */
export interface OpenFile {
  /** Writes at `position`, or at the end for `append`; resolves with the number of bytes written, which may be fewer than given. */
  write(bytes: Uint8Array, position?: number): Promise<number>;
  /** Reads up to `maxBytes` from `position`; fewer only at the end of the file. */
  read(maxBytes: number, position?: number): Promise<Uint8Array>;
  truncate(size: number): Promise<void>;
  /** Resolves when the written bytes are on the disk. After a failure, the caller must assume that these bytes are lost. */
  sync(): Promise<void>;
  facts(): Promise<FileFacts>;
  close(): Promise<void>;
}

export interface FileSystem {
  /** With `create` and `append`, sets mode 0600 whatever the umask, even of an existing file. */
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  /** Describes the entry itself, not the target of a symlink; null if there is no such entry. */
  facts(path: string): Promise<FileFacts | null>;
  /** Creates one folder with mode 0700 whatever the umask; fails with EEXIST if the name is taken. */
  makeFolder(path: string): Promise<void>;
  names(path: string): Promise<readonly string[]>;
  /** Replaces `to` atomically; both paths must be on one file system. */
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name; fails with EEXIST if the name is taken. */
  link(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Resolves when the names in the folder are on the disk; does nothing where a folder cannot be synced. */
  syncFolder(path: string): Promise<void>;
}

const FLAGS: Readonly<Record<OpenMode, number>> = {
  create: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  write: constants.O_WRONLY,
  read: constants.O_RDONLY,
};

const writeLater = promisify(write);
const syncLater = promisify(fsync);

/** Writes and syncs run in a thread. All else is synchronous, because a short call takes ten times as long in a thread. */
export const nodeFileSystem: FileSystem = {
  async open(path, mode) {
    // O_NONBLOCK: opening a FIFO must fail or return, never wait for its other end.
    const harden = constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const fd = openSync(path, FLAGS[mode] | harden, 0o600);
    if (mode === 'create' || mode === 'append') {
      try {
        fchmodSync(fd, 0o600);
      } catch (error) {
        closeSync(fd);
        throw error;
      }
    }
    return openFile(fd);
  },

  async facts(path) {
    try {
      return factsOf(lstatSync(path));
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
      throw error;
    }
  },

  async makeFolder(path) {
    mkdirSync(path, { mode: 0o700 });
    chmodSync(path, 0o700);
  },

  names: async (path) => readdirSync(path).sort(),
  rename: async (from, to) => renameSync(from, to),
  link: async (from, to) => linkSync(from, to),
  remove: async (path) => unlinkSync(path),

  async syncFolder(path) {
    try {
      const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
      await syncLater(fd).finally(() => closeSync(fd));
    } catch (error) {
      // Some network file systems cannot sync a folder, and some folders cannot be opened. The change in the folder still counts.
      if (!['EINVAL', 'ENOTSUP', 'EACCES'].includes(errorCode(error))) throw error;
    }
  },
};

export function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Writes all of `bytes` from `position` on (at the end for `append`), in several writes if one write takes only a part. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position?: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const written = await file.write(bytes.subarray(done), position === undefined ? undefined : position + done);
    if (written <= 0) throw systemError('EIO', 'the file system wrote no bytes');
    done += written;
  }
}

export async function writeWhole(
  fileSystem: FileSystem,
  path: string,
  mode: Exclude<OpenMode, 'read' | 'append'>,
  { text, synced = false }: { readonly text: string; readonly synced?: boolean },
): Promise<void> {
  const file = await fileSystem.open(path, mode);
  try {
    await writeAll(file, new TextEncoder().encode(text), 0);
    if (synced) await file.sync();
  } finally {
    await file.close();
  }
}

/** Reads a whole file; rejects if the file is larger than `maxBytes` (EFBIG) or is no regular file (EINVAL). */
export async function readWhole(fileSystem: FileSystem, path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await fileSystem.open(path, 'read');
  try {
    const facts = await file.facts();
    if (facts.type !== 'file') throw systemError('EINVAL', 'it is not a regular file');
    const bytes = await file.read(maxBytes + 1, 0);
    if (bytes.length > maxBytes) throw systemError('EFBIG', 'the file is too large');
    return bytes;
  } finally {
    await file.close();
  }
}

function openFile(opened: number): OpenFile {
  // The system gives the descriptor of a closed file to the next opened file, so a call after `close` must fail.
  let open: number | null = opened;
  const fd = (): number => {
    if (open === null) throw systemError('EBADF', 'the file is closed');
    return open;
  };
  return {
    write: async (bytes, position) => (await writeLater(fd(), bytes, 0, bytes.length, position ?? null)).bytesWritten,
    async read(maxBytes, position = 0) {
      const buffer = new Uint8Array(Math.min(maxBytes, fstatSync(fd()).size + 1));
      let length = 0;
      while (length < buffer.length) {
        const count = readSync(fd(), buffer, length, buffer.length - length, position + length);
        if (count === 0) break;
        length += count;
      }
      return buffer.subarray(0, length);
    },
    truncate: async (size) => ftruncateSync(fd(), size),
    sync: async () => syncLater(fd()),
    facts: async () => factsOf(fstatSync(fd())),
    async close() {
      const closing = open;
      open = null;
      if (closing !== null) closeSync(closing);
    },
  };
}

function factsOf(stats: Stats): FileFacts {
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'symlink' : 'other';
  return { type, mode: stats.mode & 0o7777 };
}

const HASH_DIGITS = 12;
const LONGEST_NAME = 80;

/** Returns the state folder for runs in `cwd` (absolute): below TRUEUP_STATE_DIR, else XDG_STATE_HOME, else HOME; null if none is usable. */
export function stateFolderFor(cwd: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const root = rootOf(cwd, env);
  if (root === null) return null;
  const real = realOf(cwd);
  const name =
    basename(real)
      .replace(/[^\w.-]/g, '_')
      .slice(0, LONGEST_NAME) || 'root';
  const hash = createHash('sha256').update(real).digest('hex').slice(0, HASH_DIGITS);
  return join(root, `${name}-${hash}`);
}

function rootOf(cwd: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const { TRUEUP_STATE_DIR: own = '', XDG_STATE_HOME: state = '', HOME: home = '' } = env;
  if (own !== '') return resolve(cwd, own);
  // The XDG specification says to ignore relative paths.
  if (isAbsolute(state)) return join(state, 'trueup');
  const isHome = isAbsolute(home) && statSync(home, { throwIfNoEntry: false })?.isDirectory() === true;
  return isHome ? join(home, '.local', 'state', 'trueup') : null;
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Creates the folder and its missing parents with mode 0700. Rejects with a system error, also if other users can write to the folder. */
export async function ensureStateFolder(fileSystem: FileSystem, path: string): Promise<void> {
  await ensureFolder(fileSystem, path);
  const facts = await fileSystem.facts(path);
  if (facts?.type !== 'folder') throw systemError('ENOTDIR', `${path} is not a folder`);
  if ((facts.mode & 0o022) !== 0) throw systemError('EPERM', `${path} is writable by other users`);
}

/** Creates the folder and its missing parents, and syncs their names, so that a crash cannot lose a synced file with its folder. */
export async function ensureFolder(fileSystem: FileSystem, path: string): Promise<void> {
  const above = dirname(path);
  try {
    await fileSystem.makeFolder(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && above !== path) {
      await ensureFolder(fileSystem, above);
      await fileSystem.makeFolder(path);
    } else if (errorCode(error) !== 'EEXIST') throw error;
  }
  // Syncs even if the folder existed before: an earlier run may have created the folder and ended before this sync.
  await fileSystem.syncFolder(above);
}
