// The output of a command that ended before it had a result: every problem, the requests it sent, and nothing that looks like a result.
import { RunningResult } from '../../apply/run/result.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { RunStatus } from '../../model/outcome/event.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { diagnosticsToJson, jsonPage } from '../../render/machine/diagnostics-json.ts';
import { eventLine, versionLine } from '../../render/machine/ndjson.ts';
import { resultToJson } from '../../render/machine/result-json.ts';
import { exitCodes, type ExitCode, UsageError } from '../process/exit-code.ts';
import { programVersion } from '../process/files.ts';
import { type Clock, isoTime } from '../../base/time/clock.ts';
import { renderDiagnostics } from '../../render/human/diagnostics.ts';
import { failureReport, type FailedWork } from '../../render/report/failure-report.ts';
import { renderJunitFailure } from '../../render/machine/junit.ts';
import { renderPrometheus } from '../../render/machine/prometheus.ts';
import { failureToSarif } from '../../render/machine/sarif.ts';
import { previousText } from './reports.ts';
import { finished } from '../../render/view/result-events.ts';
import type { Session } from '../command.ts';
import { reportTexts, type Renderings } from './output.ts';
import { humanOptions } from '../session/session.ts';

/** An error in the middle of an apply, mostly a bug of ours: what had begun may have been done. */
export class BrokenOff extends Error {
  readonly code: ExitCode;

  constructor(cause: unknown, code: ExitCode) {
    super(messageOf(cause), { cause });
    if (cause instanceof Error && cause.stack !== undefined) this.stack = cause.stack;
    this.code = code;
  }
}

/** The code of a command that an error ended: 1 promises that nothing was changed. */
export function failureCode(error: unknown): ExitCode {
  return error instanceof BrokenOff ? error.code : exitCodes.error;
}

export function problemOf(error: unknown): Diagnostic {
  if (error instanceof BrokenOff) return brokenOff(problemOf(error.cause));
  const message = messageOf(error);
  if (error instanceof UsageError)
    return { severity: 'error', code: error.code, message, ...(error.hint === null ? {} : { hint: error.hint }) };
  if (!(error instanceof ApiFailure)) return { severity: 'error', code: 'failed', message };
  const hint = hintOf(error);
  const code = error.status === null ? 'unreachable' : error.status === 401 ? 'unauthorized' : 'refused';
  return { severity: 'error', code, message, ...(hint === undefined ? {} : { hint }) };
}

const IN_THE_MIDDLE =
  'The run was not verified, and steps that had started may have succeeded. Run trueup apply again: the new run continues from the live state.';

/** An error that is neither of the service nor of the user is a bug. */
function brokenOff(problem: Diagnostic): Diagnostic {
  const { code, message, hint } = problem;
  return {
    ...problem,
    message: code === 'failed' ? `bug in trueup: ${message}` : message,
    hint: hint === undefined ? IN_THE_MIDDLE : `${hint} ${IN_THE_MIDDLE}`,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Only the command line names the organization of a list of projects, so a refused list may need another one. */
function hintOf({ method, path, status }: ApiFailure): string | undefined {
  if (method !== 'GET' || path !== '/projects' || status === null || ![400, 403, 404].includes(status))
    return undefined;
  const whose = 'Name an organization of this credential: --org-id ID (or TRUEUP_ORG_ID).';
  return status === 404 ? `Check the base URL (TRUEUP_BASE_URL), which ends in /api/v2. ${whose}` : whose;
}

/** The problem that the argument parser printed. */
export function usageProblem(complaint: string): Diagnostic {
  const [first = '', ...rest] = complaint.trim().split('\n');
  const hint = rest.join(' ').trim();
  const message = first.replace(/^error: /, '');
  return { severity: 'error', code: 'usage', message, ...(hint === '' ? {} : { hint }) };
}

const ENDINGS: Readonly<Partial<Record<ExitCode, RunStatus>>> = {
  [exitCodes.stale]: 'stale',
  [exitCodes.blocked]: 'blocked',
  [exitCodes.incomplete]: 'incomplete',
  [exitCodes.interrupted]: 'interrupted',
  [exitCodes.terminated]: 'interrupted',
};

/** The result of an apply that ended before its first step. */
export function refusedResult(code: ExitCode, diagnostics: readonly Diagnostic[], spent?: Spent): RunResult {
  const summary = { create: 0, update: 0, move: 0, replace: 0, delete: 0, restart: 0, rotate: 0, revoke: 0 };
  const counts = { ...summary, blocked: 0, held: 0, due: 0, unchanged: 0 };
  const nothing = new RunningResult({ planHash: '', steps: [], summary: counts }).now();
  return { ...nothing, ...spent, status: ENDINGS[code] ?? 'error', diagnostics };
}

export interface FailureInput {
  /** The others are for people. */
  readonly format: MachineFormat;
  /** Only an apply has a result, and an end among its events. */
  readonly isApply: boolean;
  readonly code: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  readonly atMs: number;
}

export function failureText({ format, isApply, code, diagnostics, atMs }: FailureInput): string {
  const all = withEnd(code, diagnostics);
  if (format === 'json' && !isApply) return jsonPage(diagnosticsToJson(all, false));
  const result = refusedResult(code, all);
  if (format === 'json') return jsonPage(resultToJson(result));
  const lines = all.map((diagnostic) => eventLine({ type: 'diagnostic', atMs, diagnostic }));
  return [versionLine(programVersion(), atMs), ...lines, ...(isApply ? [eventLine(finished(result, atMs))] : [])].join(
    '',
  );
}

/** The diagnostics, and that the command ended, if no diagnostic says so. */
function withEnd(code: ExitCode, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.some(({ severity }) => severity === 'error') ? diagnostics : [...diagnostics, ended(code)];
}

export type MachineFormat = 'json' | 'ndjson';

/** The machine format that the words of a command line, with or without meaning, name last; null when it is another one. */
export function formatOf(argv: readonly string[]): MachineFormat | null {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const formats = words.flatMap((word, at) =>
    word === '--format' ? [words[at + 1]] : word.startsWith('--format=') ? [word.slice('--format='.length)] : [],
  );
  const last = formats.at(-1);
  return last === 'json' || last === 'ndjson' ? last : null;
}

function ended(code: ExitCode): Diagnostic {
  const isStopped = code === exitCodes.interrupted || code === exitCodes.terminated;
  return {
    severity: 'error',
    code: isStopped ? 'interrupted' : 'failed',
    message: isStopped
      ? 'the command was stopped before it had a result'
      : `the command ended with exit code ${code} and has no result`,
  };
}

export type Spent = Pick<RunResult, 'requests' | 'seconds'>;

export interface Spending {
  /** Called with the counter of requests as soon as there is a client. */
  readonly onConnected: (requests: () => number) => void;
  readonly spent: () => Spent;
}

/** From now on; nothing is sent before there is a connection. */
export function startSpending(clock: Clock): Spending {
  const startedAtMs = clock.monotonicMs();
  let requests = (): number => 0;
  return {
    onConnected: (count) => void (requests = count),
    spent: () => ({ requests: requests(), seconds: Math.round(clock.monotonicMs() - startedAtMs) / 1000 }),
  };
}

/** The texts in place of the result in the files of `--write`. */
export function failureRenderings(
  session: Session,
  work: FailedWork,
  ending: Pick<FailureInput, 'code' | 'diagnostics' | 'atMs'>,
): Renderings {
  const { code, diagnostics, atMs } = ending;
  const problems = withEnd(code, diagnostics);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const failure = { ...ending, isApply: false };
  return {
    ...reportTexts(session, () => failureReport(work, errors)),
    human: (place) => renderDiagnostics(problems, humanOptions(session, place)),
    json: () => failureText({ ...failure, format: 'json' }),
    ndjson: () => failureText({ ...failure, format: 'ndjson' }),
    junit: () => renderJunitFailure(errors, { timestamp: isoTime(atMs) }),
    sarif: () => jsonPage(failureToSarif(problems, { version: programVersion() })),
    prometheus: () =>
      renderPrometheus(null, { nowMs: atMs, seconds: null, requests: null, previous: previousText(session.settings) }),
  };
}
