// Delivers a result: one format on stdout, other formats in the files that `--write` names.
import { resolve, sep } from 'node:path';
import { renderReportHtml } from '../../render/html/report.ts';
import { renderReport } from '../../render/human/report.ts';
import { renderReportMarkdown } from '../../render/markdown/report.ts';
import type { Report } from '../../render/report/report.ts';
import type { Invocation, Session } from '../command.ts';
import { checkWritable, openLog, writeWhole } from '../process/files.ts';
import { UsageError } from '../process/exit-code.ts';
import { humanOptions, type Destination } from '../session/session.ts';

export type Renderings = Readonly<Record<string, (place: Destination) => string>>;

/** A report in the formats for people. `diagnostics` is false if the problems have been printed already. */
export function reportTexts(session: Session, make: () => Report, diagnostics: boolean = true): Renderings {
  return {
    human: (place) => renderReport(make(), { ...humanOptions(session, place), diagnostics }),
    markdown: () => renderReportMarkdown(make(), session.settings.maxChars),
    html: () => renderReportHtml(make()),
  };
}

type Outputs = Pick<Invocation, 'settings' | 'words'>;

/** Checks output files before any work: refuses input files and files that cannot be written; creates the log. */
export function checkOutputs(of: Outputs): void {
  const { writes, logFile, cwd } = of.settings;
  for (const { format, path } of writes) {
    if (isInput(of, path)) throw new UsageError(`--write ${format}=… names an input file`);
    checkWritable(path, path, cwd);
  }
  if (logFile === null) return;
  if (writes.some(({ path }) => path === logFile)) throw new UsageError('--log-file and --write name the same file');
  if (isInput(of, logFile)) throw new UsageError('--log-file names an input file');
  openLog(logFile, logFile, cwd);
}

/** True for a file that is read, or that a folder of inputs could contain: no output may replace it. */
export function isInput({ settings: { cwd, files, overlays }, words }: Outputs, path: string): boolean {
  const inputs = [...files, ...overlays, ...words].map((file) => resolve(cwd, file));
  const isYaml = /\.ya?ml$/.test(path);
  return inputs.includes(path) || (isYaml && inputs.some((folder) => path.startsWith(`${folder}${sep}`)));
}

/** Writes the result to stdout in `settings.format`, and to the files of `--write`. Throws UsageError for a file that cannot be written. */
export async function deliver({ io, settings }: Session, renderings: Renderings): Promise<void> {
  await io.stdout.write(textOf(renderings, settings.format, 'stdout'));
  for (const { format, path } of settings.writes) writeWhole(path, textOf(renderings, format, 'file'), { io });
}

function textOf(renderings: Renderings, format: string, place: Destination): string {
  const render = renderings[format];
  if (render === undefined) throw new UsageError(`there is no format "${format}" here`);
  return render(place);
}
