// Laws on what a write rests on: its target was as planned a look before it, and one wish for a restart restarts once.
import type { LedgerEntry } from '../../../src/control-plane/index.ts';
import { canonicalJson, type Json } from '../../../src/base/json.ts';
import { groupOf, groupsOf, ownEntries, shown, type OwnEntry, type Story } from './story.ts';

export function writeViolations(story: Story): readonly string[] {
  const { serverLies, lateCommits, brokenOperations, othersWrite } = story.leniency;
  const own = ownEntries(story);
  if (serverLies || lateCommits || story.site.slow) return [];
  return [
    ...own.flatMap((one) => [...overwrote(story, one), ...tookAlong(story, own, one)]),
    ...(brokenOperations || othersWrite ? [] : restartedTwice(own)),
  ];
}

/** Between the look and the write, milliseconds: a look that several removals share, and one that creates and updates share. */
const REMOVAL_LOOK_MS = 100;
const LOOK_MS = 2100;
/** How unevenly the lists of what is in a branch or a project may come before they are read again. */
const UNEVEN_MS = 100;

/** I31: what somebody else changed before the last look is neither overwritten, removed, moved nor restarted. */
function overwrote({ site }: Story, { entry, request, run }: OwnEntry): readonly string[] {
  if (entry.kind !== 'compute' || entry.before === null) return [];
  const steps = groupsOf(run).get(groupOf(request.method, request.path, request.body)) ?? [];
  const change = run.plan?.changes.find(({ address }) => steps.some((step) => step.address === address));
  const planned = change?.before ?? null;
  if (planned === null) return [];
  // What an earlier step of the run was to make is expected, whoever has made it.
  const isExpected = (name: string): boolean =>
    (run.plan?.steps ?? []).some(
      ({ expects, achieves }) =>
        expects.state === 'present' &&
        expects.id === entry.id &&
        achieves !== null &&
        name in achieves &&
        isEqual(shown(entry.before)[name], achieves[name]),
    );
  const written = Object.keys(shown(request.body === null ? {} : shown(JSON.parse(request.body))['endpoint']));
  const isGentle = entry.verb === 'PATCH' && !written.includes('branch_id');
  const facts = isGentle ? written : ['branch_id', 'type', ...written];
  return facts.flatMap((name) => {
    if (!(name in planned) || isEqual(shown(entry.before)[name], planned[name]) || isExpected(name)) return [];
    const setter = site.plane
      .ledger()
      .findLast(
        ({ id, seq, before, after }) =>
          id === entry.id && seq < entry.seq && !isEqual(shown(before)[name], shown(after)[name]),
      );
    if (
      setter === undefined ||
      site.wire.some(({ requestId, run: by }) => requestId === setter.requestId && by === run.run)
    )
      return [];
    const sinceMs = request.atMs - setter.atMs;
    if (sinceMs <= (isGentle ? LOOK_MS : REMOVAL_LOOK_MS)) return [];
    return [`run ${run.run}: ${entry.verb} ${entry.path} though ${name} had been changed ${sinceMs} ms before`];
  });
}

function idOf({ id, after }: LedgerEntry): string {
  return String(shown(after)['id'] ?? id);
}

/** I38: what came into a branch or a project before the last look, and after its plan, does not go with it. */
function tookAlong({ site }: Story, own: readonly OwnEntry[], { entry, request, run }: OwnEntry): readonly string[] {
  if (entry.verb !== 'DELETE' || !['branch', 'project'].includes(entry.kind)) return [];
  const known = (run.plan?.steps ?? []).flatMap(({ expects }) =>
    'contains' in expects ? Object.keys(expects.contains ?? {}) : [],
  );
  const before = site.plane.ledger().filter(({ seq }) => seq < entry.seq);
  const isIn = ({ path, after }: LedgerEntry): boolean =>
    path.includes(`/${entry.id}/`) || shown(after)['branch_id'] === entry.id;
  return before
    .filter((one) => one.verb === 'POST' && one.before === null && one.after !== null && isIn(one))
    .filter(
      ({ id, seq, path }) =>
        !before.some(
          (later) => later.id === id && later.seq > seq && later.after === null && later.path.startsWith(path),
        ),
    )
    .filter((one) => !known.some((id) => id === idOf(one) || id.endsWith(`/${idOf(one)}`)))
    .filter((one) => !own.some((ours) => ours.run === run && ours.entry === one))
    .filter(({ atMs }) => request.atMs - atMs > UNEVEN_MS + REMOVAL_LOOK_MS)
    .map(({ id, atMs }) => `run ${run.run}: ${entry.path} took ${id} along, made ${request.atMs - atMs} ms before`);
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  const plain = (value: Json | undefined): string => canonicalJson(value === 300 ? 0 : (value ?? null));
  return plain(one) === plain(other);
}

/** I32: a time that a file asks for restarts a compute once, whichever run does it. */
function restartedTwice(own: readonly OwnEntry[]): readonly string[] {
  const restarts = own.filter(({ request }) => request.path.endsWith('/restart'));
  return restarts.flatMap(({ entry, run }, at) =>
    restarts.slice(0, at).some((other) => other.entry.id === entry.id)
      ? [`run ${run.run}: ${entry.path} for the second time`]
      : [],
  );
}
