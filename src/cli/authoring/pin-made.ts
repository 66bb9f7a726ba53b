// `apply --pin`: writes the id of each created resource into a file while the run continues.
import { messageOf } from '../../base/error-code.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { openAuthoringFiles } from './edited-files.ts';
import { checkWritable } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { pinWork, type NotPinned, type PinEdit, writePins } from './pin-edits.ts';
import type { Session } from '../command.ts';
import { UsageError } from '../process/exit-code.ts';

export interface PinsMade {
  readonly pinned: readonly PinEdit[];
  readonly refused: readonly NotPinned[];
}

export interface Pinner {
  /** Queues an id. Ids that arrive during a write are written together in the next write. */
  readonly onMade: (address: string, id: string) => void;
  readonly finish: () => Promise<PinsMade>;
}

export function withIds(io: Io, files: readonly string[], to: string | null | undefined): readonly string[] {
  if (typeof to !== 'string') return files;
  const path = resolve(io.cwd, to);
  return existsSync(path) && !files.some((file) => resolve(io.cwd, file) === path) ? [...files, to] : files;
}

/** Starts to write ids during a run. Throws UsageError if the files cannot take ids. */
export function startPinner(session: Session, files: readonly string[], to: string | null): Pinner {
  const { io } = session;
  if (to !== null) checkWritable(resolve(io.cwd, to), to, io.cwd);
  else if (files.includes('-'))
    throw new UsageError('--pin cannot write into standard input', 'Name a file of ids: --pin=FILE.');
  const pinned: PinEdit[] = [];
  const refused: NotPinned[] = [];
  let waiting = new Map<string, string>();
  let last: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    for (let made = waiting; made.size > 0; made = waiting) {
      waiting = new Map();
      const outcome = await writeMade(session, withIds(io, files, to), to, made);
      for (const one of outcome.pinned) pinned.push(one);
      for (const one of outcome.refused) refused.push(one);
    }
    last = null;
  };
  return {
    onMade(address, id) {
      waiting.set(address, id);
      last ??= write();
    },
    async finish() {
      await last;
      return { pinned, refused };
    },
  };
}

/** Writes the ids that arrived. Never throws: returns ids that cannot be written as refused, and the run continues. */
async function writeMade(
  session: Session,
  files: readonly string[],
  to: string | null,
  made: ReadonlyMap<string, string>,
): Promise<PinsMade> {
  const allRefused = (because: string): PinsMade => ({
    pinned: [],
    refused: [...made].map(([address, id]) => ({ address, id, because })),
  });
  try {
    const authoring = openAuthoringFiles(session, files);
    const { desired } = await authoring.load();
    if (desired === null) return allRefused('the files have errors now');
    const found = new Map([...made].map(([address, id]) => [address, { id, because: 'created by this run' }]));
    const { edits, skipped } = pinWork({ desired, found, to, fix: true });
    const declared = new Set(desired.resources.map(({ address }) => address));
    const because = 'the files do not declare the resource';
    const missing = [...made].flatMap(([address, id]) => (declared.has(address) ? [] : [{ address, id, because }]));
    const written = await writePins(edits, authoring, session.io);
    if (written.desired === null) return allRefused('the files would not be valid with the id');
    return { pinned: written.done, refused: [...skipped, ...missing, ...written.refused] };
  } catch (error) {
    return allRefused(messageOf(error));
  }
}

/** The warning about an id that was not written; `otherwise` names an alternative to writing the id by hand. */
export function notPinned(
  { address, because, id }: NotPinned,
  severity: Diagnostic['severity'],
  otherwise: string,
): Diagnostic {
  const hint = id === null ? {} : { hint: `Write \`id: ${id}\` there by hand, ${otherwise}.` };
  return { severity, code: 'not_pinned', message: `the id is not written: ${because}`, address, ...hint };
}

export function withPinned(result: RunResult, pinned: readonly PinEdit[]): RunResult {
  if (pinned.length === 0) return result;
  const ids = new Map(pinned.map(({ address, id }) => [address, id]));
  const resources = Object.fromEntries(
    Object.entries(result.resources).map(([address, resource]) => [
      address,
      ids.get(address) === resource.id ? { ...resource, pinned: true } : resource,
    ]),
  );
  return { ...result, resources };
}
