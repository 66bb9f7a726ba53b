// `trueup schema`: prints the JSON Schema of an input or output, including the schemas to which it refers.
import { objectOf, parseJson, type JsonObject } from '../../../base/json.ts';
import { nearHint } from '../../../base/text/words.ts';
import { exitCodes, UsageError } from '../../process/exit-code.ts';
import { jsonPage } from '../../../render/machine/diagnostics-json.ts';
import type { Run } from '../../command.ts';
import { shippedSchema } from '../../authoring/shipped-schema.ts';

export const schemaNames: readonly string[] = ['desired-state', 'plan', 'result', 'event', 'drift'];

export const run: Run = async ({ io, words }) => {
  const name = words[0] ?? 'desired-state';
  if (!schemaNames.includes(name))
    throw new UsageError(
      `there is no schema "${name}"`,
      nearHint(name, schemaNames, `Schemas: ${schemaNames.join(', ')}.`),
    );
  const text = shippedSchema(`${name}.schema.json`);
  const others = schemasIn(text);
  const own = objectOf(parseJson(text));
  const whole = { ...own, $defs: { ...objectOf(own['$defs']), ...Object.fromEntries(others) } };
  await io.stdout.write(others.size === 0 ? text : jsonPage(whole));
  return exitCodes.done;
};

/** The schemas to which the text refers, by file. Validators find them by `$id`, wherever they are in the document. */
function schemasIn(text: string): ReadonlyMap<string, JsonObject> {
  const files = new Set([...text.matchAll(/"\$ref": "([a-z-]+\.schema\.json)#/g)].flatMap(([, file]) => file ?? []));
  return new Map([...files].map((file) => [file, objectOf(parseJson(shippedSchema(file)))]));
}
