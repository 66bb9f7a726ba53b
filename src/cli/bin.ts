#!/usr/bin/env node
// The file that Node.js is given: has compiled code kept for the next run, and loads the program.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where Node.js can (from 22 on), and not among the files of others: whoever writes that folder writes what is run. */
function keepCompiledCode(): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => unknown;
  };
  const home = homedir();
  if (isAbsolute(home)) enableCompileCache?.(join(home, '.cache', 'trueup'));
}

keepCompiledCode();
void import('./process/start.ts').then(({ start }) => start(process.argv.slice(2)));
