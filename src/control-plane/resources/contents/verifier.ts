// SCRAM verifiers: what Postgres keeps of a password (RFC 5802, RFC 7677), so that no password is in any statement.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { Random } from '../../../base/random.ts';

const ITERATIONS = 4096;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** A new verifier of `password`. */
export function newVerifier(password: string, random: Random): string {
  return verifierOf(password, { salt: Buffer.from(random.bytes(SALT_BYTES)), iterations: ITERATIONS });
}

/** Does `verifier` belong to `password`? */
export function isVerifierOf(verifier: string | null, password: string): boolean {
  const parts = /^SCRAM-SHA-256\$(\d{1,7}):([\w+/=]+)\$/.exec(verifier ?? '');
  if (parts === null) return false;
  const [, iterations, salt = ''] = parts;
  return verifierOf(password, { salt: Buffer.from(salt, 'base64'), iterations: Number(iterations) }) === verifier;
}

function verifierOf(
  password: string,
  { salt, iterations }: { readonly salt: Buffer; readonly iterations: number },
): string {
  const salted = pbkdf2Sync(password, salt, iterations, HASH_BYTES, 'sha256');
  const sign = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(sign('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${sign('Server Key').toString('base64')}`;
}
