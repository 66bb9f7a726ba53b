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

export interface EnterInput {
  readonly fileSystem: FileSystem;
  readonly folder: string;
  readonly journalPath: string;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly runId: string;
  readonly account: Account;
  /** Told at once what is wrong, also of a journal that fails when it has been open for long. */
  readonly say: (diagnostic: Diagnostic) => void;
}

/** Takes the lock and opens the journal; null when another run has the lock. A folder that cannot be written is done without, and said. */
export async function enterFolder(input: EnterInput): Promise<Entry | null> {
  const { fileSystem, folder, clock, processes, runId, say } = input;
  try {
    await ensureStateFolder(fileSystem, folder);
  } catch (error) {
    return withoutFolder(input, (error as NodeJS.ErrnoException).code ?? 'error');
  }
  const path = `${folder}/lock`;
  const locked = await acquireLock({ fileSystem, path, run: runId, processes, clock });
  if (locked.state === 'unusable') return withoutFolder(input, locked.reason);
  if (locked.state === 'held') {
    say(heldBy(locked.owner?.pid ?? null, locked.path));
    return null;
  }
  const hasWaited = await letSettle(input);
  let isLeaving = false;
  const journal = await beginJournal(input, (diagnostic) => {
    // The last line only says that there is nothing to look for; by then the run has said how it ended.
    if (!isLeaving) say(diagnostic);
  });
  const leave = async (): Promise<void> => {
    isLeaving = true;
    await journal.close();
    await locked.lock.release();
  };
  return { journal, hasWaited, leave };
}

/** Waits when an interrupted run's last request may still be under way; true if it had to. */
async function letSettle({ fileSystem, journalPath, clock }: EnterInput): Promise<boolean> {
  const { lines } = await readJournal(fileSystem, journalPath);
  const delayMs = settleDelayMs(lines, clock.nowMs());
  if (delayMs > 0) await clock.sleep(delayMs);
  return delayMs > 0;
}

async function beginJournal(input: EnterInput, say: EnterInput['say']): Promise<Journal> {
  const { fileSystem, journalPath, clock, processes, runId, account } = input;
  return openJournal({
    fileSystem,
    path: journalPath,
    clock,
    run: runId,
    owner: processes.self,
    account,
    onTrouble: (reason) => say(noJournalBecause(reason)),
  });
}

function withoutFolder({ folder, say }: EnterInput, reason: string): Entry {
  say(noJournalBecause(`${folder} cannot be written (${reason}): the run goes on without a journal and a lock`));
  return { journal: noJournal, hasWaited: false, leave: async () => undefined };
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
