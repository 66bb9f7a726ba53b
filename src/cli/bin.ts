#!/usr/bin/env node
// The street door: hands the real process to `run` and leaves with its exit code.
import { main } from './main.ts';
import { processIo } from './process-io.ts';

process.exitCode = await main(process.argv.slice(2), processIo());
