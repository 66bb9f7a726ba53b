// Runs `main` with the real process and exits with its code, or with a plain message if a bug escapes everything.
import { inert } from '../../base/text/inert.ts';
import { exitCodes, type ExitCode, strongest } from './exit-code.ts';
import type { Io } from './io.ts';
import { processIo } from './process-io.ts';
import { programVersion } from './files.ts';

export async function start(argv: readonly string[]): Promise<void> {
  // By default, Node.js would print the error with all its members, which may contain secrets.
  process.once('uncaughtException', (error: unknown) => {
    process.stderr.write(lastWords(error, process.env['TRUEUP_DEBUG'] === '1'), () => process.exit(brokenOff(argv)));
  });
  // A process that ends because nothing is pending, but without an exit code, has not done its work.
  process.once('exit', () => {
    process.exitCode ??= brokenOff(argv);
  });
  const io = processIo();
  process.exitCode = await sayUndelivered(io, argv, await codeOf(argv, io));
}

async function codeOf(argv: readonly string[], io: Io): Promise<ExitCode> {
  if (argv.length !== 1 || argv[0] !== '--version') return (await import('../main.ts')).main(argv, io);
  // Scripts ask for the version most often, so it is printed before the program is built.
  await io.stdout.write(`${programVersion()}\n`);
  return exitCodes.done;
}

/** The text for an uncaught error: only its message, and with `debug` its stack. Its other members may contain a request. */
function lastWords(error: unknown, debug: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  return `error: bug in trueup: ${inert(message, 2000)}\n  The command stopped before it was done. Run the same command again: trueup has kept its journal.\n${stack}`;
}

/** Reports a failed write of the result to stdout. Returns the exit code of the run, or the code for that failure if it is stronger. */
export async function sayUndelivered(io: Io, argv: readonly string[], code: ExitCode): Promise<ExitCode> {
  const failure = io.stdout.failure();
  if (failure === null) return code;
  await io.stderr.write(`error: cannot write to standard output: ${failure}\n`);
  return strongest([code, brokenOff(argv)]);
}

/** The exit code of a run that was cut off; code 1 would promise that nothing was changed. */
function brokenOff(argv: readonly string[]): ExitCode {
  return argv.includes('apply') ? exitCodes.incomplete : exitCodes.error;
}
