// `trueup schema`: prints one of the JSON Schemas that trueup's inputs and outputs follow.
import { readFileSync } from 'node:fs';
import { didYouMean } from '../../base/words.ts';
import { exitCodes } from '../exit-code.ts';
import type { Run } from '../command.ts';
import { UsageError } from '../usage-error.ts';

/** The schemas that there are. */
export const schemaNames: readonly string[] = ['desired-state', 'plan', 'result', 'event', 'drift'];

export const schema: Run = async ({ io, words }) => {
  const name = words[0] ?? 'desired-state';
  if (!schemaNames.includes(name)) {
    const meant = didYouMean(name, schemaNames);
    throw new UsageError(
      `there is no schema "${name}"`,
      meant === undefined ? `There are: ${schemaNames.join(', ')}.` : `Did you mean ${meant}?`,
    );
  }
  await io.stdout.write(readFileSync(new URL(`../../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));
  return exitCodes.done;
};
