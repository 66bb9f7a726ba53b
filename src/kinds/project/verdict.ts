// Changes and removals of a project that the service would refuse, and its contents.
import { asPart } from '../../model/address.ts';
import { arrayOf, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { valueAt } from '../../model/paths.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Contents, LiveResource } from '../../model/live.ts';
import type { KindRules } from '../../plan/kind-rules.ts';
import { keptBy, lastUseOf, namedWords, stakeOf } from '../shared/last-use.ts';
import { vanishedWords } from '../shared/vanished.ts';
import { canonical } from './attributes.ts';

export const projectVerdict: KindRules['verdict'] = ({ desired, live, context: { facts } }) => {
  const { spec } = desired;
  const notes = [...turnedBack(spec, live?.spec ?? {}), ...unfinished(spec, live?.spec ?? {})];
  const diagnostics = live === null && !desired.absent ? elsewhere(desired, facts) : [];
  const { pin, options } = desired;
  const gone = { pin, names: [options['name']], isHere: () => true, pathOf: (id: string) => `/projects/${id}` };
  const lost = live === null ? { vanished: vanishedWords(facts['gone'], gone) } : {};
  return { intents: [], notes, diagnostics, blockedBy: notes.length === 0 ? [] : ['refused'], ...lost };
};

/** A project in an organization that this run does not list would be created by every run. */
function elsewhere(
  { address, options, spec, sources, source }: DesiredResource,
  facts: JsonObject,
): readonly Diagnostic[] {
  const { org_id: org } = spec;
  if (typeof org !== 'string') return [];
  const listed = facts['org_id'];
  const others = arrayOf(facts['elsewhere']).filter(isJsonObject);
  const isThere = others.some((one) => one['org_id'] === org && one['name'] === options['name']);
  if (typeof listed === 'string' ? listed === org : !isThere) return [];
  return [
    {
      severity: 'error',
      code: 'other_organization',
      message:
        typeof listed === 'string'
          ? `${address} is declared in ${org}, but this run lists the projects of ${listed}`
          : `${org} has a project named ${JSON.stringify(options['name'])}, but this run does not list the projects there`,
      hint: `Pass --org-id ${org}, or correct create.org_id.`,
      address,
      range: sources['org_id'] ?? source,
    },
  ];
}

/** Settings that stay on for good, with their values when off. */
const FOR_GOOD_ONCE_ON: readonly (readonly [path: string, off: Json])[] = [
  ['settings.enable_logical_replication', false],
  ['settings.hipaa', false],
  ['settings.audit_log_level', 'base'],
];

function turnedBack(desired: JsonObject, live: JsonObject): readonly string[] {
  return FOR_GOOD_ONCE_ON.flatMap(([path, off]) => {
    const segments = path.split('.');
    if (valueAt(desired, segments) !== off || canonical(path, valueAt(live, segments)) === off) return [];
    return [`${path} cannot be reverted: remove it from the file, or write the live value`];
  });
}

const WINDOW = ['settings', 'maintenance_window'];
const WINDOW_MEMBERS = ['weekdays', 'start_time', 'end_time'];

/** The service replaces the window as a whole, so each member must be known. */
function unfinished(desired: JsonObject, live: JsonObject): readonly string[] {
  if (valueAt(desired, WINDOW) === undefined) return [];
  const missing = WINDOW_MEMBERS.filter((member) =>
    [desired, live].every((spec) => (valueAt(spec, [...WINDOW, member]) ?? null) === null),
  );
  if (missing.length === 0) return [];
  return [`settings.maintenance_window lacks ${listOf(missing)}: write all keys of the window`];
}

/** The service deletes no project with a protected branch ("Projects"). */
export const removalGuard: NonNullable<KindRules['removalGuard']> = (_live, { around }) =>
  keptBy(
    [true, null].flatMap((isSo) => {
      const branches = of(around, 'branch').filter(({ spec }) => (spec['protected'] ?? null) === isSo);
      if (branches.length === 0) return [];
      const [names = ''] = namedWords(
        'branch',
        'branches',
        branches.map(({ spec }) => String(spec['name'])),
      );
      const is = branches.length === 1 ? 'is' : 'are';
      return {
        isSo,
        why: `${names} ${is} protected: write \`protected: false\` there first, and apply that change`,
        unknown: `the service does not show whether ${names} ${is} protected`,
      };
    }),
  );

export function of(around: readonly LiveResource[], kind: string): readonly LiveResource[] {
  return around.filter((one) => one.kind === kind);
}

export const contents: Contents = {
  kinds: ['branch', 'compute', 'role', 'database'],
  of: (_live, around) => around.filter(({ kind }) => contents.kinds.includes(kind)),
  stake: (_live, around) => stakeOf(computesIn(around), of(around, 'branch')),
  lastUse: (_live, around) => lastUseOf(computesIn(around)),
};

export function computesIn(around: readonly LiveResource[]): readonly LiveResource[] {
  return of(around, 'compute');
}

/** Everything in it: `the branches main and staging`, `the compute ep-…`, `the databases main/orders`. */
export function contentsWords(around: readonly LiveResource[]): readonly string[] {
  const branches = of(around, 'branch');
  const names = new Map(branches.map(({ id, spec }) => [id, asPart(String(spec['name']))]));
  const below = (kind: string): readonly string[] =>
    of(around, kind).map(
      ({ parentId = '', spec }) => `${names.get(parentId) ?? parentId}/${asPart(String(spec['name']))}`,
    );
  return [
    ...namedWords('branch', 'branches', [...names.values()]),
    ...namedWords(
      'compute',
      'computes',
      computesIn(around).map(({ id }) => id),
    ),
    ...namedWords('role', 'roles', below('role')),
    ...namedWords('database', 'databases', below('database')),
  ];
}
