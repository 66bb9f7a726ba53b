// Reads the files of a command.
import type { LoadResult } from '../../config/load.ts';
import { shareOf } from '../../config/report.ts';
import type { DesiredState } from '../../model/desired.ts';
import { loadFiles } from '../../reconciler/load.ts';
import type { Session } from '../command.ts';
import { Ended } from '../process/exit-code.ts';
import { readStdinFor } from '../process/files.ts';
import { say } from './session.ts';

export interface DesiredFiles extends Pick<LoadResult, 'sources' | 'diagnostics'> {
  readonly desired: DesiredState;
}

/** Reads `files`, or without them the files and overlays of the settings. Sends no request. */
export async function readFiles(
  { io, settings }: Session,
  files: readonly string[] = settings.files,
  overlays: readonly string[] = files.length === 0 ? [] : settings.overlays,
): Promise<LoadResult> {
  const { safetyFiles, maxEntries, variables } = settings;
  io.watch(shareOf(maxEntries));
  const stdin = async (): Promise<Uint8Array> => readStdinFor('-f', io);
  return loadFiles({ paths: files, overlays, safetyFiles, maxEntries, cwd: io.cwd, stdin, variables });
}

export async function readDesired(session: Session, files?: readonly string[]): Promise<DesiredFiles> {
  return withoutErrors(session, await readFiles(session, files));
}

/** Reads files that the command edits later. The watch over the reading ends before anything is written. */
export async function readToEdit(session: Session, read: () => Promise<LoadResult>): Promise<DesiredFiles> {
  session.io.watch(shareOf(session.settings.maxEntries));
  const loaded = await read();
  session.io.watch(null);
  return withoutErrors(session, loaded);
}

/** The desired state. If the files have errors, reports them and throws Ended. */
async function withoutErrors(session: Session, { desired, sources, diagnostics }: LoadResult): Promise<DesiredFiles> {
  if (desired !== null) return { desired, sources, diagnostics };
  await say(session, diagnostics, sources);
  throw new Ended();
}
