// The credential of a request ("Authentication" 1).

/** The value of an Authorization header of the form `Bearer VALUE`; undefined for any other. */
export function bearerOf(header: string | null | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
