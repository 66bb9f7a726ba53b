// Connects a command to its service: over sockets with a credential, or to the local server in process.
import { createReconciler } from '../../reconciler/index.ts';
import type { Reconciler, ReconcilerOptions } from '../../reconciler/types.ts';
import type { RetryNotice } from '../../client/types.ts';
import { findCredential, VENDOR_BASE_URL } from './credential.ts';
import type { Session } from '../command.ts';
import type { Io } from '../process/io.ts';
import type { Settings } from '../program/settings.ts';
import { UsageError } from '../process/exit-code.ts';
import { programVersion } from '../process/files.ts';
import { RUN_POINTS } from '../../apply/run/run.ts';
import { parseBaseUrl } from '../../client/http/base-url.ts';
import { proxyFor } from '../../client/http/proxy.ts';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { treesOf } from '../../base/files/work-tree.ts';
import { defined, picked } from '../../base/picked.ts';
import { inert } from '../../base/text/inert.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { programProblem, secretsFolderProblem } from '../../apply/sinks/index.ts';
import { say } from './session.ts';

export interface Connection {
  readonly reconciler: Reconciler;
  readonly baseUrl: string;
  /** Which store of the embedded control plane it is; absent over sockets. */
  readonly store?: string;
  close(): Promise<void>;
}

/** Opens the connection that the settings describe. Throws UsageError when there is no usable URL or credential, or when a folder or a program of the run lies in a work tree. */
export async function connect(
  session: Session,
  words: readonly string[],
  onRetry: (notice: RetryNotice) => void,
): Promise<Connection> {
  const { io, settings } = session;
  const inputs = inputsOfRun(settings, words);
  refuseTreeFolders(session, inputs);
  await tellOldFolder(session);
  const { secretsDir, orgId, verbosity } = settings;
  const onPause = (reason: string): void => void io.stderr.write(`${reason}\n`);
  const shared = {
    ...picked(io, ['clock', 'random', 'cwd', 'env']),
    ...picked(settings, ['stateDir', 'sinks', 'parallelism', 'requestsPerMinute', 'pollIntervalMs', 'stepTimeoutMs']),
    ...defined({
      secretsDir: secretsDir ?? undefined,
      orgId: orgId ?? undefined,
      onPause: verbosity === 'quiet' ? undefined : onPause,
    }),
    inputs,
    userAgent: `trueup/${programVersion()}`,
    onRetry,
    ...failpointOf(io),
  };
  const url = baseUrlOf(settings);
  if (settings.local !== null) return connectLocal(io, settings.local, { ...shared, baseUrl: url });
  refuseBrokenTls(io, url);
  const credential = findCredential({ env: io.env, cwd: io.cwd, file: settings.apiKeyFile, baseUrl: url });
  if (credential.notice !== null && settings.verbosity !== 'quiet') await io.stderr.write(`${credential.notice}\n`);
  const proxy = proxyOf(io, url);
  const reconciler = createReconciler({
    ...shared,
    baseUrl: url,
    credential: credential.secret,
    ...defined({ proxy: proxy ?? undefined }),
  });
  return { reconciler, baseUrl: url, close: async () => reconciler.close() };
}

async function connectLocal(
  io: Io,
  folder: string,
  shared: Omit<ReconcilerOptions, 'credential'>,
): Promise<Connection> {
  const { openLocal } = await import('./local.ts');
  const local = openLocal(io, folder, shared.baseUrl);
  const { credential, send, store } = local;
  const reconciler = createReconciler({ ...shared, credential, send, store });
  return {
    reconciler,
    baseUrl: shared.baseUrl,
    store,
    async close() {
      await reconciler.close();
      local.close();
    },
  };
}

/** Throws UsageError for a proxy variable that cannot be used; credentials in it are never quoted. */
function proxyOf({ env }: Io, baseUrl: string): string | null {
  const choice = proxyFor(baseUrl, env);
  if ('problem' in choice) throw new UsageError(`${choice.variable} cannot be used: ${choice.problem}`);
  return choice.proxy;
}

/** A switched-off certificate check would hand the credential to anybody on the way. */
function refuseBrokenTls(io: Io, baseUrl: string): void {
  if (io.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && baseUrl.startsWith('https:'))
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches certificate checks off',
      'Unset that variable. To trust a private authority, set NODE_EXTRA_CA_CERTS.',
    );
}

const FAILPOINT = 'TRUEUP_FAILPOINT';

/** Reads `TRUEUP_FAILPOINT=NAME[:N]`: the process dies when it passes NAME for the N-th (default: first) time. */
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

/** The checked URL of the settings. Throws UsageError; credentials in a URL are never quoted. */
export function baseUrlOf(settings: Settings): string {
  if (settings.local !== null) return LOCAL_BASE_URL;
  const parsed = parseBaseUrl(settings.baseUrl ?? VENDOR_BASE_URL);
  if ('problem' in parsed) throw new UsageError(`the base URL cannot be used: ${parsed.problem}`);
  return parsed.url;
}

/** Throws UsageError where the secrets folder that was named, or the program of a sink, lies in a work tree. */
export function refuseTreeFolders({ io: { cwd, env }, settings }: Session, inputs: readonly string[]): void {
  const { secretsDir, sinks } = settings;
  const folder = secretsDir === null ? null : secretsFolderProblem(secretsDir, cwd, inputs);
  const ground = { workDir: cwd, trees: treesOf(cwd, inputs), env };
  const programs = [...sinks].map(([name, program]) => programProblem(name, program, ground));
  const problem = [folder, ...programs].find((one) => one !== null);
  if (problem === null || problem === undefined) return;
  const { code, message, hint = null } = problem;
  throw new UsageError(message, hint, code as UsageError['code']);
}

export function inputsOfRun(settings: Settings, words: readonly string[]): readonly string[] {
  const { files, overlays, variables, safetyFiles } = settings;
  return [...files, ...overlays, ...variables.files, ...safetyFiles, ...words].filter((path) => path !== '-');
}

/** The folder in which earlier releases kept things, below the working folder. */
const OLD_FOLDER = '.trueup';
const OLD_NAMES = ['journal', 'local', 'secrets', 'drift-runs.json'];

/** Says that what lies there is not read any more, and prints the lines that keep it. */
export async function tellOldFolder(session: Session): Promise<void> {
  const { io, settings } = session;
  const { cwd, stateDir, verbosity } = settings;
  const old = join(cwd, OLD_FOLDER);
  if (lstatSync(old, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const names = OLD_NAMES.filter((name) => lstatSync(join(old, name), { throwIfNoEntry: false }) !== undefined);
  if (names.length === 0) return;
  const message = `${OLD_FOLDER} in the working folder is no longer read: trueup keeps its files in the state folder`;
  const hint =
    stateDir === null
      ? 'Set HOME or TRUEUP_STATE_DIR and run the command again: the hint then has the commands that keep the content.'
      : 'If the folder is not part of a commit, run these commands to keep its content:';
  await say(session, [{ severity: 'warning', code: 'old_state_folder', message, hint }], new Map(), false);
  if (verbosity === 'quiet' || stateDir === null) return;
  const word = (path: string): string => inert(shellWord(path), 4000);
  const moves = names.map((name) => `  mv ${word(join(old, name))} ${word(join(stateDir, name))}\n`);
  await io.stderr.write(`  mkdir -p -m 700 ${word(stateDir)}\n${moves.join('')}\n`);
}
