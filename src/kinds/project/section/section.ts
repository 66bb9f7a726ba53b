// Projects in the file: what may be written of them, what it means, and what can be checked without the API.
import { isJsonObject, textOf, type JsonObject } from '../../../base/json.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection } from '../../../config/kind-section.ts';
import { addAttributes } from '../../shared/problems.ts';
import { PLACE, attributes } from '../attributes.ts';
import { checkProjects } from './checks.ts';
import { entryProblems } from './entry.ts';
import { writtenProjects } from './written.ts';

/** What can be compared and changed. */
const ATTRIBUTES = ['history_retention_seconds', 'default_endpoint_settings', 'settings'];

export const section: KindSection = {
  ...PLACE,
  meaning,
  check: checkProjects,
  written: writtenProjects,
};

/** Options: `name`, what it is called where it is created. */
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

/** Of a project that its id tells, another name does not ask to rename it. */
function isNameManaged(value: JsonObject): boolean {
  return value['id'] === undefined || value['renamed_from'] !== undefined;
}
