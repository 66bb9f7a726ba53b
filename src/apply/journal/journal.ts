// Writes the journal: the intent before a risky request, and its outcome after it. A run without a journal is safe.
import { digestOf } from '../../base/json.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { errorCode } from '../../base/error-code.ts';
import { writeAll, writeWhole, type FileSystem, type OpenFile } from '../folder/file-system.ts';
import {
  lineText,
  parseJournal,
  type Account,
  type JournalLine,
  type NoteState,
  type ReadJournal,
  type Stamped,
} from './lines.ts';
import { worthKeeping } from './entries.ts';

/** A step, or an act without a request. */
export type Intended = Pick<Step, 'id' | 'kind' | 'address' | 'path'> &
  Partial<Omit<Step, 'method'>> & { readonly method: string };

export interface Journal {
  /** Resolves when the intent is on the disk. `known`: the ids in the pool before the request. */
  intent(what: Intended, known: readonly ResourceId[], secret: boolean): Promise<void>;
  /** `acked` resolves when the note is on the disk. `madeAtMs`: when the resource was made, by the reply. */
  note(step: Pick<Step, 'id'>, state: NoteState, id: ResourceId | null, madeAtMs?: number | null): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface JournalInput {
  readonly fileSystem: FileSystem;
  readonly path: string;
  readonly clock: Clock;
  readonly run: string;
  readonly account: Account;
  /** Called once if the journal cannot be written; the run goes on without it. */
  readonly onTrouble: (reason: string) => void;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Empty if there is no journal or it cannot be read. */
export async function readJournal(fileSystem: FileSystem, path: string): Promise<ReadJournal> {
  try {
    const file = await fileSystem.open(path, 'read');
    try {
      return parseJournal(new TextDecoder().decode(await file.read(MAX_BYTES, 0)));
    } finally {
      await file.close();
    }
  } catch (error) {
    return { lines: [], malformed: errorCode(error) === 'ENOENT' ? 0 : 1 };
  }
}

export const noJournal: Journal = {
  intent: async () => Promise.resolve(),
  note: async () => Promise.resolve(),
  close: async () => Promise.resolve(),
};

/** Opens the journal for a run that holds the lock, without the lines that no run needs any more. */
export async function openJournal(input: JournalInput): Promise<Journal> {
  const { fileSystem, path, clock, run, account } = input;
  try {
    await prune(fileSystem, path, clock.nowMs());
    const file = await fileSystem.open(path, 'append');
    const writer = createWriter(file, input.onTrouble);
    let seq = 0;
    const stamp = (): Stamped => ({
      run,
      seq: ++seq,
      atMs: clock.nowMs(),
    });
    await writer.append({ type: 'run', ...stamp(), account }, true);
    await fileSystem.syncFolder(folderOf(path));
    return {
      async intent(step, known, secret) {
        const { id, kind, address, method, path: target, expects } = step;
        const pool = expects?.state === 'absent' ? expects.joins.where : null;
        const named = secret ? step.options?.['secret'] : undefined;
        const places = named === undefined ? {} : { places: digestOf(named) };
        const facts = { step: id, kind, address, verb: method, path: target, pool, known, secret, ...places };
        await writer.append({ type: 'intent', ...stamp(), ...facts }, true);
      },
      async note(step, state, id, madeAtMs = null) {
        const made = madeAtMs === null ? {} : { madeAtMs };
        await writer.append({ type: 'note', ...stamp(), step: step.id, state, id, ...made }, state === 'acked');
      },
      async close() {
        await writer.append({ type: 'end', ...stamp() }, false);
        await writer.close();
      },
    };
  } catch (error) {
    input.onTrouble(troubleWords(error));
    return noJournal;
  }
}

interface Writer {
  append(line: JournalLine, durable: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Gathers lines that come during a write, with one sync for all. The first failure ends the journal, not the run. */
function createWriter(file: OpenFile, onTrouble: (reason: string) => void): Writer {
  let isBroken = false;
  let gathered: { text: string; durable: boolean; readonly written: Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();
  const write = async (text: string, durable: boolean): Promise<void> => {
    if (isBroken) return;
    try {
      await writeAll(file, new TextEncoder().encode(text));
      if (durable) await file.sync();
    } catch (error) {
      isBroken = true;
      onTrouble(troubleWords(error));
    }
  };
  const writeGathered = async (): Promise<void> => {
    const { text, durable } = gathered ?? { text: '', durable: false };
    gathered = null;
    await write(text, durable);
  };
  return {
    async append(line, durable) {
      if (gathered === null) {
        last = last.then(writeGathered);
        gathered = { text: '', durable: false, written: last };
      }
      gathered.text += lineText(line);
      gathered.durable ||= durable;
      await gathered.written;
    },
    async close() {
      await last;
      await file.close().catch(() => undefined);
    },
  };
}

/** Rewrites the journal in one step, also to end a torn last line. */
async function prune(fileSystem: FileSystem, path: string, nowMs: number): Promise<void> {
  const facts = await fileSystem.facts(path);
  if (facts === null) return;
  const { lines } = await readJournal(fileSystem, path);
  const temporary = `${path}.new`;
  if ((await fileSystem.facts(temporary)) !== null) await fileSystem.remove(temporary);
  const text = worthKeeping(lines, nowMs).map(lineText).join('');
  await writeWhole(fileSystem, temporary, 'create', { text, synced: true });
  await fileSystem.rename(temporary, path);
}

function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at <= 0 ? '.' : path.slice(0, at);
}

function troubleWords(error: unknown): string {
  const code = errorCode(error);
  return `the journal cannot be written${code === '' ? '' : ` (${code})`}`;
}
