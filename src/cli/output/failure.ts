// The output of a command that failed without a result: its problems in every format.
import { messageOf } from '../../base/error-code.ts';
import { RunningResult } from '../../apply/run/result.ts';
import { defined } from '../../base/picked.ts';
import { ApiFailure } from '../../client/failure.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { RunStatus } from '../../model/outcome/event.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { renderDiagnostics } from '../../render/human/diagnostics.ts';
import { diagnosticsToJson, jsonPage } from '../../render/machine/diagnostics-json.ts';
import { eventLine, versionLine } from '../../render/machine/ndjson.ts';
import { resultToJson } from '../../render/machine/result-json.ts';
import { failureReport, type FailedWork } from '../../render/report/failure-report.ts';
import { finished } from '../../render/view/result-events.ts';
import type { Session } from '../command.ts';
import { exitCodes, UsageError, type ExitCode } from '../process/exit-code.ts';
import { programVersion } from '../process/files.ts';
import { humanOptions, isError } from '../session/session.ts';
import { driftFormats, reportTexts, type Renderings } from './output.ts';

/** An error during an apply, usually a bug: steps that had begun may have been done. */
export class BrokenOff extends Error {
  readonly code: ExitCode;

  constructor(cause: unknown, code: ExitCode) {
    super(messageOf(cause), { cause });
    if (cause instanceof Error && cause.stack !== undefined) this.stack = cause.stack;
    this.code = code;
  }
}

/** The exit code of a command that an error ended. Code 1 promises that nothing was changed. */
export function failureCode(error: unknown): ExitCode {
  return error instanceof BrokenOff ? error.code : exitCodes.error;
}

export function problemOf(error: unknown): Diagnostic {
  if (error instanceof BrokenOff) return brokenOff(problemOf(error.cause));
  const problem = { severity: 'error', message: messageOf(error) } as const;
  if (error instanceof UsageError)
    return { ...problem, code: error.code, ...defined({ hint: error.hint ?? undefined }) };
  if (!(error instanceof ApiFailure)) return { ...problem, code: 'failed' };
  const code = error.status === null ? 'unreachable' : error.status === 401 ? 'unauthorized' : 'refused';
  return { ...problem, code, ...defined({ hint: hintOf(error) }) };
}

const IN_THE_MIDDLE =
  'The run was not verified, and steps that had started may have succeeded. Run trueup apply again: the new run continues from the live state.';

/** The problem of an apply that an error ended. Reports an error from neither the service nor the user's input as a bug. */
function brokenOff(problem: Diagnostic): Diagnostic {
  const { code, message, hint } = problem;
  return {
    ...problem,
    message: code === 'failed' ? `bug in trueup: ${message}` : message,
    hint: hint === undefined ? IN_THE_MIDDLE : `${hint} ${IN_THE_MIDDLE}`,
  };
}

/** The hint for a refused list of projects: the organization, or after 404 also the base URL, may be wrong or missing. */
function hintOf({ method, path, status }: ApiFailure): string | undefined {
  if (method !== 'GET' || path !== '/projects' || ![400, 403, 404].includes(status ?? 0)) return undefined;
  const whose = 'Name an organization of this credential: --org-id ID (or TRUEUP_ORG_ID).';
  return status === 404 ? `Check the base URL (TRUEUP_BASE_URL), which ends in /api/v2. ${whose}` : whose;
}

export function usageProblem(complaint: string): Diagnostic {
  const [first = '', ...rest] = complaint.trim().split('\n');
  const hint = rest.join(' ').trim() || undefined;
  return { severity: 'error', code: 'usage', message: first.replace(/^error: /, ''), ...defined({ hint }) };
}

const ENDINGS: Readonly<Partial<Record<ExitCode, RunStatus>>> = {
  [exitCodes.stale]: 'stale',
  [exitCodes.blocked]: 'blocked',
  [exitCodes.incomplete]: 'incomplete',
  [exitCodes.interrupted]: 'interrupted',
  [exitCodes.terminated]: 'interrupted',
};

export function refusedResult(code: ExitCode, diagnostics: readonly Diagnostic[]): RunResult {
  const summary = { create: 0, update: 0, move: 0, replace: 0, delete: 0, restart: 0, rotate: 0, revoke: 0 };
  const counts = { ...summary, blocked: 0, held: 0, due: 0, unchanged: 0 };
  const nothing = new RunningResult({ planHash: '', steps: [], summary: counts }).now();
  return { ...nothing, status: ENDINGS[code] ?? 'error', diagnostics };
}

export interface Ending {
  readonly code: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  readonly atMs: number;
}

/** With `isApply`, the text is a result (json), or its last line is the event of the end (ndjson): only apply has these. */
export function failureText(format: MachineFormat, { code, diagnostics, atMs }: Ending, isApply: boolean): string {
  const all = withEnd(code, diagnostics);
  const result = refusedResult(code, all);
  if (format === 'json') return jsonPage(isApply ? resultToJson(result) : diagnosticsToJson(all, false));
  const lines = all.map((diagnostic) => eventLine({ type: 'diagnostic', atMs, diagnostic }));
  const end = isApply ? eventLine(finished(result, atMs)) : '';
  return [versionLine(programVersion(), atMs), ...lines, end].join('');
}

/** The diagnostics. If none of them is an error, adds an error about the end of the command. */
function withEnd(code: ExitCode, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (hasErrors(diagnostics)) return diagnostics;
  const isStopped = code === exitCodes.interrupted || code === exitCodes.terminated;
  const end: Diagnostic = isStopped
    ? { severity: 'error', code: 'interrupted', message: 'the command was stopped before it had a result' }
    : { severity: 'error', code: 'failed', message: `the command ended with exit code ${code} and has no result` };
  return [...diagnostics, end];
}

export type MachineFormat = 'json' | 'ndjson';

/** The last `--format`, even if the command line is otherwise invalid; null unless it is json or ndjson. */
export function formatOf(argv: readonly string[]): MachineFormat | null {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const formats = words.flatMap((word, at) =>
    word === '--format' ? [words[at + 1]] : word.startsWith('--format=') ? [word.slice('--format='.length)] : [],
  );
  const last = formats.at(-1);
  return last === 'json' || last === 'ndjson' ? last : null;
}

export function failureRenderings(session: Session, work: FailedWork, ending: Ending): Renderings {
  const problems = withEnd(ending.code, ending.diagnostics);
  const errors = problems.filter(isError);
  const unknown = { seconds: null, requests: null, matching: [], files: [] };
  return {
    ...driftFormats(session, null, { ...unknown, nowMs: ending.atMs, problems }),
    ...reportTexts(session, () => failureReport(work, errors)),
    human: (place) => renderDiagnostics(problems, humanOptions(session, place)),
    json: () => failureText('json', ending, false),
    ndjson: () => failureText('ndjson', ending, false),
  };
}
