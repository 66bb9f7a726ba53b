// Computes in the file: what may be written, what it means, and what can be checked without the API.
import { isJsonObject, objectOf, textOf, type Json, type JsonObject } from '../../../base/json.ts';
import { millisecondsOf } from '../../../base/time/clock.ts';
import { parseDurationMs } from '../../../base/time/duration.ts';
import type { KindSection, Entry, EntryMeaning, EntryProblem } from '../../../config/kind-section.ts';
import type { ResourceId } from '../../../model/desired.ts';
import { branchIdOf, branchTextOf, unknownBranch } from '../../shared/branch-labels.ts';
import { addAttributes, error } from '../../shared/problems.ts';
import { writableOf } from '../../../model/attributes.ts';
import type { Reference } from '../../../model/reference.ts';
import { PLACE, attributes } from '../attributes.ts';
import { checkComputes } from './checks.ts';
import { entryProblems } from './entry.ts';
import { writtenComputes } from './written.ts';

const managedAttributes = writableOf({ attributes }).filter((name) => !['branch_id', 'type'].includes(name));
/** What of something that shall be absent tells which one is meant. */
const IDENTIFYING = ['name'];
const NOTHING = {};
const BY_LABEL = { branch_id: 'branch' };

export const section: KindSection = {
  ...PLACE,
  meaning: meaningOf,
  check: checkComputes,
  written: writtenComputes,
};

function meaningOf(entry: Entry): EntryMeaning {
  const { value } = entry;
  const problems: EntryProblem[] = [];
  const branch = (name: Json | undefined, ...path: readonly string[]): ResourceId | Reference | null => {
    if (typeof name !== 'string') return null;
    const id = branchIdOf(name, entry.project);
    if (id === null) problems.push(unknownBranch(name, entry.project, path));
    return id;
  };
  const branchId = branch(value['branch'], 'branch') ?? textOf(value['branch_id']);
  const absent = value['state'] === 'absent';
  const spec: Record<string, Json> = {};
  addPlace(spec, value, branchId);
  // Nothing is renamed to have none: it says what a new one is given.
  const isUnnamed = value['name'] === null;
  const names = (absent ? IDENTIFYING : managedAttributes).filter((name) => name !== 'name' || !isUnnamed);
  addAttributes(spec, { value, names, kind: { attributes } }, problems);
  const lifecycle = objectOf(value['lifecycle']);
  const movedFrom = branchTextOf(branch(value['moved_from'], 'moved_from'));
  const restart = isJsonObject(value['restart']) ? restartOf(value['restart'], problems) : null;
  problems.push(...entryProblems(entry, { branchId: branchTextOf(branchId), movedFrom, spec }));
  return {
    spec,
    options: optionsOf(absent ? null : restart, isUnnamed),
    movedFrom,
    via: branchTextOf(branch(lifecycle['via'], 'lifecycle', 'via')),
    places: value['branch'] === undefined ? NOTHING : BY_LABEL,
    problems,
  };
}

function optionsOf(restart: JsonObject | null, isUnnamed: boolean): JsonObject {
  if (restart === null && !isUnnamed) return NOTHING;
  return { ...(restart === null ? {} : { restart }), ...(isUnnamed ? { named: false } : {}) };
}

/** Branch and type: what identifies a compute without a pin. With a pin alone nothing is said of them. */
function addPlace(spec: Record<string, Json>, value: JsonObject, branchId: ResourceId | Reference | null): void {
  if (branchId !== null) spec['branch_id'] = branchId;
  const type = textOf(value['type']) ?? (value['id'] !== undefined && branchId === null ? null : 'read_write');
  if (type !== null) spec['type'] = type;
}

/** Since when it must have started: `{ notBeforeMs, maxAgeMs }`, each only where it is written. */
function restartOf(restart: JsonObject, problems: EntryProblem[]): JsonObject {
  const options: Record<string, Json> = {};
  const { not_before: notBefore, max_age: maxAge } = restart;
  const notBeforeMs = millisecondsOf(notBefore);
  if (notBeforeMs !== null) options['notBeforeMs'] = notBeforeMs;
  if (typeof maxAge === 'string' || typeof maxAge === 'number') {
    const ms = parseDurationMs(maxAge);
    if (ms !== undefined && ms >= 60_000) options['maxAgeMs'] = ms;
    else
      problems.push(
        error(['restart', 'max_age'], 'bad_duration', 'expected a duration of at least one minute', {
          hint: 'For example 7d.',
        }),
      );
  }
  return options;
}
