// The process as a value: streams, environment, signals and time, so that a command can be run by a test as by a shell.
import type { Clock } from '../../base/time/clock.ts';
import type { FaultPlan } from '../../control-plane/index.ts';
import type { Random } from '../../base/random.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** An output stream that survives a reader who left: once closed, writes are dropped and `closed` is true. */
export interface Output {
  /** Resolves when the text has been taken (a slow pipe slows the writer, nothing is lost). */
  write(text: string): Promise<void>;
  /** For the last moment of the process: written at once, or not at all where an earlier text is still on its way. */
  writeLast(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  closed(): boolean;
  /** The system's reason why writing failed; null without a failure, and if the reader closed the pipe. */
  failure(): string | null;
  used(): boolean;
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Everything that a command may touch besides files. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdinIsTerminal: boolean;
  /** A question is seen on a terminal, and answered on one. */
  readonly canAsk: boolean;
  readStdin(): Promise<Uint8Array>;
  /** A line that a person types; null at the end of input or when `signal` is aborted. */
  question(prompt: string, signal: AbortSignal): Promise<string | null>;
  /** Calls `listener` at each SIGINT, SIGTERM or SIGHUP; returns how to stop listening. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Calls `listener` when the process ends, in whatever way but `kill -9`: nothing is waited for any more. */
  onExit(listener: () => void): void;
  abort(code: number): void;
  /** Ends the process with code 1 if checking its input takes more than a `share` of the usual bounds; null ends the watch. */
  watch(share: number | null): void;
  /** Ends the process as `kill -9` does: nothing is finished, closed or cleaned up. */
  die(): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Faults of the embedded control plane; missing without faults. */
  readonly faults?: FaultPlan;
  /** The diagnostics reported so far; the machine formats carry them too. */
  readonly said: Diagnostic[];
}
