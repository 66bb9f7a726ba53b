// The state folder of a run: journal, lock and secrets.
import { join, resolve } from 'node:path';
import { digestOf, isJsonObject, type JsonObject } from '../base/json.ts';
import { treesOf } from '../base/files/work-tree.ts';
import { nodeFileSystem } from '../apply/folder/file-system.ts';
import { secretsFrom, youngFor, type YoungRequests } from '../apply/journal/entries.ts';
import { readJournal } from '../apply/journal/journal.ts';
import { lockHolder } from '../apply/journal/lock.ts';
import type { JournalLine } from '../apply/journal/lines.ts';
import { machineProcesses } from '../apply/journal/processes.ts';
import type { SinkLookup } from '../apply/kind-remote.ts';
import {
  openSinks,
  programRunner,
  secretsFolderProblem,
  type SecretSink,
  type SinkOptions,
} from '../apply/sinks/index.ts';
import { stateFolderFor } from '../apply/folder/state-folder.ts';
import { kindOf } from '../kinds/index.ts';
import { enterFolder, journalIn, lockIn, type Entry } from './enter-folder.ts';
import type { Session } from './connect.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Step } from '../model/outcome/plan.ts';
import type { ReconcilerOptions } from './types.ts';

interface Workspace {
  /** Returns the id that names this run in files and created resources. */
  readonly runId: () => string;
  /** The requests of earlier runs for secrets in this account, from the journal. */
  orphans(): Promise<readonly JsonObject[]>;
  /** The requests of recent runs whose effect a list may not show yet, from the journal. */
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
  // Created on first use: most runs only read, loading the random source takes long, and sinks inspect the folders around them.
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

/** A reconciler's connection to the service and to its folder. */
export interface Parts extends Session, Workspace {
  readonly options: ReconcilerOptions;
}
