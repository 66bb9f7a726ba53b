// Projects in a file: their keys, their meaning, and the checks without the API.
import { isJsonObject, textOf, type JsonObject } from '../../../base/json.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection } from '../../../config/kind-section.ts';
import { addAttributes } from '../../shared/problems.ts';
import { PLACE, attributes } from '../attributes.ts';
import { checkProjects } from './checks.ts';
import { entryProblems } from './entry.ts';
import { writtenProjects } from './written.ts';

const ATTRIBUTES = ['history_retention_seconds', 'default_endpoint_settings', 'settings'];

export const section: KindSection = {
  ...PLACE,
  meaning,
  check: checkProjects,
  written: writtenProjects,
};

/** The option `name` is the name of a project that may be created. */
function meaning(entry: Entry): EntryMeaning {
  const { value } = entry;
  const problems: EntryProblem[] = [...entryProblems(entry)];
  const spec: Record<string, JsonObject[string]> = {};
  const apiName = textOf(value['name']) ?? entry.name;
  if (isNameManaged(value)) spec['name'] = apiName;
  if (value['state'] === 'absent') return { spec, options: {}, problems };
  const { create } = value;
  const chosen = isJsonObject(create) ? Object.entries(create).filter(([, one]) => one !== null) : [];
  Object.assign(spec, Object.fromEntries(chosen));
  addAttributes(spec, { value, names: ATTRIBUTES, kind: { attributes } }, problems);
  return {
    spec,
    options: create === undefined ? {} : { name: apiName },
    problems,
  };
}

/** If an id tells which project is meant, another name does not rename it. */
function isNameManaged(value: JsonObject): boolean {
  return value['id'] === undefined || value['renamed_from'] !== undefined;
}
