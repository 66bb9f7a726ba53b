#!/usr/bin/env node
// The street door: hands the real process to `run` and leaves with its exit code.
import { exitCodes } from './exit-code.ts';
import { lastWords } from './last-words.ts';
import { main } from './main.ts';
import { processIo } from './process-io.ts';

// Left to itself, Node.js prints the error with all that hangs on it.
process.once('uncaughtException', (error: unknown) => {
  process.stderr.write(lastWords(error, process.env['TRUEUP_DEBUG'] === '1'), () => process.exit(exitCodes.error));
});

process.exitCode = await main(process.argv.slice(2), processIo());
