// The types of a command's input, connection and result.
import type { Command } from './program/commander.ts';
import type { ExitCode } from './process/exit-code.ts';
import type { Io } from './process/io.ts';
import type { Settings } from './program/settings.ts';
import type { Reconciler } from '../reconciler/types.ts';

export interface Session {
  readonly io: Io;
  readonly settings: Settings;
}

export interface Invocation extends Session {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
  readonly program: Command;
}

export interface Connection {
  readonly reconciler: Reconciler;
  /** The id of the local server's store, because all local stores have the same base URL; absent for another service. */
  readonly store?: string;
  close(): Promise<void>;
}

export type Run = (invocation: Invocation) => Promise<ExitCode>;
