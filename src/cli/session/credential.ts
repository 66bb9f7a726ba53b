// Where the credential comes from: the environment or a file, never a flag's value.
import { Secret } from '../../base/secret.ts';
import { readKeyFile } from '../process/files.ts';
import { UsageError } from '../program/usage-error.ts';

/** The vendor's API and the only host that the vendor's own variable is sent to. */
export const VENDOR_BASE_URL = 'https://console.neon.tech/api/v2';

export interface CredentialInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** `--api-key-file`. */
  readonly file: string | undefined;
  readonly baseUrl: string;
}

/** The credential, with what a person should know about its source. */
export interface Credential {
  readonly secret: Secret;
  /** A line that quiet runs leave out. */
  readonly notice: string | null;
}

/** Finds the credential: of the flag, else of the environment, where an empty variable is one that is not set. Throws UsageError when there is none, two in the environment, or one that cannot be a key. */
export function findCredential({ env, cwd, file, baseUrl }: CredentialInput): Credential {
  if (file !== undefined) return credentialOfFile(cwd, file);
  const path = env['TRUEUP_API_KEY_FILE'] ?? '';
  const value = env['TRUEUP_API_KEY'] ?? '';
  if (path !== '' && value !== '')
    throw new UsageError('two credentials are given: TRUEUP_API_KEY and TRUEUP_API_KEY_FILE', 'Give one of them.');
  if (path !== '') return credentialOfFile(cwd, path);
  if (value !== '') return { secret: checked(value, 'TRUEUP_API_KEY'), notice: null };
  const vendor = env['NEON_API_KEY'] ?? '';
  if (vendor === '')
    throw new UsageError(
      'no credential',
      'Set TRUEUP_API_KEY (or TRUEUP_API_KEY_FILE, or --api-key-file). To try without an account, use --local.',
    );
  if (new URL(baseUrl).host !== new URL(VENDOR_BASE_URL).host)
    throw new UsageError(
      'NEON_API_KEY is sent to the vendor’s own host only',
      `Set TRUEUP_API_KEY for ${new URL(baseUrl).host}.`,
    );
  const notice = 'using the credential in NEON_API_KEY';
  return { secret: checked(vendor, 'NEON_API_KEY'), notice };
}

function credentialOfFile(cwd: string, shown: string): Credential {
  const { text, notice } = readKeyFile(cwd, shown);
  return { secret: checked(text, shown), notice };
}

/** One trailing newline is forgiven; anything else that a key cannot hold is refused without being shown. */
function checked(text: string, where: string): Secret {
  const value = text.replace(/\r?\n$/, '');
  if (value === '') throw new UsageError(`the credential in ${where} is empty`);
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new UsageError(`the credential in ${where} has characters that no key has (spaces, line breaks or others)`);
  return new Secret(value);
}
