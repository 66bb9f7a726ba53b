// The source of the credential: the environment or a file, never the value of a flag.
import { Secret } from '../../base/secret.ts';
import { readKeyFile } from '../process/files.ts';
import { UsageError } from '../process/exit-code.ts';

/** The vendor's API: the only host that gets the credential of the vendor's own variable. */
export const VENDOR_BASE_URL = 'https://console.neon.tech/api/v2';

export interface CredentialInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly file: string | undefined;
  readonly baseUrl: string;
}

export interface Credential {
  readonly secret: Secret;
  readonly notice: string | null;
}

/** Finds the credential: by the flag, else in the environment (empty is unset). Throws UsageError for none, two or invalid text. */
export function findCredential({ env, cwd, file, baseUrl }: CredentialInput): Credential {
  if (file !== undefined) return credentialOfFile(cwd, file);
  const path = env['TRUEUP_API_KEY_FILE'] ?? '';
  const value = env['TRUEUP_API_KEY'] ?? '';
  if (path !== '' && value !== '')
    throw new UsageError(
      'two API keys are given: TRUEUP_API_KEY and TRUEUP_API_KEY_FILE',
      'Unset one of the two variables.',
    );
  if (path !== '') return credentialOfFile(cwd, path);
  if (value !== '') return { secret: checked(value, 'TRUEUP_API_KEY'), notice: null };
  const vendor = env['NEON_API_KEY'] ?? '';
  if (vendor === '')
    throw new UsageError(
      'no API key',
      'Set TRUEUP_API_KEY or TRUEUP_API_KEY_FILE, or give --api-key-file FILE. To try without an account, add --local.',
    );
  if (new URL(baseUrl).host !== new URL(VENDOR_BASE_URL).host)
    throw new UsageError(
      'NEON_API_KEY is sent to the vendor’s host only',
      `Set TRUEUP_API_KEY for ${new URL(baseUrl).host}.`,
    );
  const notice = 'using the API key in NEON_API_KEY';
  return { secret: checked(vendor, 'NEON_API_KEY'), notice };
}

function credentialOfFile(cwd: string, shown: string): Credential {
  const { text, notice } = readKeyFile(cwd, shown);
  return { secret: checked(text, shown), notice };
}

/** Frequent mistakes when copying a key: sent to the service, each would only be refused. */
const FLAWS: readonly (readonly [form: RegExp, flaw: string, fix: string | null])[] = [
  [/^$/, 'is empty', null],
  [/\0/, 'is UTF-16 text', 'Save the key as UTF-8.'],
  [/^\ufeff/, 'begins with a byte-order mark', 'Save the key as UTF-8 without that mark.'],
  [
    /^(?:export\s+)?\w*(?:KEY|TOKEN)\w*\s*=/i,
    'is written as NAME=KEY',
    'Remove the name and the = and keep only the key.',
  ],
  [/^bearer\s/i, 'begins with "Bearer"', 'Remove the word Bearer and keep only the key.'],
  [/^(["']).*\1$/, 'is in quotes', 'Remove the quotes.'],
  [/[\r\n]/, 'has a line break', 'Keep the key alone, on one line.'],
  [/\s/, 'has a space', 'Remove the space.'],
  [/[^\x21-\x7e]/, 'has characters that no key has', 'Copy the key again, without other characters.'],
];

/** The key without a trailing newline. Throws UsageError for text that cannot be a key; the message does not show the text. */
function checked(text: string, where: string): Secret {
  const value = text.replace(/\r?\n$/, '');
  const found = FLAWS.find(([form]) => form.test(value));
  if (found !== undefined) throw new UsageError(`the API key in ${where} ${found[1]}`, found[2]);
  return new Secret(value);
}
