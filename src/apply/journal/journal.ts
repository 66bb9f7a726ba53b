// Writes the journal: an intent before a creation, a restart or a new secret, and notes afterwards. If writing fails, the run goes on.
import { dirname } from 'node:path';
import type { Clock } from '../../base/time/clock.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { errorCode } from '../../base/error-code.ts';
import { readWhole, writeAll, writeWhole, type FileSystem, type OpenFile } from '../file-system.ts';
import { lineText, parseJournal, type JournalLine, type NoteState, type ReadJournal, worthKeeping } from './entries.ts';

/** A step, or an action that is recorded like a step, such as storing an existing secret in a sink again. */
type Intended = Pick<Step, 'id' | 'kind' | 'address' | 'path'> &
  Partial<Omit<Step, 'method'>> & { readonly method: string };

/** `intent` and `note` resolve when their line is on the disk, or when the journal cannot be written. */
export interface Journal {
  /** `known`: the ids of the resources that matched the step's pool before the request; a matching resource with another id is then new. */
  intent(what: Intended, known: readonly ResourceId[], secret: boolean): Promise<void>;
  note(step: Pick<Step, 'id'>, state: NoteState, id: ResourceId | null, madeAtMs?: number | null): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

interface JournalInput {
  readonly fileSystem: FileSystem;
  readonly path: string;
  readonly clock: Clock;
  readonly run: string;
  readonly account: string;
  /** Called with the number of malformed lines that the journal skips, if there are any. */
  readonly onMalformed?: (count: number) => void;
  /** Called once if the journal cannot be written; the run goes on without it. */
  readonly onTrouble: (reason: string) => void;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Never rejects: a journal that cannot be read counts as one malformed line. */
export async function readJournal(fileSystem: FileSystem, path: string): Promise<ReadJournal> {
  return contentOf(fileSystem, path).catch((error: unknown) => ({
    lines: [],
    malformed: errorCode(error) === 'ENOENT' ? 0 : 1,
  }));
}

async function contentOf(fileSystem: FileSystem, path: string): Promise<ReadJournal> {
  return parseJournal(new TextDecoder().decode(await readWhole(fileSystem, path, MAX_BYTES)));
}

const ignore = async (): Promise<void> => Promise.resolve();

export const noJournal: Journal = { intent: ignore, note: ignore, close: ignore };

/** Opens the journal and first removes the lines that no later run needs, so the caller must hold the lock. */
export async function openJournal(input: JournalInput): Promise<Journal> {
  const { fileSystem, path, clock, run, account } = input;
  try {
    const malformed = await prune(fileSystem, path, clock.nowMs());
    if (malformed > 0) input.onMalformed?.(malformed);
    const file = await fileSystem.open(path, 'append');
    await fileSystem.syncFolder(dirname(path));
    const append = appender(file, input.onTrouble);
    return {
      async intent({ id: step, kind, address, method: verb, path: target, expects }, known, secret) {
        const pool = expects?.state === 'absent' ? expects.joins.where : null;
        const what = { account, kind, address, verb, path: target, pool, known, secret };
        await append({ type: 'intent', run, step, atMs: clock.nowMs(), ...what });
      },
      async note({ id: step }, state, id, madeAtMs = null) {
        await append({ type: 'note', run, step, atMs: clock.nowMs(), state, id, madeAtMs });
      },
      close: async () => file.close().catch(() => undefined),
    };
  } catch (error) {
    input.onTrouble(troubleWords(error));
    return noJournal;
  }
}

/** Returns a function that appends a line; concurrent lines share a write and a sync. After the first failure, the run goes on without the journal. */
function appender(file: OpenFile, onTrouble: (reason: string) => void): (line: JournalLine) => Promise<void> {
  let isBroken = false;
  let gathered = '';
  let last: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    const text = gathered;
    gathered = '';
    if (isBroken) return;
    try {
      await writeAll(file, new TextEncoder().encode(text));
      await file.sync();
    } catch (error) {
      isBroken = true;
      onTrouble(troubleWords(error));
    }
  };
  return async (line) => {
    if (gathered === '') last = last.then(write);
    gathered += lineText(line);
    await last;
  };
}

/** Rewrites the journal atomically, with only the lines that a later run may need; returns the number of malformed lines. */
async function prune(fileSystem: FileSystem, path: string, nowMs: number): Promise<number> {
  const facts = await fileSystem.facts(path);
  if (facts === null) return 0;
  const { lines, malformed } = await contentOf(fileSystem, path);
  const temporary = `${path}.new`;
  if ((await fileSystem.facts(temporary)) !== null) await fileSystem.remove(temporary);
  const text = worthKeeping(lines, nowMs).map(lineText).join('');
  await writeWhole(fileSystem, temporary, 'create', { text, synced: true });
  await fileSystem.rename(temporary, path);
  return malformed;
}

function troubleWords(error: unknown): string {
  const code = errorCode(error);
  return `the journal cannot be written${code === '' ? '' : ` (${code})`}`;
}
