// Laws on guesses: a replica that nothing but a guess ties to a label is not touched where another one could be meant.
import { canonicalJson } from '../../../src/base/json.ts';
import { presentCompute } from '../../../src/control-plane/resources/compute/record.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import { groupOf, groupsOf, ownEntries, shown, type OwnEntry, type Shown, type Story } from './story.ts';

export function guessViolations(story: Story, desired: DesiredState): readonly string[] {
  const { serverLies, othersWrite, lateCommits } = story.leniency;
  if (serverLies || othersWrite || lateCommits) return [];
  return ownEntries(story).flatMap((one) => guessed(story, desired, one));
}

const DISTURBING = ['branch_id', 'disabled'] as const;
/** What replicas are told apart by, besides their ids. */
const LOOKS = [
  'autoscaling_limit_min_cu',
  'autoscaling_limit_max_cu',
  'suspend_timeout_seconds',
  'pooler_enabled',
  'pooler_mode',
  'passwordless_access',
  'disabled',
  'settings',
] as const;

/** I30: a replica that only a guess ties to a label is neither removed nor disturbed where another one could be meant as well. */
function guessed(story: Story, desired: DesiredState, one: OwnEntry): readonly string[] {
  const { entry, run, request } = one;
  const before = shown(entry.before);
  if (entry.kind !== 'compute' || before['type'] !== 'read_only') return [];
  const branch = before['branch_id'];
  const there = replicasAt(story, run.startedMs).filter((other) => other['branch_id'] === branch);
  const nameOf = ({ name, spec }: DesiredState['resources'][number]): unknown => spec['name'] ?? name;
  const declared = desired.resources.filter(
    ({ kind, pin, absent, spec }) =>
      kind === 'compute' && pin === null && !absent && spec['type'] === 'read_only' && spec['branch_id'] === branch,
  );
  const labels = declared.filter((one) => !there.some(({ name }) => name === nameOf(one)));
  const isNamed =
    desired.resources.some(({ pin }) => pin === entry.id) || declared.some((one) => nameOf(one) === before['name']);
  if (labels.length === 0 || isNamed) return [];
  if (entry.verb === 'DELETE')
    return [`run ${run.run}: ${entry.path} was removed, and ${labels[0]?.address} may be it`];
  const isDisturbed =
    entry.restarted || entry.droppedConnections || DISTURBING.some((name) => before[name] !== shown(entry.after)[name]);
  if (!isDisturbed) return [];
  const twins = there.filter(
    (other) =>
      other['id'] !== entry.id &&
      !story.workload.yaml.includes(String(other['id'])) &&
      LOOKS.every((name) => canonicalJson(other[name] ?? null) === canonicalJson(before[name] ?? null)),
  );
  // The same asked of all is no guess.
  const spared = twins.filter((twin) => {
    const path = request.path.replace(entry.id, String(twin['id']));
    return !groupsOf(run).has(groupOf(request.method, path, request.body));
  });
  return spared.map((twin) => `run ${run.run}: ${entry.path} was disturbed, and ${String(twin['id'])} looks the same`);
}

/** The replicas as they were at a time, told by the ledger. */
function replicasAt({ site }: Story, atMs: number): readonly Shown[] {
  const states = new Map<string, unknown>();
  for (const { kind, id, before, after, atMs: whenMs } of site.plane.ledger()) {
    if (kind !== 'compute') continue;
    if (whenMs < atMs) states.set(id, after);
    else if (!states.has(id)) states.set(id, before);
  }
  for (const compute of site.plane.truth.computes())
    if (!states.has(compute.id)) states.set(compute.id, presentCompute(compute));
  return [...states.values()].flatMap((state) => {
    const one = shown(state);
    return one['type'] === 'read_only' ? [one] : [];
  });
}
