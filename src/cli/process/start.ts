// Runs `main` with the real process, exits with its code, and prints a plain message for an uncaught error.
import { messageOf } from '../../base/error-code.ts';
import { inert } from '../../base/text/inert.ts';
import { exitCodes, type ExitCode, strongest } from './exit-code.ts';
import type { Io } from './io.ts';
import { processIo } from './process-io.ts';

export async function start(argv: readonly string[]): Promise<void> {
  // Node.js would print all members of the error, which may contain secrets.
  process.once('uncaughtException', (error: unknown) => {
    process.stderr.write(lastWords(error, process.env['TRUEUP_DEBUG'] === '1'), () => process.exit(brokenOff(argv)));
  });
  // Without an exit code, the process ended because nothing was pending, so its work is not done.
  process.once('exit', () => {
    process.exitCode ??= brokenOff(argv);
  });
  const io = processIo();
  const { main } = await import('../main.ts');
  process.exitCode = await sayUndelivered(io, argv, await main(argv, io));
}

/** The message of an uncaught error, with `debug` also its stack. Omits its other members, which may contain secrets. */
function lastWords(error: unknown, debug: boolean): string {
  const stack = debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  return `error: bug in trueup: ${inert(messageOf(error), 2000)}\n  The command stopped before it was done. Run the same command again: trueup has kept its journal.\n${stack}`;
}

/** Reports a failed write to stdout. Returns the code of the run, or the code for that failure if it has precedence. */
export async function sayUndelivered(io: Io, argv: readonly string[], code: ExitCode): Promise<ExitCode> {
  const failure = io.stdout.failure();
  if (failure === null) return code;
  await io.stderr.write(`error: cannot write to standard output: ${failure}\n`);
  return strongest([code, brokenOff(argv)]);
}

/** The exit code of a run that was cut off. For apply it is not 1, which promises that nothing was changed. */
function brokenOff(argv: readonly string[]): ExitCode {
  return argv.includes('apply') ? exitCodes.incomplete : exitCodes.error;
}
