// The frame of every command that speaks to the service: connect, listen for signals, close whatever happens.
import type { RetryNotice } from '../client/types.ts';
import { connect, type Connection } from './connection.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io, StopSignal } from './io.ts';
import type { Settings } from './settings.ts';
import { listenForStop, type Stop } from './stop.ts';

export interface Online {
  readonly connection: Connection;
  readonly stop: Stop;
}

export interface OnlineOptions {
  readonly onRetry?: (notice: RetryNotice) => void;
  readonly onSignal?: (signal: StopSignal) => void;
}

/** Runs `work` with an open connection. A signal that ends it gives the signal's exit code. */
export async function online(
  { io, settings }: { readonly io: Io; readonly settings: Settings },
  work: (line: Online) => Promise<ExitCode>,
  options: OnlineOptions = {},
): Promise<ExitCode> {
  const stop = listenForStop(io, options.onSignal);
  try {
    const connection = await connect(io, settings, options.onRetry);
    try {
      return await work({ connection, stop });
    } finally {
      await connection.close();
    }
  } catch (error) {
    const code = stop.code();
    if (code !== null) return code;
    throw error;
  } finally {
    stop.end();
  }
}
