// The events of a run as lines of JSON: in a stream, and in the log.
import type { ApplyEvent } from '../../model/outcome/event.ts';
import { eventLine, versionLine, type ResourceIndex } from '../../render/machine/ndjson.ts';
import type { Io } from '../process/io.ts';
import { programVersion, appendTo } from '../process/files.ts';
import type { RetryNotice } from '../../client/types.ts';
import type { Settings } from '../program/settings.ts';

export interface EventStream {
  readonly lines: readonly string[];
  readonly onEvent: (event: ApplyEvent) => void;
}

/** Before the first event, writes the version and the diagnostics that were reported earlier. */
export function eventStream(io: Io, resources: ResourceIndex, write: (line: string) => void): EventStream {
  const lines: string[] = [];
  const put = (line: string): void => {
    lines.push(line);
    write(line);
  };
  return {
    lines,
    onEvent(event) {
      if (lines.length === 0) {
        const atMs = io.clock.nowMs();
        put(versionLine(programVersion(), atMs));
        for (const diagnostic of io.said) put(eventLine({ type: 'diagnostic', atMs, diagnostic }));
      }
      put(eventLine(event, resources));
    },
  };
}

type Log = Pick<Settings, 'logFile' | 'cwd'>;

/** Appends one event to the file of `--log-file`, if there is one. Throws UsageError or the system's error. */
export function appendEvent({ logFile, cwd }: Log, event: ApplyEvent, resources: ResourceIndex = new Map()): void {
  if (logFile !== null) appendTo(logFile, eventLine(event, resources), cwd);
}

export function retryEvent(notice: RetryNotice, atMs: number): ApplyEvent {
  return { type: 'retry', atMs, step: null, address: null, ...notice };
}
