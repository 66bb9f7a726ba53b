// Checks the output files of a command before the command runs.
import { resolve, sep } from 'node:path';
import type { Invocation } from '../command.ts';
import { UsageError } from '../process/exit-code.ts';
import { checkWritable, openLog } from '../process/files.ts';
import type { Settings } from '../program/settings.ts';

type Outputs = Pick<Invocation, 'settings' | 'words' | 'flags'>;

/** Refuses input files, duplicates and unwritable files. Creates the log. */
export function checkOutputs({ settings, words, flags: { out } }: Outputs): void {
  const { writes, logFile, cwd } = settings;
  const outputs = [
    ...(typeof out === 'string' ? [{ flag: '--out', path: resolve(cwd, out), shown: out }] : []),
    ...writes.map(({ format, path }) => ({ flag: `--write ${format}=…`, path, shown: path })),
    ...(logFile === null ? [] : [{ flag: '--log-file', path: logFile, shown: logFile }]),
  ];
  for (const output of outputs) {
    const { flag, path, shown } = output;
    if (isInput(settings, words, path)) throw new UsageError(`${flag} names an input file`);
    const other = outputs.find((one) => one.path === path && one !== output);
    if (other !== undefined) throw new UsageError(`${flag} and ${other.flag} name the same file`);
    if (path === logFile) openLog(path, shown, cwd);
    else checkWritable(path, shown, cwd);
  }
}

/** True for an input file, and for a YAML file in an input folder: no output may replace them. */
function isInput({ cwd, files, overlays }: Settings, words: readonly string[], path: string): boolean {
  const inputs = [...files, ...overlays, ...words].map((file) => resolve(cwd, file));
  const isYaml = /\.ya?ml$/.test(path);
  return inputs.includes(path) || (isYaml && inputs.some((folder) => path.startsWith(`${folder}${sep}`)));
}
