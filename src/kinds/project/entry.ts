// Projects in the file: the mistakes that can be found without the API.
import { groupBy } from '../../base/group-by.ts';
import { arrayOf, isJsonObject, objectOf, type Json, type JsonObject } from '../../base/json.ts';
import type { CheckContext, Entry, EntryProblem } from '../../config/kind-section.ts';
import { errorAt, writtenAt, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import { firstContentsOf } from './first-contents.ts';
import { spanOf } from './attributes.ts';
import { badName, contradictions, error, sizesProblem } from '../shared/problems.ts';

export function entryProblems({ name, value }: Entry): readonly (EntryProblem | false | null)[] {
  const { settings, create, renamed_from: former } = value;
  const { maintenance_window: window, allowed_ips: allowed } = objectOf(settings);
  // An absent project is deleted without earlier changes, so only these keys make sense.
  const beside = Object.keys(value).filter((key) => !['id', 'name', 'state', 'lifecycle'].includes(key));
  return [
    ...contradictions(value, [['state', 'absent', beside]]),
    create !== undefined && isJsonObject(window) && windowProblem(window),
    badName(former, ['renamed_from']) ??
      (former !== undefined && former === (value['name'] ?? name) && RENAMED_TO_ITSELF),
    sizesProblem(objectOf(value['default_endpoint_settings']), ['default_endpoint_settings']),
    ...arrayOf(objectOf(allowed)['ips']).map(addressProblem),
  ];
}

const RENAMED_TO_ITSELF = error(
  ['renamed_from'],
  'contradiction',
  '`renamed_from` equals the present name of the project',
  'Remove `renamed_from`, or write the new name as `name:`.',
);

/** A new project has no live maintenance window that could supply missing members, so the entry must give every member. */
function windowProblem(window: JsonObject): EntryProblem | null {
  const missing = ['weekdays', 'start_time', 'end_time'].filter((member) => window[member] === undefined);
  if (missing.length === 0) return null;
  const names = missing.map((one) => `\`${one}\``).join(' and ');
  const message = `the maintenance window of a new project lacks ${names}`;
  return error(['settings', 'maintenance_window'], 'window_unfinished', message, undefined, { atKey: true });
}

function addressProblem(rule: Json, at: number): EntryProblem | null {
  if (typeof rule !== 'string') return null;
  const path = ['settings', 'allowed_ips', 'ips', at];
  const shown = JSON.stringify(rule);
  const span = spanOf(rule);
  if (span === null)
    return error(
      path,
      'bad_address',
      `${shown} is not an address, a CIDR range or a range FROM-TO`,
      'For example 203.0.113.7, 203.0.113.0/24 or 203.0.113.1-203.0.113.9.',
    );
  if (!span.isWithin) return null;
  const message = `${shown} allows not only this address, but every address of its network`;
  const hint = 'Write the first address of the network, or remove the `/` part to allow this address alone.';
  return { ...error(path, 'network_around', message, hint), severity: 'warning' };
}

export function checkProjects(
  resources: readonly DesiredResource[],
  { all, projects }: CheckContext,
): readonly Diagnostic[] {
  const contents = all.filter(({ kind }) => kind !== PROJECT);
  const below = groupBy(contents, ({ scope }) => scope);
  const kept = new Set(projects.flatMap(({ label, prune }) => (prune === false ? [label] : [])));
  return resources.flatMap((project): readonly Diagnostic[] => {
    const own = below.get(project.scope) ?? [];
    if (project.absent) return own.slice(0, 1).map((one) => goesAsWell(project, one));
    const isPrunedNew = !kept.has(project.scope) && project.options['name'] !== undefined;
    return isPrunedNew && firstContentsOf(own).compute === null ? [unlistedPrimary(project)] : [];
  });
}

function goesAsWell(project: DesiredResource, other: DesiredResource): Diagnostic {
  const message = `${project.address} has state: absent, but ${other.address} belongs to that project`;
  const hint = 'Remove the resources of the project from the file: they are deleted with it.';
  const related = [{ message: '`state: absent` is written here', range: writtenAt(project, 'state') }];
  return errorAt(other, '', 'contradiction', message, hint, { related });
}

function unlistedPrimary(project: DesiredResource): Diagnostic {
  const message = `${project.address} may be created, and \`prune\` would then delete the primary of its default branch`;
  const hint = 'Declare the default branch (`default: true`) and its primary, or remove `prune`.';
  return errorAt(project, 'create', 'prune_of_first_primary', message, hint);
}
