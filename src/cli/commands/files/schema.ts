// `trueup schema`: prints a JSON Schema of an input or output, with the shapes that it uses from other schemas.
import { assert } from '../../../base/assert.ts';
import { isJsonArray, isJsonObject, objectOf, parseJson, type Json, type JsonObject } from '../../../base/json.ts';
import { didYouMean } from '../../../base/text/words.ts';
import { exitCodes, UsageError } from '../../process/exit-code.ts';
import { jsonPage } from '../../../render/machine/diagnostics-json.ts';
import type { Run } from '../../command.ts';
import { shippedSchema } from '../../authoring/shipped-schema.ts';

export const schemaNames: readonly string[] = ['desired-state', 'plan', 'result', 'event', 'drift'];

export const run: Run = async ({ io, words }) => {
  const name = words[0] ?? 'desired-state';
  if (!schemaNames.includes(name)) {
    const meant = didYouMean(name, schemaNames);
    throw new UsageError(
      `there is no schema "${name}"`,
      meant === undefined ? `Schemas: ${schemaNames.join(', ')}.` : `Did you mean ${meant}?`,
    );
  }
  const text = shippedSchema(`${name}.schema.json`);
  const own = parsed(text);
  const whole = wholeSchema(own, (file) => parsed(shippedSchema(file)));
  await io.stdout.write(whole === own ? text : jsonPage(whole));
  return exitCodes.done;
};

function parsed(text: string): JsonObject {
  const value = parseJson(text);
  assert(isJsonObject(value), 'a schema is not an object');
  return value;
}

/** The end of a reference to a shape in another file: `plan.schema.json#/$defs/PlanChange`. */
const FOREIGN = /^([a-z-]+\.schema\.json)#\/\$defs\/([^/]+)$/;
const OWN = /^#\/\$defs\/([^/]+)$/;

/** `schema` with every shape that it uses from other files; `neighbour` reads a file. Shape names are unique across all files. */
function wholeSchema(schema: JsonObject, neighbour: (file: string) => JsonObject): JsonObject {
  const taken = new Map<string, Json>();
  const files = new Map<string, JsonObject>();
  const shapesOf = (file: string): Json => {
    const known = files.get(file) ?? neighbour(file);
    files.set(file, known);
    return known['$defs'] ?? {};
  };
  const take = (file: string, name: string): void => {
    if (taken.has(name)) return;
    const shapes = shapesOf(file);
    assert(isJsonObject(shapes) && shapes[name] !== undefined, `${file} has no shape ${name}`);
    // Noted before it is resolved, because the shapes that it refers to may refer back to it.
    taken.set(name, null);
    taken.set(name, localised(shapes[name], file));
  };
  /** The value with references to shapes in this schema; `home` is the file of the value, null for `schema` itself. */
  const localised = (value: Json, home: string | null): Json => {
    if (isJsonArray(value)) return value.map((item) => localised(item, home));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([key, member]): [string, Json] => {
      if (key !== '$ref' || typeof member !== 'string') return [key, localised(member ?? null, home)];
      const foreign = FOREIGN.exec(member);
      const file = foreign?.[1] ?? home;
      const name = foreign?.[2] ?? OWN.exec(member)?.[1];
      if (file === null || name === undefined) return [key, member];
      take(file, name);
      return [key, `#/$defs/${name}`];
    });
    return Object.fromEntries(entries);
  };
  const own = localised(schema, null);
  if (taken.size === 0 || !isJsonObject(own)) return schema;
  return { ...own, $defs: { ...objectOf(own['$defs']), ...Object.fromEntries(taken) } };
}
