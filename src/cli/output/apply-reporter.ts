// Reports a running apply: progress on stderr, events on stdout or in the log, the result in every requested format.
import { inert } from '../../base/text/inert.ts';
import type { RetryNotice } from '../../client/types.ts';
import type { Address } from '../../model/address.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import { ENTRY_TROUBLE } from '../../reconciler/enter-folder.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { renderDiagnostics } from '../../render/human/diagnostics.ts';
import { startApplyLog, startEventLines, progressFrame, redraw } from '../../render/human/run-log.ts';
import { renderNoChanges, renderReport } from '../../render/human/report.ts';
import { renderResultHtml } from '../../render/html/report.ts';
import { renderReportMarkdown } from '../../render/markdown/report.ts';
import { resultReport } from '../../render/report/result-report.ts';
import { jsonText } from '../../render/machine/json-text.ts';
import { resultToJson } from '../../render/machine/result-json.ts';
import { RunTracker, type RunView } from '../../render/view/run-state.ts';
import { styleOf } from '../../render/text/style.ts';
import type { Invocation } from '../command.ts';
import { appendEvent, endLog, retryEvent, eventStream } from './event-stream.ts';
import { cutOffWords, growingResult, type Cut } from './growing-result.ts';
import { exitCodes, strongest, type ExitCode } from '../process/exit-code.ts';
import { BrokenOff, problemOf, refusedResult, startSpending, type Spending } from './failure.ts';
import { writeWhole } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { tellInOrder } from './tell-in-order.ts';
import { deliver, type Destination, type Renderings } from './output.ts';
import { humanOptions } from '../session/session.ts';
import { UsageError } from '../program/usage-error.ts';

export interface ApplyReporter {
  readonly onEvent: (event: ApplyEvent) => void;
  readonly onRetry: (notice: RetryNotice) => void;
  /** Says something beside the events, in its turn. */
  readonly say: (text: string) => void;
  /** The steps that run now. */
  readonly view: RunView;
  /** Called after each change of the result; `current` returns the result so far. */
  readonly onResult: (current: () => RunResult) => void;
  /** Delivers the result; everything written before has arrived when it resolves. False when a file could not be written, which has been said. */
  finish(result: RunResult, of: { readonly plan: Plan }): Promise<boolean>;
  readonly onConnected: Spending['onConnected'];
  /** Returns the error to end with for the error that ended the run: it says whether a step had begun. */
  readonly onFailure: (error: unknown) => unknown;
  /** Ends the output. A run that never came to a result says so in every format that is not for a terminal, with all that was said. */
  close(code: ExitCode): Promise<void>;
  /** The process ends at once: what is known by now goes to where machines look for it. The code is `code`, unless a key is at risk. */
  readonly cutOff: (code: ExitCode) => ExitCode;
}

type Listener = (event: ApplyEvent) => void;
type ResourceNames = Map<Address, { readonly kind: string; readonly name: string }>;

function noteNames(resources: ResourceNames): Listener {
  return (event) => {
    if (event.type !== 'planned_change') return;
    const { address, kind, name } = event.change;
    resources.set(address, { kind, name });
  };
}

/** The reporter that the settings ask for. */
export function applyReporter(invocation: Invocation): ApplyReporter {
  const { io, settings } = invocation;
  const { logFile } = settings;
  const told = tellInOrder();
  const out = (text: string): void => told.write(io.stdout, text);
  const err = (text: string): void => told.write(io.stderr, text);
  const resources: ResourceNames = new Map();
  const view = new RunTracker();
  const listeners: Listener[] = [noteNames(resources), (event) => view.add(event)];
  const events: ApplyEvent[] = [];
  const formats = [settings.format, ...settings.writes.map(({ format }) => format)];
  if (formats.includes('html')) listeners.push((event) => events.push(event));
  const progress = (settings.verbosity === 'quiet' ? quietWriter : progressWriter)(invocation, view, err);
  listeners.push(progress.onEvent);
  const stream = eventStream(io, resources, settings.format === 'ndjson' ? out : () => undefined);
  if (formats.includes('ndjson')) listeners.push(stream.onEvent);
  const renderings = (result: RunResult, of: Rendered): Renderings =>
    resultRenderings(invocation, result, { ...of, events, lines: stream.lines });
  const deliverResult = async (result: RunResult, of: Rendered): Promise<boolean> =>
    forgivingly(io, async () => {
      // Streamed events are printed already. A file of events is written whole, at the end.
      const format = settings.format === 'ndjson' ? 'streamed' : settings.format;
      await deliver(io, { ...settings, format }, renderings(result, of));
    });
  const attempt = forgiving(err);
  const write = (texts: Renderings): void => writeFiles(invocation, attempt, texts);
  const growing = growingResult(io.clock, (current) => write({ json: () => resultText(withSaid(io, current())) }));
  let isDelivered = false;
  const { onConnected, spent } = startSpending(io.clock);
  const nothing = (code: ExitCode): Cut => ({ result: refusedResult(code, [], spent()), unsaid: [] });
  let failure: unknown = null;
  if (logFile !== null) listeners.push((event) => attempt(logFile, () => appendEvent(settings, event, resources)));
  return {
    view,
    onEvent: (event) => listeners.forEach((listener) => listener(event)),
    onRetry: (notice) => listeners.forEach((listener) => listener(retryEvent(notice, io.clock.nowMs()))),
    say: progress.say,
    onResult: growing.onResult,
    async finish(result, { plan }) {
      isDelivered = true;
      growing.end(result);
      progress.end();
      err(unreported(invocation, result));
      await told.delivered();
      return deliverResult(withSaid(io, result), { plan, isRefused: false });
    },
    onConnected,
    onFailure: (error) => (failure = endedBy(error, growing.brokenOff())),
    async close(code) {
      progress.end();
      if (isDelivered) return told.delivered();
      const begun = growing.brokenOff();
      const { result, unsaid } = withFailure(io, begun ?? nothing(code), failure);
      stream.end(result, unsaid);
      if (logFile !== null) attempt(logFile, () => endLog(settings, { result, unsaid, atMs: io.clock.nowMs() }));
      await told.delivered();
      await deliverResult(result, { plan: null, isRefused: begun === null });
    },
    cutOff(code) {
      const known = growing.cutOff();
      const { result, unsaid } = withFailure(io, known ?? nothing(code), null);
      stream.end(result, unsaid);
      sayLast(invocation, told, result);
      write(renderings(result, { plan: null, isRefused: known === null }));
      return codeAtRisk(result, code);
    },
  };
}

/** Writes the texts that still wait, then the warnings that a person must see. */
function sayLast({ io, settings }: Invocation, told: ReturnType<typeof tellInOrder>, result: RunResult): void {
  for (const output of [io.stdout, io.stderr]) output.writeLast(told.takeBack(output));
  io.stderr.writeLast(cutOffWords(result));
  // A result that is being delivered is not printed again.
  if (settings.format === 'json' && !io.stdout.used()) io.stdout.writeLast(resultText(result));
}

/** The result with all that was said. */
function withSaid({ said }: Io, result: RunResult): RunResult {
  return { ...result, diagnostics: [...said, ...result.diagnostics] };
}

/** The same of a run that never came to its own end, with the error that ended it; null where none did. */
function withFailure(io: Io, { result, unsaid }: Cut, failure: unknown): Cut {
  const problems = failure === null ? [] : [problemOf(failure)];
  const told = { ...result, diagnostics: [...result.diagnostics, ...problems] };
  return { result: withSaid(io, told), unsaid: [...unsaid, ...problems] };
}

/** The error to end with, by how far the run came. */
function endedBy(error: unknown, begun: Cut | null): unknown {
  return begun === null ? error : new BrokenOff(error, codeAtRisk(begun.result, exitCodes.incomplete));
}

function codeAtRisk({ secretsAtRisk }: RunResult, code: ExitCode): ExitCode {
  return strongest(secretsAtRisk.length > 0 ? [code, exitCodes.secretAtRisk] : [code]);
}

/** The reasons why a quiet run did not converge: nothing has reported them yet. */
function unreported({ io, settings }: Invocation, { status, diagnostics }: RunResult): string {
  if (settings.verbosity !== 'quiet' || status === 'converged') return '';
  const untold = diagnostics.filter(({ code }) => !ENTRY_TROUBLE.has(code));
  return renderDiagnostics(untold, humanOptions(io, settings, 'stderr'));
}

/** False, with the reason said, when a file cannot be written. */
async function forgivingly(io: Io, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await io.stderr.write(`error: ${inert(error.message, 400)}\n`);
    return false;
  }
}

/** Runs writes that a run in progress can do without: the first failure of each file is said, and none stops the run. */
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

/** Writes the files of these formats, as far as the settings name any. */
function writeFiles({ io, settings }: Invocation, attempt: ReturnType<typeof forgiving>, texts: Renderings): void {
  for (const { format, path } of settings.writes) {
    const text = texts[format];
    if (text !== undefined) attempt(path, () => writeWhole(path, text('file'), { io }));
  }
}

interface Rendered {
  /** Null where it is not known, or where there was none. */
  readonly plan: Plan | null;
  /** True if there was no run; the reason is on stderr already. */
  readonly isRefused: boolean;
}

interface RenderedWith extends Rendered {
  readonly events: readonly ApplyEvent[];
  readonly lines: readonly string[];
}

function resultRenderings(
  { io, settings }: Invocation,
  result: RunResult,
  { plan, isRefused, events, lines }: RenderedWith,
): Renderings {
  const report = resultReport(result, settings.verbosity === 'quiet');
  const human = (place: Destination): string => {
    const options = { ...humanOptions(io, settings, place), diagnostics: false };
    const isEmpty = plan?.steps.length === 0 && result.status === 'converged';
    return `${isEmpty && settings.verbosity !== 'quiet' ? renderNoChanges(plan, options) : ''}${renderReport(report, options)}`;
  };
  return {
    human: (place) => (isRefused ? '' : human(place)),
    json: () => resultText(result),
    markdown: () => renderReportMarkdown(report, settings.maxChars),
    html: () => renderResultHtml(result, events),
    ndjson: () => lines.join(''),
    streamed: () => '',
  };
}

function resultText(result: RunResult): string {
  return `${jsonText(resultToJson(result), 2)}\n`;
}

interface ProgressWriter {
  readonly onEvent: Listener;
  /** Writes what a frame that is redrawn must not take away. */
  readonly say: (text: string) => void;
  end(): void;
}

const REDRAW_MS = 250;

/** A quiet run still reports at once that it has no lock or no journal. */
function quietWriter({ io, settings }: Invocation, _view: RunView, write: (text: string) => void): ProgressWriter {
  return {
    onEvent(event) {
      if (event.type === 'diagnostic' && ENTRY_TROUBLE.has(event.diagnostic.code))
        write(renderDiagnostics([event.diagnostic], humanOptions(io, settings, 'stderr')));
    },
    say: write,
    end: () => undefined,
  };
}

/** A redrawn frame on a terminal, a growing log elsewhere. */
function progressWriter({ io, settings }: Invocation, view: RunView, write: (text: string) => void): ProgressWriter {
  const options = humanOptions(io, settings, 'stderr');
  if (!io.stderr.isTerminal || settings.ci) {
    const log = startApplyLog(options);
    return {
      onEvent(event) {
        for (const line of log(event)) write(`${line}\n`);
      },
      say: write,
      end: () => undefined,
    };
  }
  let drawn = 0;
  let drawnAtMs = 0;
  const linesOf = startEventLines(styleOf(options.color), options.verbose);
  const draw = (lines: readonly string[], frame: readonly string[]): void => {
    write(redraw(drawn, lines, frame));
    drawn = frame.length;
  };
  const end = (): void => {
    if (drawn > 0) draw([], []);
  };
  return {
    onEvent(event) {
      const lines = linesOf(event);
      const nowMs = io.clock.nowMs();
      if (lines.length === 0 && nowMs - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = nowMs;
      draw(lines, progressFrame(view, nowMs, options));
    },
    say(text) {
      end();
      write(text);
    },
    end,
  };
}
