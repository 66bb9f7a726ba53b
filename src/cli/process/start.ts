// Hands the real process to `main` and leaves with its exit code, or with a line of ours when a bug escapes everything.
import { inert } from '../../base/text/inert.ts';
import { exitCodes, type ExitCode, strongest } from './exit-code.ts';
import type { Io } from './io.ts';
import { processIo } from './process-io.ts';
import { programVersion } from './files.ts';

export async function start(argv: readonly string[]): Promise<void> {
  // Left to itself, Node.js prints the error with all that hangs on it.
  process.once('uncaughtException', (error: unknown) => {
    process.stderr.write(lastWords(error, process.env['TRUEUP_DEBUG'] === '1'), () => process.exit(brokenOff(argv)));
  });
  // A process with nothing left to wait for, and without a code, has not done its work.
  process.once('exit', () => {
    process.exitCode ??= brokenOff(argv);
  });
  const io = processIo();
  process.exitCode = await sayUndelivered(io, argv, await codeOf(argv, io));
}

async function codeOf(argv: readonly string[], io: Io): Promise<ExitCode> {
  if (argv.length !== 1 || argv[0] !== '--version') return (await import('../main.ts')).main(argv, io);
  // Scripts ask this most often: answered before the command line is built.
  await io.stdout.write(`${programVersion()}\n`);
  return exitCodes.done;
}

/** The text for an error that nothing caught. Only its message is shown, and with `debug` its stack: a request may hang on it. */
function lastWords(error: unknown, debug: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  return `error: bug in trueup: ${inert(message, 2000)}\n  The command stopped before it was done. Run the same command again: trueup has kept its journal.\n${stack}`;
}

/** Says what kept the result of `argv` from standard output. The exit code of the run, or the one that this comes to. */
export async function sayUndelivered(io: Io, argv: readonly string[], code: ExitCode): Promise<ExitCode> {
  const failure = io.stdout.failure();
  if (failure === null) return code;
  await io.stderr.write(`error: cannot write to standard output: ${failure}\n`);
  return strongest([code, brokenOff(argv)]);
}

/** The code of a run that did not come to its end: 1 would promise that nothing was changed. */
function brokenOff(argv: readonly string[]): ExitCode {
  return argv.includes('apply') ? exitCodes.incomplete : exitCodes.error;
}
