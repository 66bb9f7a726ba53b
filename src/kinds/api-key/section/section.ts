// API keys in a file: their keys, their meaning, and the checks without the API.
import { compareText, isJsonObject, textOf, type Json, type JsonObject } from '../../../base/json.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection, WrittenEntry } from '../../../config/kind-section.ts';
import { confusableForm, nameProblem } from '../../../config/check/names.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LiveResource } from '../../../model/live.ts';
import { PLACE, DEFAULT_OVERLAP_MS } from '../live-key.ts';
import { ACCOUNT, ORGANIZATION } from '../variant.ts';
import { clashOf, error } from '../../shared/problems.ts';
import { targetsOf } from '../../shared/secret-places.ts';
import { durationOf, rotationIn } from '../../shared/secret-rotation.ts';

export const section: KindSection = {
  ...PLACE,
  attributes: ACCOUNT.attributes,
  meaning,
  check: checkKeys,
  written: (wanted) => wanted.toSorted(byNameAndAge).map(writtenKey),
};

/** A key of an organization names it, and may name the one project that the key opens. */
export const organizationSection: KindSection = {
  ...section,
  ...ORGANIZATION.place,
  attributes: ORGANIZATION.attributes,
  meaning(entry) {
    const own = meaning(entry);
    const { org, project } = entry.value;
    const isLabel = typeof project === 'string' && entry.projects.includes(project);
    return {
      ...own,
      spec: {
        ...own.spec,
        ...(org === undefined ? {} : { org_id: org }),
        ...(project === undefined ? {} : { project_id: isLabel ? { ref: project, field: 'id' } : project }),
      },
    };
  },
  written: (wanted) =>
    wanted.toSorted(byNameAndAge).map((live) => {
      const { org_id: org = null, project_id: project } = live.spec;
      const written = writtenKey(live);
      const identity = { ...written.identity, org, ...(project === undefined ? {} : { project }) };
      return { ...written, identity };
    }),
};

/** The id is a number if a double holds it exactly, else its digits. Names are not unique, so each key has one. */
function writtenKey({ id, spec }: LiveResource): WrittenEntry {
  const number = Number(id);
  const identity = { id: Number.isSafeInteger(number) && String(number) === id ? number : id };
  return { id, name: String(spec['name'] ?? ''), isApiName: true, identity, attributes: {} };
}

function byNameAndAge(a: LiveResource, b: LiveResource): number {
  const byName = compareText(String(a.spec['name']), String(b.spec['name']));
  return byName || (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || compareText(a.id, b.id);
}

function meaning({ name, value }: Entry): EntryMeaning {
  const problems: EntryProblem[] = [];
  const apiName = textOf(value['name']) ?? name;
  const problem = nameProblem(apiName);
  if (problem !== null) problems.push(error(['name'], 'bad_name', problem));
  const secret = targetsOf(value['secret'], 'secret', problems);
  const options: Record<string, Json> = { secret };
  if (isJsonObject(value['rotate'])) {
    options['rotate'] = rotationOf(value['rotate'], problems);
    if (value['secret'] === undefined) problems.push(needsSecret);
  }
  return {
    spec: { name: apiName },
    options: value['state'] === 'absent' ? { secret: [] } : options,
    problems,
  };
}

function rotationOf(rotate: JsonObject, problems: EntryProblem[]): JsonObject {
  const when = rotationIn(rotate, 'keys', problems);
  const { everyMs } = when;
  const overlapMs = durationOf(rotate['overlap']) ?? DEFAULT_OVERLAP_MS;
  if (everyMs !== undefined && overlapMs >= everyMs)
    problems.push(
      error(
        ['rotate', rotate['overlap'] === undefined ? 'every' : 'overlap'],
        'overlap_too_long',
        'the overlap must be shorter than the time between rotations, or old keys pile up',
        { hint: 'Make `overlap` shorter than `every` (the default overlap is 7d).' },
      ),
    );
  return { ...when, overlapMs, revoke: textOf(rotate['revoke']) ?? 'when_unused' };
}

const needsSecret = error(
  ['rotate'],
  'rotate_needs_secret',
  'a rotation creates new keys, and no `secret` names a sink for their values',
  { hint: 'Write for example `secret: { file: NAME.json }`.', atKey: true, missing: true },
);

/** Finds names that the API could not tell apart. */
function checkKeys(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const seen = new Map<string, DesiredResource>();
  const found: Diagnostic[] = [];
  for (const resource of resources) {
    const { name } = resource.spec;
    const form = confusableForm(String(name));
    const first = seen.get(form);
    if (first === undefined) seen.set(form, resource);
    else if (first.pin === null || resource.pin === null || first.spec['name'] !== name)
      found.push(
        clashOf(first, resource, {
          at: 'name',
          code: first.spec['name'] === name ? 'duplicate_name' : 'confusable_name',
          message: `${first.address} and ${resource.address} have the same name, or names that differ only in case`,
          hint: 'Rename one of the keys, or give each key its `id:` where the API really has two keys of one name.',
        }),
      );
  }
  return found;
}
