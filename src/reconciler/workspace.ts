// The folder of a run: journal, lock and secrets, and what they are opened with.
import { join, resolve } from 'node:path';
import type { Clock } from '../base/time/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { treesOf } from '../base/files/work-tree.ts';
import type { Secret } from '../base/secret.ts';
import { nodeFileSystem } from '../apply/folder/file-system.ts';
import { secretsFrom, youngFor, type YoungRequest } from '../apply/journal/entries.ts';
import { readJournal } from '../apply/journal/journal.ts';
import { lockHolder } from '../apply/journal/lock.ts';
import type { Account, JournalLine } from '../apply/journal/lines.ts';
import { machineProcesses } from '../apply/journal/processes.ts';
import type { SinkLookup } from '../apply/kind-remote.ts';
import type { RecordShape } from '../apply/sinks/record.ts';
import {
  openSinks,
  programRunner,
  secretsFolderProblem,
  type OpenedSinks,
  type SinkOptions,
} from '../apply/sinks/index.ts';
import { stateFolderFor } from '../apply/folder/state-folder.ts';
import { enterFolder, journalIn, lockIn, type Entry } from './enter-folder.ts';
import type { Session } from './connect.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Step } from '../model/outcome/plan.ts';
import type { Machine, ReconcilerOptions } from './types.ts';

export interface Workspace {
  /** Names this run wherever it leaves a trace. */
  runId(): string;
  /** The requests of earlier runs for secrets in this account, by the journal. */
  orphans(): Promise<readonly JsonObject[]>;
  /** The requests of recent runs whose effect a list may not show yet, by the journal. */
  young(): Promise<readonly YoungRequest[]>;
  readonly lookup: SinkLookup;
  open(targets: readonly JsonObject[], shape: RecordShape): OpenedSinks;
  /**
   * Takes the lock and opens the journal, and waits for what earlier requests may still bring; null if another run has the lock, or if
   * `signal` ended the wait. `say` hears of trouble with either, as long as they are held.
   */
  enter(steps: readonly Step[], say: (diagnostic: Diagnostic) => void, signal: AbortSignal): Promise<Entry | null>;
}

export interface WorkspaceParts {
  readonly options: ReconcilerOptions;
  /** Its server clock is what the journal is dated by: what that tells of is known by the service's times. */
  readonly session: Pick<Session, 'clock' | 'serverClock' | 'random'>;
  readonly credential: Secret;
  readonly account: Account;
}

export function openWorkspace(parts: WorkspaceParts): Workspace {
  const { options, account } = parts;
  const { clock, serverClock, random } = parts.session;
  const cwd = resolve(options.cwd ?? '.');
  const folder =
    options.stateDir === undefined
      ? stateFolderFor(cwd, options.env ?? {})
      : options.stateDir && resolve(cwd, options.stateDir);
  let drawn: string | null = null;
  // Drawn when something is written: chance takes long to load, and most runs only read.
  const runId = (): string => (drawn ??= Buffer.from(random.bytes(6)).toString('hex'));
  const machine = options.machine ?? thisMachine(clock);
  const { fileSystem } = machine;
  const holder = async (): Promise<string | null> => {
    if (folder === null) return null;
    const found = await lockHolder({ ...machine, clock, path: lockIn(folder) }).catch(() => null);
    return found?.run ?? null;
  };
  const linesOfAll = async (): Promise<readonly JournalLine[]> =>
    folder === null ? [] : (await readJournal(fileSystem, journalIn(folder))).lines;
  const sinkOptions = sinkOptionsOf(parts, {
    cwd,
    folder,
    runId,
    machine,
    isDeadRun: async (run) =>
      (await linesOfAll()).some((line) => line.type === 'run' && line.run === run) && (await holder()) !== run,
  });
  const open: Workspace['open'] = (targets, shape) => openSinks(targets, shape, sinkOptions);
  return {
    runId,
    orphans: async () => secretsFrom(account, await linesOfAll(), await holder()),
    young: async () => youngFor(account, await linesOfAll(), serverClock.nowMs()),
    lookup: {
      async look(target, shape, signal) {
        const { sinks, diagnostics } = open([target], shape);
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
    open,
    async enter(steps, say, signal) {
      return enterFolder({
        fileSystem,
        folder,
        clock,
        serverClock,
        processes: machine.processes,
        runId: runId(),
        account,
        steps,
        say,
        signal,
      });
    },
  };
}

function thisMachine(clock: Clock): Machine {
  return { fileSystem: nodeFileSystem, processes: machineProcesses(), runProgram: programRunner(clock) };
}

function sinkOptionsOf(
  { options, credential }: WorkspaceParts,
  run: {
    readonly cwd: string;
    readonly folder: string | null;
    readonly machine: Machine;
    readonly runId: () => string;
  } & Pick<SinkOptions, 'isDeadRun'>,
): SinkOptions {
  const env = options.env ?? {};
  const secretsDir = options.secretsDir ?? (run.folder && join(run.folder, 'secrets'));
  let trees: readonly string[] | null = null;
  let judged: { readonly problem: Diagnostic | null } | null = null;
  return {
    secretsDir,
    get secretsProblem() {
      judged ??= {
        problem: secretsDir === null ? null : secretsFolderProblem(secretsDir, run.cwd, options.inputs ?? []),
      };
      return judged.problem;
    },
    workDir: run.cwd,
    get trees() {
      return (trees ??= treesOf(run.cwd, options.inputs));
    },
    declared: options.sinks ?? new Map(),
    fileSystem: run.machine.fileSystem,
    run: run.machine.runProgram,
    env,
    confidential: [credential],
    ci: !['', '0', 'false'].includes(env['CI'] ?? ''),
    get runId() {
      return run.runId();
    },
    isDeadRun: run.isDeadRun,
  };
}
