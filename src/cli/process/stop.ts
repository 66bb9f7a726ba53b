// Stops a run by signals: soft starts nothing new, hard only finishes open requests, a further signal ends the process.
import { killPrograms } from '../../apply/sinks/run-program.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import type { Io, StopSignal } from './io.ts';
import type { RunTracker } from '../../render/view/run-state.ts';

export interface Stop {
  readonly soft: AbortSignal;
  readonly hard: AbortSignal;
  code(): ExitCode | null;
  end(): void;
}

export interface StopListeners {
  readonly onSignal?: (signal: StopSignal) => void;
  /** Called before a second signal ends the process; returns the exit code to use. It must be synchronous. */
  readonly onCutOff?: (code: ExitCode) => ExitCode;
}

/** SIGINT stops softly, SIGTERM and SIGHUP hard. A second signal ends the process and its child programs at once. */
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

const LEADS: Readonly<Record<StopSignal, string>> = {
  SIGINT: 'Interrupted',
  SIGTERM: 'Terminated',
  SIGHUP: 'The terminal was closed',
};

export function stopWords(signal: StopSignal, { startedAtMs, running }: RunTracker): string {
  return `\n${LEADS[signal]}: ${consequence(signal, startedAtMs !== null, running.size)}\n`;
}

function consequence(signal: StopSignal, hasBegun: boolean, running: number): string {
  if (!hasBegun) return 'nothing was changed.';
  if (running === 0) return 'no step is running, and no new step starts.';
  if (signal !== 'SIGINT') return 'no new step starts; finishing open requests.';
  return `no new step starts; waiting for ${running === 1 ? 'one running step' : `${running} running steps`} (a second signal stops at once).`;
}
