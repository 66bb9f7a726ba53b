// Checks what of a request comes from elsewhere, before it is sent: the ids in its path, and its credential.
import type { Secret } from '../../base/secret.ts';

/**
 * What a URL parser leaves as it is, so that no id can climb out of its place: as `encodeURIComponent` writes it, which escapes no dot.
 * One search for all segments: a path is not taken apart.
 */
const PLAIN_PATH = /^(?:\/(?!\.+(?:\/|$))(?:[\w.~!'()*-]|%(?!2[Ee])[0-9A-F]{2}){1,200})+$/;

/** True for `/a/b-c/d%20e`: encoded segments of at most 200 characters, none empty, none of dots. */
export function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path);
}

type Query = Readonly<Record<string, string | number>>;

export const NO_QUERY: Query = {};

/** The path with its query, names and values encoded, in the order given. */
export function withQuery(path: string, query: Query): string {
  if (query === NO_QUERY) return path;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** Why a credential cannot be sent; null when it can. The text never holds any part of it, as a header library's would. */
export function credentialProblem(credential: Secret): string | null {
  const value = credential.reveal();
  if (value === '') return 'the credential is empty';
  if (value.length > 4096) return 'the credential is longer than 4096 characters';
  if (/[\r\n]/.test(value)) return 'the credential contains a line break';
  if (/\s/.test(value)) return 'the credential contains a space';
  if (!/^[\x21-\x7e]+$/.test(value)) return 'the credential contains characters outside printable ASCII';
  return null;
}

/** The Authorization header (api-rules 12.1). */
export function authorization(credential: Secret): string {
  return `Bearer ${credential.reveal()}`;
}
