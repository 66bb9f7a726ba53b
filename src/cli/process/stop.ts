// Signals as two levels of stopping: soft starts nothing new, hard finishes open requests only; one more ends at once.
import { killPrograms } from '../../apply/sinks/index.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import type { Io, StopSignal } from './io.ts';

export interface Stop {
  readonly soft: AbortSignal;
  readonly hard: AbortSignal;
  /** The exit code of the first signal; null while there was none. */
  code(): ExitCode | null;
  /** Stops listening. */
  end(): void;
}

export interface StopListeners {
  /** Told the first signal. */
  readonly onSignal?: (signal: StopSignal) => void;
  /** The last moment before a second signal ends the process, with `code` or what is returned: only what needs no waiting is done. */
  readonly onCutOff?: (code: ExitCode) => ExitCode;
}

/** SIGINT stops softly, SIGTERM and SIGHUP (a terminal that was closed) stop hard, a second signal of any kind ends the process at once. No program outlasts it. */
export function listenForStop(io: Io, { onSignal, onCutOff }: StopListeners = {}): Stop {
  const soft = new AbortController();
  const hard = new AbortController();
  let code: ExitCode | null = null;
  io.onExit(killPrograms);
  const end = io.onSignal((signal) => {
    const signalCode = signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
    if (code !== null) {
      let lastCode: ExitCode = signalCode;
      try {
        lastCode = onCutOff?.(signalCode) ?? signalCode;
      } finally {
        io.abort(lastCode);
      }
      return;
    }
    code = signalCode;
    const reason = new Error(`interrupted by ${signal}`);
    soft.abort(reason);
    if (signal !== 'SIGINT') hard.abort(reason);
    onSignal?.(signal);
  });
  return { soft: soft.signal, hard: hard.signal, code: () => code, end };
}
