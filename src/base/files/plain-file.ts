// Reads a plain file whole: what is read is what was looked at, a device or a pipe is never waited for, and no more is read than is allowed.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

/** `real`: a path without links. Throws a system error, or one with the code EINVAL (no plain file), ELOOP (it leads elsewhere by now) or EFBIG. */
export function readPlain(real: string, maxBytes: number): Uint8Array {
  const harden = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
  const file = openSync(real, constants.O_RDONLY | harden);
  try {
    const opened = fstatSync(file);
    if (!opened.isFile()) throw problem(opened.isDirectory() ? 'EISDIR' : 'EINVAL', 'it is no plain file');
    const found = statSync(real);
    if (realpathSync.native(real) !== real || found.dev !== opened.dev || found.ino !== opened.ino)
      throw problem('ELOOP', 'it changed while it was read');
    return readAll(file, opened.size, maxBytes);
  } finally {
    closeSync(file);
  }
}

function readAll(file: number, size: number, maxBytes: number): Uint8Array {
  if (size > maxBytes) throw problem('EFBIG', 'it is too large');
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  throw problem('EFBIG', 'it grew while it was read');
}

function problem(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
