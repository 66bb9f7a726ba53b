// The right to write: the lock of the folder, and the journal that goes with it.
import { errorCode } from '../base/error-code.ts';
import type { Clock } from '../base/time/clock.ts';
import type { FileSystem } from '../apply/folder/file-system.ts';
import { noJournal, openJournal, readJournal, type Journal } from '../apply/journal/journal.ts';
import type { Account, Owner } from '../apply/journal/lines.ts';
import { acquireLock, LEASE_MS } from '../apply/journal/lock.ts';
import { settleDelayMs } from '../apply/journal/orphans.ts';
import type { Processes } from '../apply/journal/processes.ts';
import { ensureStateFolder } from '../apply/folder/state-folder.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** The right to write, while it lasts. */
export interface Entry {
  readonly journal: Journal;
  /** An interrupted run's last request was given time to settle: what was read before that proves nothing. */
  readonly hasWaited: boolean;
  /** Aborted when another run has taken the folder over: no further step may start. */
  readonly lost: AbortSignal;
  leave(): Promise<void>;
}

export interface EnterInput {
  readonly fileSystem: FileSystem;
  /** Null where there is none that can be used. */
  readonly folder: string | null;
  readonly clock: Clock;
  /** What the journal is dated by. */
  readonly serverClock: Clock;
  readonly processes: Processes;
  readonly runId: string;
  readonly account: Account;
  /** Told at once what is wrong, also of a journal that fails when it has been open for long. */
  readonly say: (diagnostic: Diagnostic) => void;
  /** Ends the wait for a lock. */
  readonly signal?: AbortSignal;
}

/** What is said of the lock and the journal of a run that goes on, by its codes. */
export const ENTRY_TROUBLE: ReadonlySet<string> = new Set(['no_journal', 'lock_wait', 'lock_taken_over', 'lock_lost']);

/** Where the journal lies in the state folder. */
export function journalIn(folder: string): string {
  return `${folder}/journal`;
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
  const path = `${folder}/lock`;
  const locked = await acquireLock({
    fileSystem,
    path,
    run: runId,
    processes,
    clock,
    onWait: (owner) => say(waitingFor(owner)),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  });
  if (locked.state === 'unusable') return withoutFolder(input, locked.reason);
  if (locked.state === 'held') {
    say(heldBy(locked.owner, processes.self, locked.path));
    return null;
  }
  const { lost } = locked.lock;
  if (locked.tookOver !== null && locked.tookOver.host !== processes.self.host) say(takenOver(locked.tookOver));
  lost.addEventListener('abort', () => say(LOST));
  const hasWaited = await letSettle(input, journalPath);
  let isLeaving = false;
  const journal = await openJournal({
    fileSystem,
    path: journalPath,
    clock: input.serverClock,
    run: runId,
    owner: processes.self,
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
  return { journal, hasWaited, lost, leave };
}

/** Waits when an interrupted run's last request may still be under way; true if it had to. */
async function letSettle({ fileSystem, clock, serverClock }: EnterInput, journalPath: string): Promise<boolean> {
  const { lines } = await readJournal(fileSystem, journalPath);
  const delayMs = settleDelayMs(lines, serverClock.nowMs());
  if (delayMs > 0) await clock.sleep(delayMs);
  return delayMs > 0;
}

function withoutFolder({ folder, say }: EnterInput, reason: string): Entry {
  say(
    noJournalBecause(
      `the run continues without journal and lock: ${folder ?? 'the state folder'} cannot be written (${reason})`,
    ),
  );
  return { journal: noJournal, hasWaited: false, lost: new AbortController().signal, leave: async () => undefined };
}

function noJournalBecause(message: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'no_journal',
    message,
    hint: 'If this run is killed, the next one cannot recognise its leftovers. Set TRUEUP_STATE_DIR to a writable folder.',
  };
}

/** `process 42` of this machine, `process 42 on HOST` of another one. */
function processOf({ pid, host }: Owner, here: string): string {
  const [name = ''] = host.split(' ');
  return host === here ? `process ${pid}` : `process ${pid} on ${name}`;
}

function heldBy(owner: Owner | null, self: Owner, path: string): Diagnostic {
  const who = owner === null ? '' : ` (${processOf(owner, self.host)})`;
  return {
    severity: 'error',
    code: 'locked',
    message: `another apply is running in this folder${who}`,
    hint: `Wait for it to end. If no such process exists, delete ${path}.`,
  };
}

function waitingFor(owner: Owner): Diagnostic {
  return {
    severity: 'warning',
    code: 'lock_wait',
    message: `${processOf(owner, '')} locks the folder; waiting up to ${LEASE_MS / 1000} s to see whether it still runs`,
  };
}

function takenOver(owner: Owner): Diagnostic {
  return {
    severity: 'warning',
    code: 'lock_taken_over',
    message: `this run took over the lock of ${processOf(owner, '')}, which was not renewed for ${LEASE_MS / 1000} s`,
  };
}

const LOST: Diagnostic = {
  severity: 'error',
  code: 'lock_lost',
  message:
    'no further step starts: another run took over the lock of this folder, which this run had not renewed in time',
  hint: 'Wait for the other run to end, then run trueup apply again.',
};
