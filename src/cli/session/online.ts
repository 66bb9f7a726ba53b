// Runs a command with a connection: connects, listens for signals, and always closes the connection.
import { setMaxListeners } from 'node:events';
import type { Clock } from '../../base/time/clock.ts';
import type { RetryNotice } from '../../client/types.ts';
import { startRunLog } from '../../render/human/run-log.ts';
import { elapsedText } from '../../render/messages/events.ts';
import { UsageError, type ExitCode } from '../process/exit-code.ts';
import type { Connection, Invocation, Session } from '../command.ts';
import { connect } from './connection.ts';
import { appendEvent, retryEvent } from '../output/event-stream.ts';
import { humanOptions } from './session.ts';
import { listenForStop, type Stop, type StopListeners } from '../process/stop.ts';

export interface Online {
  readonly connection: Connection;
  /** `soft` is also aborted by the timeout of the run. */
  readonly stop: Stop;
  readonly interrupted: AbortSignal;
  readonly timeLeftMs: () => number | null;
}

/** Logs each retry, and prints retries because they make a command slow: all with -v, none with -q, otherwise some. */
function retryTeller(session: Session): (notice: RetryNotice) => void {
  const { io, settings } = session;
  const linesOf = startRunLog(humanOptions(session, 'stderr'));
  return (notice) => {
    const event = retryEvent(notice, io.clock.nowMs());
    appendEvent(settings, event);
    if (settings.verbosity === 'quiet') return;
    for (const line of linesOf(event)) void io.stderr.write(`${line}\n`);
  };
}

/** Runs `work` with an open connection. If `work` throws after a signal, the signal sets the exit code. */
export async function online(
  invocation: Invocation,
  work: (line: Online) => Promise<ExitCode>,
  options: StopListeners & { readonly onRetry?: (notice: RetryNotice) => void } = {},
): Promise<ExitCode> {
  const { io, settings } = invocation;
  const stop = listenForStop(io, options);
  const limit = limitTime(io.clock, settings.runTimeoutMs, stop.soft);
  try {
    const connection = await connect(invocation, options.onRetry ?? retryTeller(invocation));
    try {
      return await work({
        connection,
        stop: { ...stop, soft: limit.signal },
        interrupted: stop.soft,
        timeLeftMs: limit.leftMs,
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

/** A signal that is aborted by `stop` or at the time limit. The reason shows which. */
function limitTime(clock: Clock, timeoutMs: number | null, stop: AbortSignal) {
  if (timeoutMs === null) return { signal: stop, leftMs: () => null, end: () => undefined };
  const over = new AbortController();
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  const why = new UsageError(
    `the run did not end within ${elapsedText(timeoutMs)} (--timeout)`,
    'Nothing was changed. Give a longer --timeout, or select fewer projects with --target.',
    'timeout',
  );
  const end = clock.after(timeoutMs, () => over.abort(why));
  const signal = AbortSignal.any([stop, over.signal]);
  setMaxListeners(0, signal);
  return { signal, leftMs: () => Math.max(0, deadlineMs - clock.monotonicMs()), end };
}
