// What stands in each format in place of a plan or a drift report that could not be made.
import { isoTime } from '../base/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { renderDiagnostics } from '../render/diagnostics.ts';
import { renderFailureHtml, renderFailureMarkdown, type FailedWork } from '../render/failure-page.ts';
import { jsonText } from '../render/json-text.ts';
import { renderJunitFailure } from '../render/junit.ts';
import { COMMENT_CHARS } from '../render/markdown-plan.ts';
import { renderPrometheusFailure } from '../render/prometheus.ts';
import { failureToSarif } from '../render/sarif.ts';
import { previousText } from './drift-output.ts';
import type { ExitCode } from './exit-code.ts';
import { failureText, withEnd } from './failure.ts';
import type { Io } from './io.ts';
import type { Renderings } from './output.ts';
import { humanOptions } from './session.ts';
import type { Settings } from './settings.ts';
import { programVersion } from './version.ts';

export interface FailureFilesInput {
  readonly io: Io;
  readonly settings: Settings;
  readonly work: FailedWork;
  readonly code: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  readonly atMs: number;
}

export function failureRenderings({ io, settings, work, code, diagnostics, atMs }: FailureFilesInput): Renderings {
  const problems = withEnd(code, diagnostics);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const failure = { isApply: false, code, diagnostics, atMs };
  const maxChars = settings.maxChars ?? COMMENT_CHARS;
  return {
    human: (place) => renderDiagnostics(problems, { ...humanOptions(io, settings, place), sources: new Map() }),
    json: () => failureText({ ...failure, format: 'json' }),
    ndjson: () => failureText({ ...failure, format: 'ndjson' }),
    markdown: () => renderFailureMarkdown(work, errors, { maxChars }),
    html: () => renderFailureHtml(work, errors),
    junit: () => renderJunitFailure(errors, { timestamp: isoTime(atMs) }),
    sarif: () => `${jsonText(failureToSarif(problems, { version: programVersion() }), 2)}\n`,
    prometheus: () => renderPrometheusFailure({ nowMs: atMs, previous: previousText(settings) }),
  };
}
