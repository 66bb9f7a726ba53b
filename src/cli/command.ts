// The types of a command's input and result.
import type { Command } from './program/commander.ts';
import type { ExitCode } from './process/exit-code.ts';
import type { Io } from './process/io.ts';
import type { Settings } from './program/settings.ts';

export interface Session {
  readonly io: Io;
  readonly settings: Settings;
}

export interface Invocation extends Session {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
  readonly program: Command;
}

export type Run = (invocation: Invocation) => Promise<ExitCode>;
