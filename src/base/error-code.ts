// The code by which the system or a driver names a failure.

/** `ENOENT`, `SQLITE_BUSY`; an empty text for an error that has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
