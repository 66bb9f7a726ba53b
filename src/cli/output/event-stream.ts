// The events of a run as lines of JSON: in a stream, and in the log.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { eventLine, versionLine, type ResourceIndex } from '../../render/machine/ndjson.ts';
import { finished } from '../../render/view/result-events.ts';
import type { Io } from '../process/io.ts';
import { programVersion, appendTo } from '../process/files.ts';
import type { RetryNotice } from '../../client/types.ts';
import type { Settings } from '../program/settings.ts';

export interface EventStream {
  readonly lines: readonly string[];
  readonly onEvent: (event: ApplyEvent) => void;
  /** Ends the stream of a run that was cut off, after the diagnostics that it has not reported yet. */
  end(result: RunResult, unsaid: readonly Diagnostic[]): void;
}

export function eventStream(io: Io, resources: ResourceIndex, write: (line: string) => void): EventStream {
  const lines: string[] = [];
  let hasEnded = false;
  const put = (line: string): void => {
    lines.push(line);
    write(line);
  };
  const say = (diagnostic: Diagnostic): void =>
    put(eventLine({ type: 'diagnostic', atMs: io.clock.nowMs(), diagnostic }, resources));
  // Diagnostics from before the first event are written first.
  const begin = (): void => {
    if (lines.length > 0) return;
    put(versionLine(programVersion(), io.clock.nowMs()));
    io.said.forEach(say);
  };
  return {
    lines,
    onEvent(event) {
      begin();
      put(eventLine(event, resources));
      hasEnded ||= event.type === 'run_finished';
    },
    end(result, unsaid) {
      if (hasEnded) return;
      hasEnded = true;
      begin();
      unsaid.forEach(say);
      put(eventLine(finished(result, io.clock.nowMs())));
    },
  };
}

/** Appends one event to the file of `--log-file`, if there is one. Throws the system's error. */
export function appendEvent(
  { logFile, cwd }: Pick<Settings, 'logFile' | 'cwd'>,
  event: ApplyEvent,
  resources: ResourceIndex = new Map(),
): void {
  if (logFile !== null) appendTo(logFile, eventLine(event, resources), cwd);
}

/** Ends the log of a run that has no result of its own, after the diagnostics that it has not reported yet. */
export function endLog(
  settings: Pick<Settings, 'logFile' | 'cwd'>,
  run: { readonly result: RunResult; readonly unsaid: readonly Diagnostic[]; readonly atMs: number },
): void {
  const { atMs, unsaid, result } = run;
  for (const diagnostic of unsaid) appendEvent(settings, { type: 'diagnostic', atMs, diagnostic });
  appendEvent(settings, finished(result, atMs));
}

export function retryEvent(notice: RetryNotice, atMs: number): ApplyEvent {
  return { type: 'retry', atMs, step: null, address: null, ...notice };
}
