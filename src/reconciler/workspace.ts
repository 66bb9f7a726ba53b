// The folder of a run: journal, lock and secrets, and what they are opened with.
import { resolve } from 'node:path';
import type { Clock } from '../base/time/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import { nodeFileSystem, type FileSystem } from '../apply/folder/file-system.ts';
import { linesFor } from '../apply/journal/accounts.ts';
import { readJournal } from '../apply/journal/journal.ts';
import { creationsFrom, completedFrom, isSameOwner, refillsFrom, secretsFrom } from '../apply/journal/past-runs.ts';
import { lockOwner } from '../apply/journal/lock.ts';
import type { Account } from '../apply/journal/lines.ts';
import { orphansFrom } from '../apply/journal/orphans.ts';
import { machineProcesses, type Processes } from '../apply/journal/processes.ts';
import type { SinkLookup } from '../apply/kind-remote.ts';
import type { RecordShape } from '../apply/sinks/record.ts';
import {
  DEFAULT_SECRETS_DIR,
  openSinks,
  programRunner,
  type OpenedSinks,
  type SinkOptions,
} from '../apply/sinks/index.ts';
import { STATE_FOLDER } from '../apply/folder/state-folder.ts';
import { trackedState } from '../apply/folder/tracked-state.ts';
import { enterFolder, type Entry } from './enter-folder.ts';
import type { Session } from './connect.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Machine, ReconcilerOptions } from './types.ts';

export interface Workspace {
  /** Names this run wherever it leaves a trace. */
  runId(): string;
  /** What the journal knows of what earlier runs made in this account: secrets that they may have left behind, and everything else. */
  orphans(): Promise<readonly JsonObject[]>;
  readonly lookup: SinkLookup;
  open(targets: readonly JsonObject[], shape: RecordShape): OpenedSinks;
  /**
   * Takes the lock and opens the journal; null when another run has the lock, or when `signal` ended the wait for it. `say` is told what
   * is wrong with either, as long as they are held.
   */
  enter(say: (diagnostic: Diagnostic) => void, signal: AbortSignal): Promise<Entry | null>;
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
  const folder = resolve(cwd, options.stateDir ?? STATE_FOLDER);
  const journalPath = `${folder}/journal`;
  let drawn: string | null = null;
  // Drawn when something is written: chance takes long to load, and most runs only read.
  const runId = (): string => (drawn ??= Buffer.from(random.bytes(6)).toString('hex'));
  const machine = options.machine ?? thisMachine(clock);
  const { fileSystem } = machine;
  const known = async (): Promise<Processes> => knownProcesses(machine, `${folder}/lock`);
  const sinkOptions = sinkOptionsOf(parts, {
    cwd,
    runId,
    machine,
    isDeadRun: async (run) => isDead({ fileSystem, processes: await known(), journalPath }, run),
  });
  const open: Workspace['open'] = (targets, shape) => openSinks(targets, shape, sinkOptions);
  let checked: Promise<void> | null = null;
  const requireUntracked = async (): Promise<void> => (checked ??= refuseTracked(fileSystem, folder));
  return {
    runId,
    async orphans() {
      await requireUntracked();
      const lines = linesFor(account, (await readJournal(fileSystem, journalPath)).lines);
      const processes = await known();
      const left = [...orphansFrom(lines, processes), ...creationsFrom(lines, processes)];
      return [...left, ...completedFrom(lines), ...secretsFrom(lines), ...refillsFrom(lines)];
    },
    lookup: {
      async look(target, shape, signal) {
        const { sinks, diagnostics } = open([target], shape);
        const [sink] = sinks;
        const { message = 'it cannot be opened', hint } = diagnostics[0] ?? {};
        if (sink !== undefined) {
          const state = await sink.check(signal);
          signal?.throwIfAborted();
          return { ...state, ...(diagnostics.length === 0 ? {} : { warning: message }) };
        }
        return { state: 'broken', holds: null, reason: hint === undefined ? message : `${message}. ${hint}` };
      },
    },
    open,
    async enter(say, signal) {
      await requireUntracked();
      return enterFolder({
        fileSystem,
        folder,
        journalPath,
        clock,
        serverClock,
        processes: machine.processes,
        runId: runId(),
        account,
        say,
        signal,
      });
    },
  };
}

/** Whether a process of another machine is alive is told by the lock: one that still runs there holds it. */
async function knownProcesses({ fileSystem, processes }: Machine, lock: string): Promise<Processes> {
  const { self } = processes;
  const holder = await lockOwner({ fileSystem, path: lock }).catch(() => null);
  return {
    self,
    isAlive: (owner) =>
      processes.isAlive(owner) && (owner.host === self.host || (holder !== null && isSameOwner(owner, holder))),
  };
}

/** Rejects when what lies in `folder` may have come with a commit. */
async function refuseTracked(fileSystem: FileSystem, folder: string): Promise<void> {
  const problem = await trackedState(fileSystem, folder);
  if (problem !== null) throw new Error(`tracked_state: ${problem}`);
}

function thisMachine(clock: Clock): Machine {
  return { fileSystem: nodeFileSystem, processes: machineProcesses(), runProgram: programRunner(clock) };
}

function sinkOptionsOf(
  { options, credential }: WorkspaceParts,
  run: { readonly cwd: string; readonly machine: Machine; readonly runId: () => string } & Pick<
    SinkOptions,
    'isDeadRun'
  >,
): SinkOptions {
  const env = options.env ?? {};
  return {
    secretsDir: options.secretsDir ?? DEFAULT_SECRETS_DIR,
    workDir: run.cwd,
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

interface JournalOfOthers {
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
  readonly journalPath: string;
}

async function isDead({ fileSystem, processes, journalPath }: JournalOfOthers, run: string): Promise<boolean> {
  const { lines } = await readJournal(fileSystem, journalPath);
  const begun = lines.find((line) => line.type === 'run' && line.run === run);
  return begun?.type === 'run' && !processes.isAlive(begun.owner);
}
