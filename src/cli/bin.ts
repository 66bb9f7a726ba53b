// The street door: hands the real process to `main` and leaves with its exit code.
import { exitCodes, type ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { lastWords } from './last-words.ts';
import { processIo } from './process-io.ts';
import { READY_COLUMNS, readyHelp } from './ready-help.ts';
import { sayUndelivered } from './undelivered.ts';
import { programVersion } from './version.ts';

// Left to itself, Node.js prints the error with all that hangs on it.
process.once('uncaughtException', (error: unknown) => {
  process.stderr.write(lastWords(error, process.env['TRUEUP_DEBUG'] === '1'), () => process.exit(exitCodes.error));
});

// A process with nothing left to wait for, and without a code, has not done its work.
process.once('exit', () => {
  process.exitCode ??= exitCodes.error;
});

async function start(argv: readonly string[]): Promise<void> {
  const io = processIo();
  process.exitCode = await sayUndelivered(io, argv, await codeOf(argv, io));
}

async function codeOf(argv: readonly string[], io: Io): Promise<ExitCode> {
  const answer = readyAnswer(argv, io);
  if (answer === null) return (await import('./main.ts')).main(argv, io);
  await io.stdout.write(answer);
  return exitCodes.done;
}

/** What scripts and people ask most often is answered before the command line is even built. */
function readyAnswer(argv: readonly string[], io: Io): string | null {
  if (argv.length === 1 && argv[0] === '--version') return `${programVersion()}\n`;
  const help = readyHelp(argv);
  return help !== null && io.stdout.columns === READY_COLUMNS ? help : null;
}

void start(process.argv.slice(2));
