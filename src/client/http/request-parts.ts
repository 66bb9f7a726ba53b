// Checks the parts of a request that come from outside: the ids in its path, and its credential.
import type { Secret } from '../../base/secret.ts';

/** Segments as `encodeURIComponent` writes them, without segments of dots, so that no id can change the route. */
const PLAIN_PATH = /^(?:\/(?!\.+(?:\/|$))(?:[\w.~!'()*-]|%(?!2[Ee])[0-9A-F]{2}){1,200})+$/;

/** True for `/a/b-c/d%20e`: encoded segments of at most 200 characters, none empty, none of dots. */
export function isPlainPath(path: string): boolean {
  return PLAIN_PATH.test(path);
}

type Query = Readonly<Record<string, string | number>>;

export const NO_QUERY: Query = {};

export function withQuery(path: string, query: Query): string {
  if (query === NO_QUERY) return path;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** Null for a credential that can be sent. The text never holds a part of the credential. */
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
