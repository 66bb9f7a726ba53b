// Collects variables: --var wins over --var-file, and --var-file over the environment.
import { isJsonObject, jsonExcess, parseJson, RefusedJson, type Json, type JsonObject } from '../../base/json.ts';
import type { Report } from '../report.ts';
import type { TextFile } from '../yaml/source-tree.ts';
import type { Variable, Variables } from '../yaml/variables.ts';

/** Texts by variable name; the names in `env` have no prefix TRUEUP_VAR_. */
export interface VariableTexts {
  readonly flags: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
}

/** Later files win. Each file is plain JSON, or the output of `terraform output -json`. */
export function collectVariables(texts: VariableTexts, files: readonly TextFile[], report: Report): Variables {
  const variables = new Map<string, Variable>();
  for (const [name, value] of texts.env) variables.set(name, plain(value));
  for (const file of files) for (const [name, variable] of readVariables(file, report)) variables.set(name, variable);
  for (const [name, value] of texts.flags) variables.set(name, plain(value));
  return variables;
}

const SHAPE = 'Give a JSON object of names and values, or the output of `terraform output -json`.';

function readVariables(file: TextFile, report: Report): readonly (readonly [string, Variable])[] {
  const refuse = (problem: string, hint?: string): readonly [] => {
    report.add('variable_file', `${file.file} ${problem}`, { text: file, start: 0, end: 0 }, { hint });
    return [];
  };
  const excess = jsonExcess(file.text);
  if (excess !== null) return refuse(`cannot be read: ${excess}`);
  let value: Json;
  try {
    value = parseJson(file.text);
  } catch (error) {
    return error instanceof RefusedJson
      ? refuse(`cannot be read: ${error.message}`)
      : refuse('is not valid JSON', SHAPE);
  }
  if (!isJsonObject(value)) return refuse('holds no JSON object', SHAPE);
  return Object.entries(value).map(([name, member]) => [name, isOutput(member) ? outputOf(member) : plain(member)]);
}

/** True for an output of Terraform, such as `{ "sensitive": false, "type": "string", "value": "…" }`. */
function isOutput(member: Json): member is JsonObject {
  return isJsonObject(member) && 'value' in member && ('type' in member || 'sensitive' in member);
}

function outputOf(member: JsonObject): Variable {
  return { value: member['value'] ?? null, sensitive: member['sensitive'] === true };
}

function plain(value: Json): Variable {
  return { value, sensitive: false };
}
