// Reports a running apply: progress on stderr, events on stdout or in the log, the result in every requested format.
import { inert } from '../../base/text/inert.ts';
import type { RetryNotice } from '../../client/types.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import { ENTRY_TROUBLE } from '../../reconciler/workspace.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { renderDiagnostics } from '../../render/human/diagnostics.ts';
import { startRunLog } from '../../render/human/run-log.ts';
import { renderNoChanges } from '../../render/human/report.ts';
import { resultReport } from '../../render/report/result-report.ts';
import { jsonPage } from '../../render/machine/diagnostics-json.ts';
import { resultToJson } from '../../render/machine/result-json.ts';
import { finished } from '../../render/view/result-events.ts';
import { RunTracker } from '../../render/view/run-state.ts';
import type { Session } from '../command.ts';
import { appendEvent, eventStream, retryEvent } from './event-stream.ts';
import { cutOffWords, growingResult, type Cut } from './growing-result.ts';
import { exitCodes, strongest, type ExitCode, UsageError } from '../process/exit-code.ts';
import { BrokenOff, problemOf, refusedResult } from './failure.ts';
import { writeWhole } from '../process/files.ts';
import type { Io, Output } from '../process/io.ts';
import { deliver, reportTexts, type Renderings } from './output.ts';
import { humanOptions } from '../session/session.ts';

export interface ApplyReporter {
  readonly onEvent: (event: ApplyEvent) => void;
  readonly onRetry: (notice: RetryNotice) => void;
  /** Prints a text in its place among the events. */
  readonly say: (text: string) => void;
  readonly view: RunTracker;
  /** Called after each change of the result; `current` returns the present result. */
  readonly onResult: (current: () => RunResult) => void;
  /** Delivers the result after all other output. False if a file could not be written; the reason is then printed. */
  finish(result: RunResult, of: { readonly plan: Plan }): Promise<boolean>;
  /** Called once the client exists, with a function that returns the number of requests. */
  readonly onConnected: (requests: () => number) => void;
  /** Returns the error that ended the run, wrapped in BrokenOff if a step had begun. */
  readonly onFailure: (error: unknown) => unknown;
  /** Ends the output. If no result was delivered, delivers the result so far, with all reported diagnostics. */
  close(code: ExitCode): Promise<void>;
  /** Called when the process ends at once: prints the result so far. Returns `code`, or 6 if a secret is at risk. */
  readonly cutOff: (code: ExitCode) => ExitCode;
}

type Listener = (event: ApplyEvent) => void;

export function applyReporter(session: Session): ApplyReporter {
  const { io, settings } = session;
  const { view, stream, say, attempt, onEvent, end, delivered } = eventOutputs(session);
  const textsOf = (result: RunResult, plan: Plan | null, isRefused: boolean): Renderings => ({
    ...resultTexts(session, result, plan, isRefused),
    // With the format ndjson, stdout already has the events.
    ndjson: (place) => (place === 'stdout' ? '' : stream.lines.join('')),
  });
  const onResult = (current: () => RunResult): void =>
    writeFiles(session, attempt, { json: () => resultText(withSaid(io, current())) });
  const growing = growingResult(io.clock, onResult);
  const startedAtMs = io.clock.monotonicMs();
  let requests = (): number => 0;
  let isDelivered = false;
  let failure: unknown = null;
  const cutAt = (known: Cut | null, code: ExitCode): RunResult => {
    const seconds = Math.round(io.clock.monotonicMs() - startedAtMs) / 1000;
    const nothing = { ...refusedResult(code, []), requests: requests(), seconds };
    const { result, unsaid } = known ?? { result: nothing, unsaid: [] };
    const problems = failure === null ? [] : [problemOf(failure)];
    const all = withSaid(io, { ...result, diagnostics: [...result.diagnostics, ...problems] });
    end(all, [...unsaid, ...problems]);
    return all;
  };
  return {
    view,
    onEvent,
    onRetry: (notice) => onEvent(retryEvent(notice, io.clock.nowMs())),
    say,
    onResult: growing.onResult,
    async finish(result, { plan }) {
      isDelivered = true;
      growing.end(result);
      say(unreported(session, result));
      await delivered();
      return deliverResult(session, textsOf(withSaid(io, result), plan, false));
    },
    onConnected: (count) => void (requests = count),
    onFailure(error) {
      const begun = growing.brokenOff();
      failure = begun === null ? error : new BrokenOff(error, codeAtRisk(begun.result, exitCodes.incomplete));
      return failure;
    },
    async close(code) {
      if (isDelivered) return delivered();
      const begun = growing.brokenOff();
      const result = cutAt(begun, code);
      await delivered();
      await deliverResult(session, textsOf(result, null, begun === null));
    },
    cutOff(code) {
      const known = growing.cutOff();
      const result = cutAt(known, code);
      io.stderr.writeLast(cutOffWords(result));
      // Output on stdout means that the result is already being printed.
      if (settings.format === 'json' && !io.stdout.used()) io.stdout.writeLast(resultText(result));
      writeFiles(session, attempt, textsOf(result, null, known === null));
      return codeAtRisk(result, code);
    },
  };
}

function eventOutputs(session: Session) {
  const { io, settings } = session;
  const { logFile } = settings;
  const formats = [settings.format, ...settings.writes.map(({ format }) => format)];
  let told = Promise.resolve();
  const tell = (to: Output, text: string): void => {
    const written = to.write(text);
    told = told.then(async () => written);
  };
  const say = (text: string): void => tell(io.stderr, text);
  const out = (line: string): void => (settings.format === 'ndjson' ? tell(io.stdout, line) : undefined);
  const resources = new Map<Address, { readonly kind: string; readonly name: string }>();
  const view = new RunTracker();
  const stream = eventStream(io, resources, out);
  const log = logOf(session);
  const attempt = forgiving(say);
  let hasEnded = false;
  const record: Listener = (event) => {
    hasEnded ||= event.type === 'run_finished';
    if (formats.includes('ndjson')) stream.onEvent(event);
    if (logFile !== null) attempt(logFile, () => appendEvent(settings, event, resources));
  };
  const onEvent: Listener = (event) => {
    if (event.type === 'planned_change') resources.set(event.change.address, event.change);
    view.add(event);
    say(log(event));
    record(event);
  };
  /** Ends the events of a run that ended early: first the diagnostics not yet reported, then the end event. */
  const end = (result: RunResult, unsaid: readonly Diagnostic[]): void => {
    if (hasEnded) return;
    const atMs = io.clock.nowMs();
    for (const diagnostic of unsaid) record({ type: 'diagnostic', atMs, diagnostic });
    record(finished(result, atMs));
  };
  return { view, stream, say, attempt, onEvent, end, delivered: async () => told };
}

function withSaid({ said }: Io, result: RunResult): RunResult {
  return { ...result, diagnostics: [...said, ...result.diagnostics] };
}

function writeFiles({ io, settings }: Session, attempt: ReturnType<typeof forgiving>, texts: Renderings): void {
  for (const { format, path } of settings.writes) {
    const text = texts[format];
    if (text !== undefined) attempt(path, () => writeWhole(path, text('file'), io));
  }
}

/** Delivers the result. False if a file cannot be written; the reason is then printed. */
async function deliverResult(session: Session, texts: Renderings): Promise<boolean> {
  try {
    await deliver(session, texts);
    return true;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await session.io.stderr.write(`error: ${inert(error.message, 400)}\n`);
    return false;
  }
}

function codeAtRisk({ secretsAtRisk }: RunResult, code: ExitCode): ExitCode {
  return strongest(secretsAtRisk.length > 0 ? [code, exitCodes.secretAtRisk] : [code]);
}

function unreported(session: Session, { status, diagnostics }: RunResult): string {
  if (session.settings.verbosity !== 'quiet' || status === 'converged') return '';
  const untold = diagnostics.filter(({ code }) => !ENTRY_TROUBLE.has(code));
  return renderDiagnostics(untold, humanOptions(session, 'stderr'));
}

/** Runs optional writes: reports the first failure of each file, and never throws. */
function forgiving(say: (text: string) => void): (path: string, write: () => void) => void {
  const failed = new Set<string>();
  return (path, write) => {
    try {
      write();
    } catch (error) {
      if (!failed.has(path))
        say(`warning: ${inert(path, 200)} is incomplete: ${inert((error as Error).message, 200)}\n`);
      failed.add(path);
    }
  };
}

/** With `isRefused`, nothing ran and the reason is already on stderr. */
function resultTexts(session: Session, result: RunResult, plan: Plan | null, isRefused: boolean): Renderings {
  const isQuiet = session.settings.verbosity === 'quiet';
  const texts = reportTexts(session, () => resultReport(result, isQuiet), true);
  const isEmpty = !isQuiet && plan?.steps.length === 0 && result.status === 'converged';
  return {
    ...texts,
    json: () => resultText(result),
    human: (place) => {
      if (isRefused) return '';
      const noChanges = isEmpty ? renderNoChanges(plan, humanOptions(session, place)) : '';
      return `${noChanges}${texts['human']?.(place) ?? ''}`;
    },
  };
}

function resultText(result: RunResult): string {
  return jsonPage(resultToJson(result));
}

/** Returns a function that renders each event. A quiet run prints only problems with the journal at once. */
function logOf(session: Session): (event: ApplyEvent) => string {
  const options = humanOptions(session, 'stderr');
  if (session.settings.verbosity === 'quiet')
    return (event) =>
      event.type === 'diagnostic' && ENTRY_TROUBLE.has(event.diagnostic.code)
        ? renderDiagnostics([event.diagnostic], options)
        : '';
  const linesOf = startRunLog(options);
  return (event) =>
    linesOf(event)
      .map((line) => `${line}\n`)
      .join('');
}
