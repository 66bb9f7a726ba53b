// The program's commands and flags, as they are declared: it says nothing, and runs nothing.
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program/program.ts';
import { fakeIo } from './fake-io.ts';

export function silentProgram(): Command {
  return buildProgram({
    io: fakeIo({ cwd: '/' }),
    onExit: () => undefined,
    writeOut: () => undefined,
    writeErr: () => undefined,
  });
}

/** The long flags that a command takes, those that help hides included. */
export function flagsOfCommand(name: string): readonly string[] {
  const command = silentProgram().commands.find((one) => one.name() === name);
  return (command?.options ?? []).flatMap(({ long }) => long ?? []);
}
