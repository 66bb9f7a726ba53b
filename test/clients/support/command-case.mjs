// Cases of command-line clients: the command as it stands on the page, its exit code, and a check of what came of it.
import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isolatedEnvironment, runNode } from './command.mjs';
import { installed } from './paths.mjs';

/**
 * Cases from `{ [command]: [shows, check(result, context), { before(context), exit }] }`. Words of the command that `context.words` knows, such as PROJECT,
 * stand for ids; `context.cli(args)` runs it, and the check comes when the operations of the project have ended.
 */
export function commandCases(commands) {
  return Object.entries(commands).map(([command, [shows, check, { before, exit = 0 } = {}]]) => ({
    command,
    shows,
    run: async (context) => {
      const settled = () => context.api.settled(context.words.PROJECT);
      await before?.(context);
      await settled();
      const result = await context.cli(command.split(' ').map((word) => wordOf(context, word)));
      assert.equal(result.exit, exit, `exit code ${result.exit}: ${(result.stderr || result.stdout).slice(0, 600)}`);
      await settled();
      await check(result, context);
    },
  }));
}

/** A command that fails with these words. */
export const refused = (shows, words) => [shows, ({ stderr }) => assert.match(stderr, words), { exit: 1 }];

/** The context of a command line: a home of its own, the key, and the ids of its project as words. */
export function openCommandLine({ url, key, api, folder }, { home, bin, project, words, flags = [], env = {} }) {
  const cwd = join(folder, home);
  mkdirSync(cwd);
  const all = [installed(...bin), '--api-host', url, '--no-analytics', '--config-dir', join(cwd, 'config'), ...flags];
  const surroundings = { cwd, env: isolatedEnvironment(folder, { NEON_API_KEY: key, ...env }) };
  const { id: PROJECT, main: MAIN, staging: STAGING, dev: DEV, primary: PRIMARY } = project;
  return {
    api,
    cwd,
    words: { PROJECT, MAIN, STAGING, DEV, PRIMARY, ...words },
    /** A part of the project, by plain request. */
    read: (path) => api.read(`/projects/${PROJECT}${path}`),
    cli: (args) => runNode([...all, ...args], surroundings),
  };
}

/** Puts ids for words; a word that is declared but has no id yet is the work of a case that failed. */
function wordOf({ words }, text) {
  const names = new RegExp(`\\b(${Object.keys(words).join('|')})\\b`, 'g');
  return text.replace(names, (name) => {
    assert.ok(words[name] !== undefined, `${name} is not known: the case that makes it failed`);
    return words[name];
  });
}
