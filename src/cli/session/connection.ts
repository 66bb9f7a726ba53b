// Connects a command to its service: over the network with a credential, or to the local server in process.
import { createReconciler } from '../../reconciler/index.ts';
import type { ReconcilerOptions } from '../../reconciler/types.ts';
import type { RetryNotice } from '../../client/types.ts';
import type { Connection, Invocation, Session } from '../command.ts';
import type { Io } from '../process/io.ts';
import type { Settings } from '../program/settings.ts';
import { UsageError } from '../process/exit-code.ts';
import { keyInEnvironment, programVersion, readKeyFile, type GivenKey } from '../process/files.ts';
import { RUN_POINTS } from '../../apply/run/run.ts';
import { parseBaseUrl, proxyFor } from '../../client/http/proxy.ts';
import { treesOf } from '../../base/files/work-tree.ts';
import { picked, present } from '../../base/picked.ts';
import { programProblem, secretsFolderProblem } from '../../apply/sinks/open-sinks.ts';
import { tellOldFolder } from './session.ts';
import { Secret } from '../../base/secret.ts';

/** Opens the connection. Throws UsageError without a usable URL or credential, or for secrets or programs in a work tree. */
export async function connect(session: Invocation, onRetry: (notice: RetryNotice) => void): Promise<Connection> {
  const { io, settings, words } = session;
  const { files, overlays, variables, safetyFiles } = settings;
  const given = [...files, ...overlays, ...variables.files, ...safetyFiles, ...words];
  const inputs = given.filter((path) => path !== '-');
  refuseTreeFolders(session, inputs);
  await tellOldFolder(session);
  const { secretsDir, orgId, verbosity } = settings;
  const onPause = (reason: string): void => void io.stderr.write(`${reason}\n`);
  const shared = {
    ...picked(io, ['clock', 'random', 'cwd', 'env']),
    ...picked(settings, ['stateDir', 'sinks', 'parallelism', 'requestsPerMinute', 'pollIntervalMs', 'stepTimeoutMs']),
    ...present({ secretsDir, orgId, onPause: verbosity === 'quiet' ? null : onPause }),
    inputs,
    userAgent: `trueup/${programVersion()}`,
    onRetry,
    ...failpointOf(io),
  };
  const url = baseUrlOf(settings);
  if (settings.local !== null) {
    const { connectLocal } = await import('./local.ts');
    return connectLocal(io, settings.local, { ...shared, baseUrl: url });
  }
  refuseBrokenTls(io, url);
  const credential = findCredential(io, settings.apiKeyFile, url);
  if (credential.notice !== null && settings.verbosity !== 'quiet') await io.stderr.write(`${credential.notice}\n`);
  const choice = proxyFor(url, io.env);
  if ('problem' in choice) throw new UsageError(`${choice.variable} cannot be used: ${choice.problem}`);
  const reconciler = createReconciler({
    ...shared,
    baseUrl: url,
    credential: credential.secret,
    ...present({ proxy: choice.proxy }),
  });
  return { reconciler, close: async () => reconciler.close() };
}

/** Throws UsageError if TLS checks are off, because any machine in between could then read the credential. */
function refuseBrokenTls(io: Io, baseUrl: string): void {
  if (io.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && baseUrl.startsWith('https:'))
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches certificate checks off',
      'Unset that variable. To trust a private authority, set NODE_EXTRA_CA_CERTS.',
    );
}

const FAILPOINT = 'TRUEUP_FAILPOINT';

/** Reads `TRUEUP_FAILPOINT=NAME[:N]`: the process kills itself when it reaches point NAME for the Nth time (default: 1). */
function failpointOf(io: Pick<Io, 'env' | 'die'>): Pick<ReconcilerOptions, 'onPoint'> {
  const wanted = io.env[FAILPOINT];
  if (wanted === undefined || wanted === '') return {};
  const [, name = '', count = '1'] = /^([a-z]+)(?::([1-9]\d{0,5}))?$/.exec(wanted) ?? [];
  if (!Object.hasOwn(RUN_POINTS, name))
    throw new UsageError(`${FAILPOINT} takes NAME or NAME:N`, `The names: ${Object.keys(RUN_POINTS).join(', ')}.`);
  let left = Number(count);
  return {
    onPoint: (point) => {
      if (point === name && --left === 0) io.die();
    },
  };
}

const LOCAL_BASE_URL = 'http://localhost/api/v2';

/** The checked base URL. Throws UsageError for an unusable URL, without quoting a credential in it. */
export function baseUrlOf(settings: Settings): string {
  if (settings.local !== null) return LOCAL_BASE_URL;
  const parsed = parseBaseUrl(settings.baseUrl ?? VENDOR_BASE_URL);
  if ('problem' in parsed) throw new UsageError(`the base URL cannot be used: ${parsed.problem}`);
  return parsed.url;
}

/** Throws UsageError if the secrets folder or a sink's program is in a work tree. */
function refuseTreeFolders({ io: { cwd, env }, settings }: Session, inputs: readonly string[]): void {
  const { secretsDir, sinks } = settings;
  const folder = secretsDir === null ? null : secretsFolderProblem(secretsDir, cwd, inputs);
  const ground = { workDir: cwd, trees: treesOf(cwd, inputs), env };
  const programs = [...sinks].map(([name, program]) => programProblem(name, program, ground));
  const problem = [folder, ...programs].find((one) => one !== null);
  if (problem === null || problem === undefined) return;
  const { code, message, hint = null } = problem;
  throw new UsageError(message, hint, code as UsageError['code']);
}

/** The vendor's API. No other host gets the credential in NEON_API_KEY. */
export const VENDOR_BASE_URL = 'https://console.neon.tech/api/v2';

export interface Credential {
  readonly secret: Secret;
  readonly notice: string | null;
}

/** Finds the credential in the flag's file, else in the environment. Throws UsageError for none, two or invalid ones. */
export function findCredential(io: Pick<Io, 'env' | 'cwd'>, file: string | undefined, baseUrl: string): Credential {
  const found = file === undefined ? keyInEnvironment(io, 'TRUEUP_API_KEY', 'API key') : readKeyFile(io.cwd, file);
  if (found !== null) return { secret: checked(found), notice: found.notice };
  const text = io.env['NEON_API_KEY'] ?? '';
  if (text === '')
    throw new UsageError(
      'no API key',
      'Set TRUEUP_API_KEY or TRUEUP_API_KEY_FILE, or give --api-key-file FILE. To try without an account, add --local.',
    );
  if (new URL(baseUrl).host !== new URL(VENDOR_BASE_URL).host)
    throw new UsageError(
      'NEON_API_KEY is sent to the vendor’s host only',
      `Set TRUEUP_API_KEY for ${new URL(baseUrl).host}.`,
    );
  return { secret: checked({ text, where: 'NEON_API_KEY' }), notice: 'using the API key in NEON_API_KEY' };
}

/** Frequent mistakes in copied keys, which the service would refuse without saying why. */
const FLAWS: readonly (readonly [form: RegExp, flaw: string, fix: string | null])[] = [
  [/^$/, 'is empty', null],
  [/\0/, 'is UTF-16 text', 'Save the key as UTF-8.'],
  [/^\ufeff/, 'begins with a byte-order mark', 'Save the key as UTF-8 without that mark.'],
  [/^(?:export\s+)?\w*(?:KEY|TOKEN)\w*\s*=/i, 'is written as NAME=KEY', 'Keep only the part after the =.'],
  [/^bearer\s/i, 'begins with "Bearer"', 'Remove the word Bearer and keep only the key.'],
  [/^(["']).*\1$/, 'is in quotes', 'Remove the quotes.'],
  [/[\r\n]/, 'has a line break', 'Keep the key alone, on one line.'],
  [/\s/, 'has a space', 'Remove the space.'],
  [/[^\x21-\x7e]/, 'has characters that no key has', 'Copy the key again, without other characters.'],
];

/** The key without a trailing newline. Throws UsageError for invalid text, and never shows the text. */
function checked({ text, where }: Pick<GivenKey, 'text' | 'where'>): Secret {
  const value = text.replace(/\r?\n$/, '');
  const found = FLAWS.find(([form]) => form.test(value));
  if (found !== undefined) throw new UsageError(`the API key in ${where} ${found[1]}`, found[2]);
  return new Secret(value);
}
