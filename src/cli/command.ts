// What a command is given, and what it gives back.
import type { Command } from './commander.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import type { Settings } from './settings.ts';

/** One invocation: the shared settings, the command's own flags, and its words. */
export interface Invocation {
  readonly io: Io;
  readonly settings: Settings;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
  /** The whole command line, for what speaks about it. */
  readonly program: Command;
}

export type Run = (invocation: Invocation) => Promise<ExitCode>;
