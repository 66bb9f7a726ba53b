// Reads the code by which the system or a driver names a failure, and describes known codes for people.

/** Returns the error's `code`, such as `ENOENT` or `SQLITE_BUSY`; empty if the error has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'a file or folder of that name exists',
  EFBIG: 'it is too large',
  EINVAL: 'it is not a regular file',
  EISDIR: 'it is a folder',
  ELOOP: 'a symbolic link forms a cycle, or leads elsewhere',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left',
  ENOTDIR: 'its parent is not a folder',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
};

/** Describes an error, as in `permission denied (EACCES)`. Returns an unknown code alone, and the message of an error without a code. */
export function systemWords(error: unknown): string {
  const code = errorCode(error);
  const words = WORDS[code];
  return words === undefined ? code || (error as Error).message : `${words} (${code})`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
