// The right to write: the lock of the folder, and the journal that goes with it.
import type { Clock } from '../base/clock.ts';
import type { FileSystem } from '../apply/file-system.ts';
import { noJournal, openJournal, readJournal, type Journal } from '../apply/journal/journal.ts';
import type { Account } from '../apply/journal/lines.ts';
import { acquireLock } from '../apply/journal/lock.ts';
import { settleDelayMs } from '../apply/journal/orphans.ts';
import type { Processes } from '../apply/journal/processes.ts';
import { ensureStateFolder } from '../apply/state-folder.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** The right to write, while it lasts. */
export interface Entry {
  readonly journal: Journal;
  /** An interrupted run's last request was given time to settle: what was read before that proves nothing. */
  readonly hasWaited: boolean;
  leave(): Promise<void>;
}

export interface Entered {
  /** Null when another run has the lock. */
  readonly entry: Entry | null;
  readonly diagnostics: readonly Diagnostic[];
}

export interface EnterInput {
  readonly fileSystem: FileSystem;
  readonly folder: string;
  readonly journalPath: string;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly runId: string;
  readonly account: Account;
}

/** Takes the lock and opens the journal. A folder that cannot be written is done without, and said. */
export async function enterFolder(input: EnterInput): Promise<Entered> {
  const { fileSystem, folder, clock, processes, runId } = input;
  try {
    await ensureStateFolder(fileSystem, folder);
  } catch (error) {
    return withoutFolder(folder, (error as NodeJS.ErrnoException).code ?? 'error');
  }
  const path = `${folder}/lock`;
  const locked = await acquireLock({ fileSystem, path, run: runId, processes, clock });
  if (locked.state === 'unusable') return withoutFolder(folder, locked.reason);
  if (locked.state === 'held') return { entry: null, diagnostics: [heldBy(locked.owner?.pid ?? null, locked.path)] };
  const diagnostics: Diagnostic[] = [];
  const hasWaited = await letSettle(input);
  const journal = await beginJournal(input, diagnostics);
  const leave = async (): Promise<void> => {
    await journal.close();
    await locked.lock.release();
  };
  return { entry: { journal, hasWaited, leave }, diagnostics };
}

/** Waits when an interrupted run's last request may still be under way; true if it had to. */
async function letSettle({ fileSystem, journalPath, clock }: EnterInput): Promise<boolean> {
  const { lines } = await readJournal(fileSystem, journalPath);
  const delayMs = settleDelayMs(lines, clock.nowMs());
  if (delayMs > 0) await clock.sleep(delayMs);
  return delayMs > 0;
}

async function beginJournal(input: EnterInput, diagnostics: Diagnostic[]): Promise<Journal> {
  const { fileSystem, journalPath, clock, processes, runId, account } = input;
  return openJournal({
    fileSystem,
    path: journalPath,
    clock,
    run: runId,
    owner: processes.self,
    account,
    onTrouble: (reason) => diagnostics.push(noJournalBecause(`the journal cannot be written: ${reason}`)),
  });
}

function withoutFolder(folder: string, reason: string): Entered {
  const diagnostic = noJournalBecause(
    `${folder} cannot be written (${reason}): the run goes on without a journal and a lock`,
  );
  return { entry: { journal: noJournal, hasWaited: false, leave: async () => undefined }, diagnostics: [diagnostic] };
}

function noJournalBecause(message: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'no_journal',
    message,
    hint: 'Should this run be killed, the next one cannot tell its leftovers from others’.',
  };
}

function heldBy(pid: number | null, path: string): Diagnostic {
  return {
    severity: 'error',
    code: 'locked',
    message: `another apply is running in this folder${pid === null ? '' : ` (process ${pid})`}`,
    hint: `Wait for it to end. If it is surely gone, delete ${path}.`,
  };
}
