// Cases of command-line clients: the command as it stands on the page, its exit code, and a check of what came of it.
import { strict as assert } from 'node:assert';

/**
 * A case from `{ command, exit, shows, before(context), check(result, context) }`. Words of the command that `context.words` knows, such as PROJECT,
 * stand for ids; `context.cli(args)` runs it.
 */
export function commandCase({ command, exit = 0, shows, before, check }) {
  return {
    command,
    shows,
    run: async (context) => {
      await before?.(context);
      const result = await context.cli(command.split(' ').map((word) => wordOf(context, word)));
      assert.equal(result.exit, exit, `exit code ${result.exit}: ${(result.stderr || result.stdout).slice(0, 600)}`);
      await check?.(result, context);
    },
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

/** The words for the ids of a client's project. */
export function wordsOf({ id, main, staging, dev, primary }) {
  return { PROJECT: id, MAIN: main, STAGING: staging, DEV: dev, PRIMARY: primary };
}
