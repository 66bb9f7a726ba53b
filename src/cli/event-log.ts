// The log file: JSON lines of what happens, appended as it happens; and what the client's notices are as events.
import { appendFileSync } from 'node:fs';
import type { RetryNotice } from '../client/types.ts';
import type { ApplyEvent } from '../model/event.ts';
import type { ResourceIndex } from '../render/event-json.ts';
import { eventLine } from '../render/ndjson.ts';
import type { Settings } from './settings.ts';

/** Appends one event to the file of `--log-file`; nothing without one. Throws the system's error. */
export function appendEvent(
  { logFile }: Pick<Settings, 'logFile'>,
  event: ApplyEvent,
  resources: ResourceIndex = new Map(),
): void {
  if (logFile !== null) appendFileSync(logFile, eventLine(event, resources), { mode: 0o600 });
}

export function retryEvent(notice: RetryNotice, atMs: number): ApplyEvent {
  return { type: 'retry', atMs, step: null, address: null, ...notice };
}
