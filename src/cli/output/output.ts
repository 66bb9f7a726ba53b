// Delivers a result: one format on stdout, further ones in the files that `--write` names.
import { resolve, sep } from 'node:path';
import type { Io } from '../process/io.ts';
import { checkWritable, openLog, writeWhole } from '../process/files.ts';
import type { Settings } from '../program/settings.ts';
import { UsageError } from '../program/usage-error.ts';

/** The destination of a text for people: a file is no terminal, even if stdout is one. */
export type Destination = 'stdout' | 'stderr' | 'file';

/** The texts that a result can take, by format. */
export type Renderings = Readonly<Record<string, (place: Destination) => string>>;

/** The files that a run reads, absolute: no output may take their place. */
export function inputsOf(
  { cwd, overlays, ...settings }: Settings,
  files: readonly string[] = settings.files,
): readonly string[] {
  return [...files, ...overlays].map((file) => resolve(cwd, file));
}

/** Refuses, before anything is done, files that cannot be written; the log is there from then on. */
export function checkOutputs(settings: Settings, inputs: readonly string[] = []): void {
  for (const { format, path } of settings.writes) {
    if (isInput(inputs, path)) throw new UsageError(`--write ${format}=… names an input file`);
    checkWritable(path, path, settings.cwd);
  }
  const { logFile } = settings;
  if (logFile === null) return;
  if (settings.writes.some(({ path }) => path === logFile))
    throw new UsageError('--log-file and --write name the same file');
  if (isInput(inputs, logFile)) throw new UsageError('--log-file names an input file');
  openLog(logFile, logFile, settings.cwd);
}

/** True for a file that is read, or that would be read from a folder that is given: no output may stand in its place. */
export function isInput(inputs: readonly string[], path: string): boolean {
  return (
    inputs.includes(path) || (/\.ya?ml$/.test(path) && inputs.some((folder) => path.startsWith(`${folder}${sep}`)))
  );
}

/** Writes the result to stdout in `settings.format`, and to the files of `--write`. Throws UsageError when one of these cannot be written. */
export async function deliver(io: Io, settings: Settings, renderings: Renderings): Promise<void> {
  await io.stdout.write(textOf(renderings, settings.format, 'stdout'));
  for (const { format, path } of settings.writes) writeWhole(path, textOf(renderings, format, 'file'), { io });
}

function textOf(renderings: Renderings, format: string, place: Destination): string {
  const render = renderings[format];
  if (render === undefined) throw new UsageError(`there is no format "${format}" here`);
  return render(place);
}
