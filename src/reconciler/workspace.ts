// Opens what a reconciler needs: the session with the service, and the state folder with journal, lock and secrets.
import { join, resolve } from 'node:path';
import { digestOf, isJsonObject, type JsonObject } from '../base/json.ts';
import { treesOf } from '../base/files/work-tree.ts';
import { nodeFileSystem, stateFolderFor, ensureStateFolder } from '../apply/file-system.ts';
import { secretsFrom, youngFor, type YoungRequests, type JournalLine } from '../apply/journal/entries.ts';
import { readJournal, noJournal, openJournal, type Journal } from '../apply/journal/journal.ts';
import { lockHolder, machineProcesses, acquireLock, type Holder } from '../apply/journal/lock.ts';
import type { SinkLookup } from '../apply/kind-remote.ts';
import { openSinks, secretsFolderProblem, type SinkOptions } from '../apply/sinks/open-sinks.ts';
import type { SecretSink } from '../apply/sinks/sink.ts';
import { programRunner } from '../apply/sinks/run-program.ts';
import { kindOf } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Step } from '../model/outcome/plan.ts';
import type { Machine, ReconcilerOptions } from './types.ts';
import { errorCode } from '../base/error-code.ts';
import { plural } from '../base/text/words.ts';
import { setMaxListeners } from 'node:events';
import { READS_AT_ONCE } from '../apply/read/read-scopes.ts';
import { systemClock, type Clock } from '../base/time/clock.ts';
import { systemRandom, type Random } from '../base/random.ts';
import { Secret } from '../base/secret.ts';
import { createApiClient } from '../client/api-client.ts';
import { parseBaseUrl } from '../client/http/proxy.ts';
import { createOperationWaiter, type OperationWaiter } from '../client/waiter.ts';
import { createRequestBudget } from '../client/pace.ts';
import { undiciTransport } from '../client/http/transport.ts';
import { BURSTS_IN_A_MINUTE, POLL_INTERVAL_MS } from '../model/operations/timing.ts';
import type { ApiClient } from '../client/types.ts';

interface Workspace {
  /** Returns the id that names this run in files and created resources. */
  readonly runId: () => string;
  /** Returns the requests for secrets that earlier runs sent in this account, from the journal. */
  orphans(): Promise<readonly JsonObject[]>;
  /** Returns the recent requests whose effect a list may not show yet, from the journal. */
  young(): Promise<YoungRequests>;
  readonly lookup: SinkLookup;
  readonly openSinks: (of: Pick<Step, 'kind' | 'options'>) => readonly SecretSink[];
  /** Takes the lock and opens the journal; null if another run has the lock. `say` receives problems until `leave` is called. */
  enter(say: (diagnostic: Diagnostic) => void): Promise<Entry | null>;
}

export function openWorkspace(options: ReconcilerOptions, session: Session): Workspace {
  const { clock, serverClock, random, client, credential } = session;
  const { env = {}, inputs = [], orgId = null, store = null } = options;
  const cwd = resolve(options.cwd ?? '.');
  const folder =
    options.stateDir === undefined ? stateFolderFor(cwd, env) : options.stateDir && resolve(cwd, options.stateDir);
  const account = digestOf({ baseUrl: client.baseUrl, orgId, store });
  const machine = options.machine ?? {
    fileSystem: nodeFileSystem,
    processes: machineProcesses(),
    runProgram: programRunner(clock),
  };
  const { fileSystem, processes } = machine;
  // Created on first use: most runs only read, and both the random source and the check of sink folders take time.
  const runId = once(() => Buffer.from(random.bytes(6)).toString('hex'));
  const sinkOptions = once((): SinkOptions => {
    const secretsDir = options.secretsDir ?? (folder && join(folder, 'secrets'));
    return {
      secretsDir,
      secretsProblem: secretsDir === null ? null : secretsFolderProblem(secretsDir, cwd, inputs),
      workDir: cwd,
      trees: treesOf(cwd, inputs),
      declared: options.sinks ?? new Map(),
      fileSystem,
      run: machine.runProgram,
      env,
      confidential: [credential],
      ci: !['', '0', 'false'].includes(env['CI'] ?? ''),
      runId: runId(),
    };
  });
  const lines = async (): Promise<readonly JournalLine[]> =>
    folder === null ? [] : (await readJournal(fileSystem, journalIn(folder))).lines;
  const holder = async (): Promise<string | null> => {
    if (folder === null) return null;
    const found = await lockHolder({ ...machine, clock, path: lockIn(folder) }).catch(() => null);
    return found?.run ?? null;
  };
  return {
    runId,
    orphans: async () => secretsFrom(account, await lines(), await holder()),
    young: async () => youngFor(account, await lines(), serverClock.nowMs()),
    lookup: {
      async look(target, shape, signal) {
        const { sinks, diagnostics } = openSinks([target], shape, sinkOptions());
        const [sink] = sinks;
        const { message = 'it cannot be opened', hint, code = '' } = diagnostics[0] ?? {};
        if (sink !== undefined) {
          const state = await sink.check(signal);
          signal?.throwIfAborted();
          return { ...state, ...(diagnostics.length === 0 ? {} : { warning: message }) };
        }
        return { state: 'broken', holds: null, reason: hint === undefined ? message : `${message} (${code}). ${hint}` };
      },
    },
    openSinks({ kind, options: { secret } }) {
      const { record } = kindOf(kind);
      if (!Array.isArray(secret) || record === undefined) return [];
      return openSinks(secret.filter(isJsonObject), record, sinkOptions()).sinks;
    },
    enter: async (say) =>
      enterFolder({ fileSystem, folder, clock, serverClock, processes, runId: runId(), account, say }),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The session with the service, the state folder, and the options of one reconciler. */
export interface Parts extends Session, Workspace {
  readonly options: ReconcilerOptions;
}

/** The journal of a run that may write. `leave` closes the journal and releases the lock. */
export interface Entry {
  readonly journal: Journal;
  leave(): Promise<void>;
}

interface EnterInput extends Pick<Machine, 'fileSystem' | 'processes'>, Pick<Session, 'clock' | 'serverClock'> {
  /** Null if there is no usable folder. */
  readonly folder: string | null;
  readonly runId: string;
  /** Digest of the account's identity. */
  readonly account: string;
  /** Called at once for each problem, even late in the run when a journal line cannot be written. */
  readonly say: (diagnostic: Diagnostic) => void;
}

/** The codes of journal problems that do not stop a run. */
export const ENTRY_TROUBLE: ReadonlySet<string> = new Set(['no_journal', 'journal_malformed']);

function journalIn(folder: string): string {
  return `${folder}/journal`;
}

function lockIn(folder: string): string {
  return `${folder}/lock`;
}

/** Takes the lock and opens the journal; null if another run has the lock. If the folder is not writable, the run has neither. */
async function enterFolder(input: EnterInput): Promise<Entry | null> {
  const { fileSystem, folder, clock, serverClock, processes, runId, account, say } = input;
  if (folder === null) return withoutFolder(input, 'HOME names no existing folder');
  const path = journalIn(folder);
  try {
    await ensureStateFolder(fileSystem, folder);
  } catch (error) {
    return withoutFolder(input, errorCode(error) || 'error');
  }
  const locked = await acquireLock({ fileSystem, path: lockIn(folder), run: runId, processes, clock });
  if (locked.state === 'unusable') return withoutFolder(input, locked.reason);
  if (locked.state === 'held') {
    say(heldBy(locked.holder, processes.self.host, locked.path));
    return null;
  }
  const journal = await openJournal({
    fileSystem,
    path,
    clock: serverClock,
    run: runId,
    account,
    onMalformed: (count) => say(journalMalformed(count, path)),
    onTrouble: (reason) => say(noJournalBecause(reason)),
  });
  const leave = async (): Promise<void> => {
    await journal.close();
    await locked.lock.release();
  };
  return { journal, leave };
}

function withoutFolder({ folder, say }: EnterInput, reason: string): Entry {
  say(
    noJournalBecause(
      `the run continues without journal and lock: ${folder ?? 'the state folder'} cannot be written (${reason})`,
    ),
  );
  return { journal: noJournal, leave: async () => undefined };
}

function noJournalBecause(message: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'no_journal',
    message,
    hint: 'If this run is killed, the next run cannot recognise the leftovers of this run. Set TRUEUP_STATE_DIR to a writable folder.',
  };
}

function journalMalformed(count: number, path: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'journal_malformed',
    message: `the run skips ${plural(count, 'malformed line')} of ${path}`,
    hint: 'If an earlier run was killed, look for keys that it left: trueup keys.',
  };
}

function heldBy(holder: Holder | null, here: string, path: string): Diagnostic {
  const [name = ''] = holder?.host.split(' ') ?? [];
  const who = holder === null ? '' : ` (process ${holder.pid}${holder.host === here ? '' : ` on ${name}`})`;
  return {
    severity: 'error',
    code: 'locked',
    message: `another apply is running in this folder${who}`,
    hint: `Wait until that apply ends. If no such process exists, delete ${path}.`,
  };
}

export interface Session {
  readonly client: ApiClient;
  readonly waiter: OperationWaiter;
  readonly clock: Clock;
  /** Like `clock`, but with the service's time as wall-clock time. */
  readonly serverClock: Clock;
  readonly random: Random;
  readonly credential: Secret;
  readonly close: () => Promise<void>;
}

const DEFAULT_PARALLELISM = 10;
const DEFAULT_PACE = 600;

/** Limits the writes in flight to half of the requests that one second allows, so that no write waits long after the account was read. */
export function writesAtOnce({ parallelism, requestsPerMinute }: ReconcilerOptions): number {
  const paced = Math.floor((requestsPerMinute ?? DEFAULT_PACE) / BURSTS_IN_A_MINUTE / 2);
  return Math.max(1, Math.min(parallelism ?? DEFAULT_PARALLELISM, paced));
}

/** The share of the request budget that polls of operations may use, so that writes always get through. */
const SHARE_OF_LOOKS = 0.6;

/** Opens the session. Throws Error for an unusable base URL, without quoting credentials in it. */
export function openSession(options: ReconcilerOptions): Session {
  const parsed = parseBaseUrl(options.baseUrl);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const credential = typeof options.credential === 'string' ? new Secret(options.credential) : options.credential;
  const transport =
    options.send === undefined
      ? undiciTransport({
          baseUrl: parsed.url,
          reads: READS_AT_ONCE,
          writes: writesAtOnce(options),
          clock,
          proxy: options.proxy,
        })
      : { send: options.send, close: async () => undefined };
  const requestsPerMinute = options.requestsPerMinute ?? DEFAULT_PACE;
  const closed = new AbortController();
  setMaxListeners(0, closed.signal);
  const client = createApiClient({
    send: transport.send,
    baseUrl: parsed.url,
    credential,
    orgId: options.orgId,
    clock,
    random,
    budget: createRequestBudget({ clock, requestsPerMinute }),
    onRetry: options.onRetry,
    closed: closed.signal,
    userAgent: options.userAgent ?? 'trueup',
  });
  const serverClock: Clock = {
    nowMs: () => client.serverTime(),
    monotonicMs: () => clock.monotonicMs(),
    after: (ms, act) => clock.after(ms, act),
    sleep: async (ms, signal) => clock.sleep(ms, signal),
  };
  const waiter = createOperationWaiter({
    reader: client,
    clock: serverClock,
    pollIntervalMs: options.pollIntervalMs ?? POLL_INTERVAL_MS,
    looksPerSecond: (requestsPerMinute / 60) * SHARE_OF_LOOKS,
  });
  const close = async (): Promise<void> => {
    closed.abort();
    await transport.close();
  };
  return { client, waiter, clock, serverClock, random, credential, close };
}
