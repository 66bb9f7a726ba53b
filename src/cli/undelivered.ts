// A result that could not be written was not delivered, whatever the run has done.
import { exitCodes, strongest, type ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';

/** Says what kept the result of `argv` from standard output. The exit code of the run, or the one that this comes to. */
export async function sayUndelivered(io: Io, argv: readonly string[], code: ExitCode): Promise<ExitCode> {
  const failure = io.stdout.failure();
  if (failure === null) return code;
  await io.stderr.write(`error: cannot write to standard output: ${failure}\n`);
  // Exit code 1 would promise that nothing was changed.
  return strongest([code, argv.includes('apply') ? exitCodes.incomplete : exitCodes.error]);
}
