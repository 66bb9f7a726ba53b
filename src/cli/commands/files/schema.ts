// `trueup schema`: prints one of the JSON Schemas that trueup's inputs and outputs follow.
import { assert } from '../../../base/assert.ts';
import { isJsonObject, parseJson, type JsonObject } from '../../../base/json.ts';
import { didYouMean } from '../../../base/text/words.ts';
import { exitCodes } from '../../process/exit-code.ts';
import { jsonText } from '../../../render/machine/json-text.ts';
import type { Run } from '../../command.ts';
import { UsageError } from '../../program/usage-error.ts';
import { shippedSchema } from '../../authoring/shipped-schema.ts';
import { wholeSchema } from '../../authoring/whole-schema.ts';

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
  const text = shippedSchema(`${name}.schema.json`);
  const own = parsed(text);
  const whole = wholeSchema(own, (file) => parsed(shippedSchema(file)));
  await io.stdout.write(whole === own ? text : `${jsonText(whole, 2)}\n`);
  return exitCodes.done;
};

function parsed(text: string): JsonObject {
  const value = parseJson(text);
  assert(isJsonObject(value), 'a schema is an object');
  return value;
}
