// The right to write: the lock of the folder, and the journal that goes with it.
import { errorCode } from '../base/error-code.ts';
import type { Clock } from '../base/time/clock.ts';
import type { FileSystem } from '../apply/folder/file-system.ts';
import { repeatedBy, youngFor } from '../apply/journal/entries.ts';
import { noJournal, openJournal, readJournal, type Journal } from '../apply/journal/journal.ts';
import type { Account } from '../apply/journal/lines.ts';
import { acquireLock, type Holder } from '../apply/journal/lock.ts';
import type { Processes } from '../apply/journal/processes.ts';
import { ensureStateFolder } from '../apply/folder/state-folder.ts';
import { plural } from '../base/text/words.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Step } from '../model/outcome/plan.ts';

/** The right to write, while it lasts. */
export interface Entry {
  readonly journal: Journal;
  /** An earlier run's last requests were given time to show: an older reading proves nothing. */
  readonly hasWaited: boolean;
  leave(): Promise<void>;
}

export interface EnterInput {
  readonly fileSystem: FileSystem;
  /** Null where there is none that can be used. */
  readonly folder: string | null;
  readonly clock: Clock;
  /** The clock of the times in the journal. */
  readonly serverClock: Clock;
  readonly processes: Processes;
  readonly runId: string;
  readonly account: Account;
  /** Told at once what is wrong, also of a journal that fails when it has been open for long. */
  readonly say: (diagnostic: Diagnostic) => void;
  /** The steps that are about to be sent. */
  readonly steps: readonly Step[];
  /** Ends the waits. */
  readonly signal?: AbortSignal;
}

/** The codes of trouble with the journal of a run that goes on. */
export const ENTRY_TROUBLE: ReadonlySet<string> = new Set(['no_journal', 'journal_malformed']);

/** The journal's path in the state folder. */
export function journalIn(folder: string): string {
  return `${folder}/journal`;
}

/** The path of the lock in the state folder. */
export function lockIn(folder: string): string {
  return `${folder}/lock`;
}

/** Takes the lock and opens the journal; null when another run has the lock. A folder that cannot be written is done without, and said. */
export async function enterFolder(input: EnterInput): Promise<Entry | null> {
  const { fileSystem, folder, clock, processes, runId, say } = input;
  if (folder === null) return withoutFolder(input, 'HOME names no existing folder');
  const journalPath = journalIn(folder);
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
  let hasWaited: boolean;
  try {
    hasWaited = await letSettle(input, journalPath);
  } catch {
    await locked.lock.release();
    return null;
  }
  let isLeaving = false;
  const journal = await openJournal({
    fileSystem,
    path: journalPath,
    clock: input.serverClock,
    run: runId,
    account: input.account,
    onTrouble: (reason) => {
      // The last line only says that there is nothing to look for; by then the run has said how it ended.
      if (!isLeaving) say(noJournalBecause(reason));
    },
  });
  const leave = async (): Promise<void> => {
    isLeaving = true;
    await journal.close();
    await locked.lock.release();
  };
  return { journal, hasWaited, leave };
}

/** Waits while a request that a step would repeat may still show in a list; true if it had to. Rejects with the signal's reason. */
async function letSettle(input: EnterInput, journalPath: string): Promise<boolean> {
  const { fileSystem, clock, serverClock, account, steps, say, signal } = input;
  const { lines, malformed } = await readJournal(fileSystem, journalPath);
  if (malformed > 0) say(journalMalformed(malformed, journalPath));
  const nowMs = serverClock.nowMs();
  const delayMs = repeatedBy(steps, youngFor(account, lines, nowMs)).untilMs - nowMs;
  if (delayMs > 0) await clock.sleep(delayMs, signal);
  return delayMs > 0;
}

function withoutFolder({ folder, say }: EnterInput, reason: string): Entry {
  say(
    noJournalBecause(
      `the run continues without journal and lock: ${folder ?? 'the state folder'} cannot be written (${reason})`,
    ),
  );
  return { journal: noJournal, hasWaited: false, leave: async () => undefined };
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
    hint: `Wait for it to end. If no such process exists, delete ${path}.`,
  };
}
