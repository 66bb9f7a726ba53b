// Branches in the file: what may be written, what it means, and what can be checked without the API.
import { isoTime, millisecondsOf } from '../../../base/time/clock.ts';
import { isJsonObject, textOf, type Json, type JsonObject } from '../../../base/json.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection } from '../../../config/kind-section.ts';
import { branchIdOf, unknownBranch } from '../../shared/branch-labels.ts';
import { error } from '../../shared/problems.ts';
import { PLACE, attributes } from '../attributes.ts';
import { normaliseAt } from '../../../model/attributes.ts';
import { checkBranches } from './checks.ts';
import { entryProblems } from './entry.ts';
import { writtenBranches } from './written.ts';

export const section: KindSection = {
  ...PLACE,
  meaning,
  check: checkBranches,
  written: writtenBranches,
};

/** Options: `disposable`, where it may go without further consent. */
function meaning(entry: Entry): EntryMeaning {
  const { value, name, project } = entry;
  const problems: EntryProblem[] = [];
  const origin = originOf(value['from']);
  const parent = origin.branch === null ? null : branchIdOf(origin.branch, project);
  if (origin.branch !== null && parent === null) problems.push(unknownBranch(origin.branch, project, ['from']));
  problems.push(...entryProblems(entry));
  const isAbsent = value['state'] === 'absent';
  // It is a root of its own, and no child of the one whose schema it takes.
  const parentKey = !isAbsent && value['init_source'] === 'schema-only' ? 'schema_of' : 'parent_id';
  const apiName = textOf(value['name']) ?? name;
  return {
    spec: {
      name: apiName,
      ...(parent === null ? {} : { [parentKey]: parent }),
      ...(isAbsent ? {} : attributesOf(value, origin.moment, problems)),
    },
    options: value['disposable'] === true ? { disposable: true } : {},
    movedFrom: textOf(value['renamed_from']),
    // Cleared as a lease, it is the expiry that ends.
    places: { [parentKey]: 'from', ttl_seconds: 'ttl', ...(clears(value) ? { expires_at: 'ttl' } : {}) },
    problems,
  };
}

/** To clear the one is to clear the other: the service keeps one expiry. */
function clears({ ttl, expires_at: at }: JsonObject): boolean {
  return ttl === null && (at ?? null) === null;
}

interface Origin {
  readonly branch: string | null;
  /** Of the parent's history, in the words of the request that makes the branch. */
  readonly moment: JsonObject;
}

function originOf(from: Json | undefined): Origin {
  if (typeof from === 'string') return { branch: from, moment: {} };
  if (!isJsonObject(from) || typeof from['branch'] !== 'string') return { branch: null, moment: {} };
  const { branch, at, lsn } = from;
  const atMs = millisecondsOf(at);
  return {
    branch,
    moment: {
      ...(atMs === null ? {} : { parent_timestamp: isoTime(atMs) }),
      ...(typeof lsn === 'string' ? { parent_lsn: lsn.toUpperCase() } : {}),
    },
  };
}

function attributesOf(value: JsonObject, moment: JsonObject, problems: EntryProblem[]): JsonObject {
  const spec: Record<string, Json> = { ...moment, ...(value['disposable'] === true ? { disposable: true } : {}) };
  for (const name of ['init_source', 'protected']) if (value[name] !== undefined) spec[name] = value[name];
  if (value['default'] === true) spec['default'] = true;
  for (const [written, attribute] of [
    ['ttl', 'ttl_seconds'],
    ['expires_at', 'expires_at'],
  ] as const) {
    const given = value[written];
    if (given === undefined) continue;
    const normal = normaliseAt({ attributes }, attribute, given);
    if ('value' in normal) spec[attribute] = normal.value;
    else problems.push(error([written], 'wrong_value', normal.problem));
  }
  if (spec['ttl_seconds'] === null) delete spec['ttl_seconds'];
  if (clears(value)) spec['expires_at'] = null;
  if (spec['ttl_seconds'] !== undefined && spec['expires_at'] === null) delete spec['expires_at'];
  return spec;
}
