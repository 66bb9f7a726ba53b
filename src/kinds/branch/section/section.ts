// Branches in the file: what may be written, what it means, and what can be checked without the API.
import { isoTime, millisecondsOf } from '../../../base/time/clock.ts';
import { parseDurationMs } from '../../../base/time/duration.ts';
import { isJsonObject, textOf, type Json, type JsonObject } from '../../../base/json.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection, Normalised } from '../../../config/kind-section.ts';
import { branchIdOf, unknownBranch } from '../../shared/branch-labels.ts';
import { error } from '../../shared/problems.ts';
import { PLACE } from '../live-branch.ts';
import { checkBranches } from './checks.ts';
import { entryProblems } from './entry.ts';
import { writtenBranches } from './written.ts';

/** The service takes no longer lease ("expires_at": at most 30 days ahead). */
const MAX_TTL_SECONDS = 30 * 86_400;

export const section: KindSection = {
  ...PLACE,
  hasPins: true,
  hasLabels: true,
  clears: ['ttl', 'expires_at'],
  attributes: ['name', 'default', 'protected', 'ttl_seconds', 'expires_at'],
  meaning,
  normalise,
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
    const normal = normalise(written, given);
    if ('value' in normal) spec[attribute] = normal.value;
    else problems.push(error([written], 'wrong_value', normal.problem));
  }
  if (spec['ttl_seconds'] === null) delete spec['ttl_seconds'];
  if (clears(value)) spec['expires_at'] = null;
  if (spec['ttl_seconds'] !== undefined && spec['expires_at'] === null) delete spec['expires_at'];
  return spec;
}

function normalise(path: string, value: Json): Normalised {
  switch (path) {
    case 'name':
      return typeof value === 'string' ? { value } : { problem: 'expected the name of a branch' };
    case 'default':
    case 'protected':
      return typeof value === 'boolean' ? { value } : { problem: 'expected true or false' };
    case 'ttl':
    case 'ttl_seconds':
      return value === null ? { value } : leaseSeconds(value);
    case 'expires_at': {
      if (value === null) return { value };
      const ms = millisecondsOf(value);
      return ms === null ? { problem: 'expected a time with its zone, or a date' } : { value: isoTime(ms) };
    }
    default:
      return { problem: `${path} is not an attribute that can differ` };
  }
}

function leaseSeconds(value: Json): Normalised {
  const ms = typeof value === 'number' || typeof value === 'string' ? parseDurationMs(value) : undefined;
  if (ms === undefined) return { problem: 'expected a duration such as 12h or 14d' };
  const seconds = ms / 1000;
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_TTL_SECONDS)
    return { problem: `a ttl is 1 s to 30 d, in whole seconds; this is ${seconds} s` };
  return { value: seconds };
}
