// The frame of every command that speaks to the service: connect, listen for signals, close whatever happens.
import type { RetryNotice } from '../../client/types.ts';
import { startEventLines } from '../../render/human/run-log.ts';
import { styleOf } from '../../render/text/style.ts';
import { connect, type Connection } from './connection.ts';
import { appendEvent, retryEvent } from '../output/event-log.ts';
import type { ExitCode } from '../process/exit-code.ts';
import type { Io } from '../process/io.ts';
import { humanOptions } from './session.ts';
import type { Settings } from '../program/settings.ts';
import { listenForStop, type Stop, type StopListeners } from '../process/stop.ts';
import { limitTime } from '../process/time-limit.ts';

export interface Online {
  readonly connection: Connection;
  /** Its `soft` is aborted at the end of the run's time as well. */
  readonly stop: Stop;
  /** Aborted by a signal of either kind alone. */
  readonly interrupted: AbortSignal;
  /** What is left of the run's time; null without a limit. */
  readonly timeLeftMs: () => number | null;
}

export interface OnlineOptions extends StopListeners {
  readonly onRetry?: (notice: RetryNotice) => void;
}

/** Says why a command takes longer than it should: retries that cost time, those of reads now and then, and all of them when verbose. */
function retryTeller(io: Io, settings: Settings): (notice: RetryNotice) => void {
  const { color, verbose } = humanOptions(io, settings, 'stderr');
  const linesOf = startEventLines(styleOf(color), verbose);
  return (notice) => {
    const event = retryEvent(notice, io.clock.nowMs());
    appendEvent(settings, event);
    if (settings.verbosity === 'quiet') return;
    for (const line of linesOf(event)) void io.stderr.write(`${line}\n`);
  };
}

/** Runs `work` with an open connection. A signal that ends it gives the signal's exit code. */
export async function online(
  { io, settings }: { readonly io: Io; readonly settings: Settings },
  work: (line: Online) => Promise<ExitCode>,
  options: OnlineOptions = {},
): Promise<ExitCode> {
  const stop = listenForStop(io, options);
  const limit = limitTime(io.clock, settings.runTimeoutMs, stop.soft);
  try {
    const connection = await connect(io, settings, options.onRetry ?? retryTeller(io, settings));
    try {
      return await work({
        connection,
        stop: { ...stop, soft: limit.signal },
        interrupted: stop.soft,
        timeLeftMs: () => limit.leftMs(),
      });
    } finally {
      await connection.close();
    }
  } catch (error) {
    const code = stop.code();
    if (code !== null) return code;
    throw error;
  } finally {
    limit.end();
    stop.end();
  }
}
