// The street door: hands the real process to `main` and leaves with its exit code.
import { exitCodes } from './exit-code.ts';
import { lastWords } from './last-words.ts';
import { processIo } from './process-io.ts';
import { programVersion } from './version.ts';

// Left to itself, Node.js prints the error with all that hangs on it.
process.once('uncaughtException', (error: unknown) => {
  process.stderr.write(lastWords(error, process.env['TRUEUP_DEBUG'] === '1'), () => process.exit(exitCodes.error));
});

/** The code of an error stands until the run has ended: a process with nothing left to wait for has not done its work. */
async function start(argv: readonly string[]): Promise<void> {
  process.exitCode = exitCodes.error;
  process.exitCode = await codeOf(argv);
}

async function codeOf(argv: readonly string[]): Promise<number> {
  const io = processIo();
  // What scripts ask most often is answered before the command line is even built.
  if (argv.length === 1 && argv[0] === '--version') {
    await io.stdout.write(`${programVersion()}\n`);
    return exitCodes.done;
  }
  const { main } = await import('./main.ts');
  return main(argv, io);
}

void start(process.argv.slice(2));
