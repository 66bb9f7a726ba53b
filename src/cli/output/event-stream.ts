// The output of a run in progress: events as lines of JSON, and texts for several streams in order.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { eventLine, versionLine, type ResourceIndex } from '../../render/machine/ndjson.ts';
import { finished } from '../../render/view/result-events.ts';
import type { Io, Output } from '../process/io.ts';
import { programVersion, appendTo } from '../process/files.ts';
import type { RetryNotice } from '../../client/types.ts';
import type { Settings } from '../program/settings.ts';
import { turnOver } from '../../base/time/clock.ts';

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

export interface Teller {
  write(to: Output, text: string): void;
  delivered(): Promise<void>;
  takeBack(to: Output): string;
}

export function tellInOrder(): Teller {
  let line: { readonly to: Output; text: string }[] = [];
  let telling: Promise<void> | null = null;
  const tell = async (): Promise<void> => {
    await turnOver();
    for (let piece = line.shift(); piece !== undefined; piece = line.shift()) {
      const { to, text } = piece;
      // The output itself records its failure; the other outputs must still be written.
      await to.write(text).catch(() => undefined);
    }
    telling = null;
  };
  return {
    write(to, text) {
      if (text === '') return;
      const last = line.at(-1);
      if (last?.to === to) last.text += text;
      else line.push({ to, text });
      telling ??= tell();
    },
    delivered: async () => telling ?? Promise.resolve(),
    takeBack(to) {
      const taken = line.filter((piece) => piece.to === to);
      line = line.filter((piece) => piece.to !== to);
      return taken.map(({ text }) => text).join('');
    },
  };
}
