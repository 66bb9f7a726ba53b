// The street door: hands the real process to `main` and leaves with its exit code.
import { exitCodes, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { lastWords } from '../last-words.ts';
import { processIo } from '../process-io.ts';
import { sayUndelivered } from '../undelivered.ts';
import { programVersion } from '../version.ts';

export async function start(argv: readonly string[]): Promise<void> {
  // Left to itself, Node.js prints the error with all that hangs on it.
  process.once('uncaughtException', (error: unknown) => {
    process.stderr.write(lastWords(error, process.env['TRUEUP_DEBUG'] === '1'), () => process.exit(exitCodes.error));
  });
  // A process with nothing left to wait for, and without a code, has not done its work.
  process.once('exit', () => {
    process.exitCode ??= exitCodes.error;
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
