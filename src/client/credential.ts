// The credential on its way into a header: checked first, because a header library would print what it refuses.
import type { Secret } from '../base/secret.ts';

/** Why a credential cannot be sent; null when it can. The text never holds any part of it. */
export function credentialProblem(credential: Secret): string | null {
  const value = credential.reveal();
  if (value === '') return 'the credential is empty';
  if (value.length > 4096) return 'the credential is longer than 4096 characters';
  if (/[\r\n]/.test(value)) return 'the credential contains a line break';
  if (/\s/.test(value)) return 'the credential contains a space';
  if (!/^[\x21-\x7e]+$/.test(value)) return 'the credential contains characters outside printable ASCII';
  return null;
}

/** The Authorization header (API page, "Authentication"). */
export function authorization(credential: Secret): string {
  return `Bearer ${credential.reveal()}`;
}
