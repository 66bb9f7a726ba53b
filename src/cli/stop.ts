// Signals as two levels of stopping: soft starts nothing new, hard finishes open requests only; one more ends at once.
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
  /** The last moment before a second signal ends the process with `code`: only what needs no waiting is done. */
  readonly onCutOff?: (code: ExitCode) => void;
}

/** SIGINT stops softly, SIGTERM stops hard, a second signal of either kind ends the process at once. */
export function listenForStop(io: Io, { onSignal, onCutOff }: StopListeners = {}): Stop {
  const soft = new AbortController();
  const hard = new AbortController();
  let code: ExitCode | null = null;
  const end = io.onSignal((signal) => {
    const signalCode = signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
    if (code !== null) {
      try {
        onCutOff?.(signalCode);
      } finally {
        io.abort(signalCode);
      }
      return;
    }
    code = signalCode;
    const reason = new Error(`interrupted by ${signal}`);
    soft.abort(reason);
    if (signal === 'SIGTERM') hard.abort(reason);
    onSignal?.(signal);
  });
  return { soft: soft.signal, hard: hard.signal, code: () => code, end };
}
