// Encrypts the passwords in a store. The key is in a file beside the store that only its owner can read.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { join } from 'node:path';
import { systemRandom } from '../../base/random.ts';
import { Secret } from '../../base/secret.ts';
import { keptIn } from './own-file.ts';
import { StoreError } from '../core/store.ts';

const FILE = 'seal-key';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = '$sealed';

export interface SealedJson {
  stringify(record: unknown): string;
  parse(text: string): unknown;
}

/** Encrypts and decrypts the passwords of the store in `folder`. Makes the store's key if there is none. */
export function sealOf(folder: string): SealedJson {
  const made = (): string => Buffer.from(systemRandom.bytes(KEY_BYTES)).toString('base64url');
  const key = Buffer.from(keptIn(join(folder, FILE), made), 'base64url');
  const unseal = (_name: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && SEALED in value
      ? new Secret(open(key, String(value[SEALED])))
      : value;
  return {
    stringify: (record) =>
      JSON.stringify(record, function seal(this: Readonly<Record<string, unknown>>, name: string, value: unknown) {
        // Reads the original member, because `value` is only the mask that the `toJSON` of a secret returns.
        const member = this[name];
        return member instanceof Secret ? { [SEALED]: close(key, member.reveal()) } : value;
      }),
    // Most records hold no password, and a reviver makes their parsing slow.
    parse: (text) => (text.includes(SEALED) ? JSON.parse(text, unseal) : JSON.parse(text)) as unknown,
  };
}

function close(key: Buffer, text: string): string {
  const nonce = Buffer.from(systemRandom.bytes(NONCE_BYTES));
  const cipher = createCipheriv(CIPHER, key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function open(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new StoreError(
      'corrupt',
      `the passwords in the store cannot be read with the key in ${FILE}; restore that file from a backup`,
      { cause },
    );
  }
}
