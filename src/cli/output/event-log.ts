// The log file: JSON lines of what happens, appended as it happens; and what the client's notices are as events.
import type { RetryNotice } from '../../client/types.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { eventLine, type ResourceIndex } from '../../render/machine/ndjson.ts';
import { finished } from '../../render/view/result-events.ts';
import { appendTo } from '../process/files.ts';
import type { Settings } from '../program/settings.ts';

/** Appends one event to the file of `--log-file`; nothing without one. Throws the system's error. */
export function appendEvent(
  { logFile, cwd }: Pick<Settings, 'logFile' | 'cwd'>,
  event: ApplyEvent,
  resources: ResourceIndex = new Map(),
): void {
  if (logFile !== null) appendTo(logFile, eventLine(event, resources), cwd);
}

/** The end of a run that never came to a result of its own, after what has not been said yet. */
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
