// Enters the state folder of a run: takes its lock and opens its journal.
import { errorCode } from '../base/error-code.ts';
import type { Clock } from '../base/time/clock.ts';
import type { FileSystem } from '../apply/folder/file-system.ts';
import { noJournal, openJournal, readJournal, type Journal } from '../apply/journal/journal.ts';
import { acquireLock, type Holder } from '../apply/journal/lock.ts';
import type { Processes } from '../apply/journal/processes.ts';
import { ensureStateFolder } from '../apply/folder/state-folder.ts';
import { plural } from '../base/text/words.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** The right to write, until `leave`. */
export interface Entry {
  readonly journal: Journal;
  leave(): Promise<void>;
}

interface EnterInput {
  readonly fileSystem: FileSystem;
  /** Null if there is no usable folder. */
  readonly folder: string | null;
  readonly clock: Clock;
  readonly serverClock: Clock;
  readonly processes: Processes;
  readonly runId: string;
  /** Digest of the account's identity. */
  readonly account: string;
  /** Called at once for each problem, even late in the run when a journal line cannot be written. */
  readonly say: (diagnostic: Diagnostic) => void;
}

/** The codes of journal problems that do not stop a run. */
export const ENTRY_TROUBLE: ReadonlySet<string> = new Set(['no_journal', 'journal_malformed']);

export function journalIn(folder: string): string {
  return `${folder}/journal`;
}

export function lockIn(folder: string): string {
  return `${folder}/lock`;
}

/** Takes the lock and opens the journal; null if another run has the lock. If the folder is not writable, the run goes on without both. */
export async function enterFolder(input: EnterInput): Promise<Entry | null> {
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
  const { malformed } = await readJournal(fileSystem, path);
  if (malformed > 0) say(journalMalformed(malformed, path));
  const onTrouble = (reason: string): void => say(noJournalBecause(reason));
  const journal = await openJournal({ fileSystem, path, clock: serverClock, run: runId, account, onTrouble });
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
