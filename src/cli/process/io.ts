// The process as an interface (streams, environment, signals, time), so that tests can run commands without a process.
import type { Clock } from '../../base/time/clock.ts';
import type { FaultPlan } from '../../control-plane/index.ts';
import type { Random } from '../../base/random.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** An output stream that survives a closed pipe: it drops further writes, and `closed` becomes true. */
export interface Output {
  /** Resolves once the system has accepted the whole text. Callers wait for a slow reader, so nothing is lost. */
  write(text: string): Promise<void>;
  /** Writes at once, because the process ends; writes nothing if an earlier text is still being written. */
  writeLast(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  closed(): boolean;
  /** The system's reason for a failed write; null if no write failed or the reader closed the pipe. */
  failure(): string | null;
  used(): boolean;
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdinIsTerminal: boolean;
  /** True if stdin and stderr are terminals, so that a person can read and answer a question. */
  readonly canAsk: boolean;
  readStdin(): Promise<Uint8Array>;
  /** A line typed by a person; null at the end of input or when `signal` is aborted. */
  question(prompt: string, signal: AbortSignal): Promise<string | null>;
  /** Calls `listener` at each SIGINT, SIGTERM or SIGHUP; returns a function that removes the listener. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Calls the synchronous `listener` when the process exits or gets SIGQUIT, but not if an unhandled signal kills it. */
  onExit(listener: () => void): void;
  abort(code: number): void;
  /** Ends the process with code 1 if checking input takes more than `share` times the usual limits; null ends the watch. */
  watch(share: number | null): void;
  /** Ends the process as `kill -9` does: without closing or removing anything. */
  die(): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Faults that the local server simulates; absent without faults. */
  readonly faults?: FaultPlan;
  /** The diagnostics reported so far, which the machine formats also carry. */
  readonly said: Diagnostic[];
}
