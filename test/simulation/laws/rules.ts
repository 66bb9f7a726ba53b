// Laws on rules: a preview set changes only what carries its note, and a retention rule deletes only what it may.
import { parseDurationMs } from '../../../src/base/time/duration.ts';
import { matchesGlob } from '../../../src/model/address.ts';
import { markOf, memberOf, type MemberSet, type RetentionRule } from '../../../src/model/desired.ts';
import type { LedgerEntry } from '../../../src/control-plane/index.ts';
import { RULE, SET } from '../rule-worlds.ts';
import type { RunRecord } from '../world/run.ts';
import { groupOf, groupsOf, ownEntries, shown, type OwnEntry, type Shown, type Story } from './story.ts';

interface Facts extends OwnEntry {
  readonly story: Story;
  /** The address of the step that asked for it. */
  readonly address: string;
  readonly notes: Shown;
}

/** I39: a rule touches only what it may, as it was when the request arrived. */
export function ruleViolations(story: Story): readonly string[] {
  return story.runs.flatMap((run) => {
    const [set, rule] = [run.desired?.projects[0]?.sets?.[0], run.desired?.projects[0]?.retention?.[0]];
    if (set === undefined || rule === undefined) return [];
    const entries = ownEntries(story).flatMap((own): readonly Facts[] => {
      const { request, entry } = own;
      if (own.run !== run || entry.kind !== 'branch') return [];
      const [step] = groupsOf(run).get(groupOf(request.method, request.path, request.body)) ?? [];
      return [{ ...own, story, address: step?.address ?? '', notes: notesOf(story, entry.id) }];
    });
    const found = entries.flatMap((one) => {
      const { address, request, entry } = one;
      // A renewal at the end of a run is in no plan.
      const isOfSet = address.startsWith(`${SET}/`) || (address === '' && entry.verb === 'PATCH');
      const problem = isOfSet
        ? setProblem(one, set)
        : address.startsWith(`${RULE}/`)
          ? ruleProblem(one, rule)
          : `no rule asks for it (${address})`;
      return problem === null ? [] : [`${request.method} ${entry.path}: ${problem}`];
    });
    return [...found, ...massProblems(entries, { story, run, set, rule })].map((words) => `run ${run.run}: ${words}`);
  });
}

/** The notes that a branch has from its beginning to its end: nobody can change them. */
function notesOf(story: Story, id: string): Shown {
  const native = nativeBranches(story).find((one) => one.id === id);
  if (native !== undefined) return shown(native.annotation_value);
  const made = ownEntries(story).find(({ entry }) => entry.id === id && entry.before === null);
  return shown(shown(JSON.parse(made?.request.body ?? '{}'))['annotation_value']);
}

function nativeBranches({ workload }: Story) {
  return (workload.world.projects ?? []).flatMap(({ branches = [] }) => branches);
}

function setProblem({ story, entry, notes, address }: Facts, set: MemberSet): string | null {
  const key = keyOf(address);
  const projectId = shown(entry.before ?? entry.after)['project_id'];
  if (notes['trueup.set'] !== markOf(String(projectId), set.name)) return 'it is not of the set';
  if (entry.verb !== 'DELETE') {
    if (entry.verb === 'PATCH' || set.keys.includes(key)) return null;
    return 'its key is not listed';
  }
  if (set.gone !== 'delete') return 'members of this set stay';
  if (set.keys.includes(key)) return 'its key is listed';
  return keptProblem(story, entry) ?? youngProblem(entry, set.graceMs);
}

function keyOf(address: string): string {
  return address.slice(SET.length + 1);
}

function ruleProblem({ story, entry, notes }: Facts, rule: RetentionRule): string | null {
  const { name } = shown(entry.before);
  if (entry.verb !== 'DELETE') return 'a retention rule only deletes';
  if (Object.keys(notes).some((note) => note.startsWith('trueup.'))) return 'it has a note';
  if (!rule.match.some((glob) => matchesGlob(glob, String(name)))) return 'its name does not match';
  if (rule.keep.includes(String(name))) return 'its name is in `keep`';
  if (!(story.workload.allow ?? []).some(({ address }) => address === `${RULE}/**`)) return 'nobody let it go';
  return keptProblem(story, entry) ?? youngProblem(entry, rule.olderThanMs) ?? busyProblem(story, entry, rule);
}

/** From so many branches on, the loss of more than half is a mistake. */
const MANY = 4;

interface Ruled {
  readonly story: Story;
  readonly run: RunRecord;
  readonly set: MemberSet;
  readonly rule: RetentionRule;
}

/** A list that may have failed removes neither all members nor more than half of many; and no rule removes more than its `max`. */
function massProblems(entries: readonly Facts[], { story, run, set, rule }: Ruled): readonly string[] {
  const dropped = (rules: string): readonly Facts[] =>
    entries.filter(({ entry, address }) => entry.verb === 'DELETE' && address.startsWith(`${rules}/`));
  const old = dropped(RULE);
  const lost = dropped(SET).filter(({ address }) => !set.closed.includes(keyOf(address)));
  const isAllowed = (story.workload.allow ?? []).some(({ address }) => address.startsWith(`${SET}/`));
  const there = [...namesAt(story, run)];
  const closed = new Set(
    set.closed.filter((key) => !set.keys.includes(key)).map((key) => memberOf(set, key)[0]?.spec['name']),
  );
  const mark = markOf(run.desired?.projects[0]?.id ?? '', set.name);
  const members = there.filter(([id, name]) => notesOf(story, id)['trueup.set'] === mark && !closed.has(name));
  const named = there.filter(([, name]) => rule.match.some((glob) => matchesGlob(glob, name)));
  const isMost = (some: readonly unknown[], all: readonly unknown[]): boolean =>
    all.length >= MANY && some.length * 2 > all.length;
  const isAll = lost.length > 0 && lost.length >= members.length;
  return [
    ...(old.length > rule.max ? [`the rule removed ${old.length} branches`] : []),
    // A list that is not true shows other members.
    ...(story.leniency.serverLies || isAllowed || !(isAll || isMost(lost, members))
      ? []
      : [`the set lost ${lost.length} of ${members.length} members`]),
    ...(story.leniency.serverLies || !rule.isKeepGiven || !isMost(old, named)
      ? []
      : [`the rule removed ${old.length} of ${named.length} branches`]),
  ];
}

/** The branches that were there while the plan of a run was made, each with its name. */
function namesAt(story: Story, run: RunRecord): ReadonlyMap<string, string> {
  const names = new Map(nativeBranches(story).map(({ id = '', name }) => [id, name]));
  for (const { kind, id, atMs, after } of story.site.plane.ledger().slice(0, run.plannedAtSeq)) {
    if (kind !== 'branch') continue;
    if (after !== null) names.set(id, String(shown(after)['name']));
    else if (atMs < (run.reviewed ?? run).startedMs) names.delete(id);
  }
  return names;
}

function keptProblem({ site }: Story, { id, seq, before }: LedgerEntry): string | null {
  const { default: isDefault, protected: isProtected } = shown(before);
  if (isDefault === true || isProtected === true) return 'it is default or protected';
  const later = new Set(
    site.plane
      .ledger()
      .filter((one) => one.seq > seq && one.before === null)
      .map((one) => one.id),
  );
  const child = site.plane.truth.branches().find((one) => one.parentId === id && !later.has(one.id));
  return child === undefined ? null : `${child.id} is its child`;
}

function youngProblem({ atMs, before }: LedgerEntry, leastMs: number): string | null {
  const ageMs = atMs - Date.parse(String(shown(before)['created_at']));
  return ageMs >= leastMs ? null : `it is only ${ageMs} ms old`;
}

/** The uses that the story began with; what is started meanwhile may be seen too late by a request on its way. */
function busyProblem(
  { site, workload }: Story,
  { id, atMs }: LedgerEntry,
  { idleForMs }: RetentionRule,
): string | null {
  const computes = (workload.world.projects ?? []).flatMap((project) => project.computes ?? []);
  const starts = site.plane.ledger().filter((one) => one.atMs < atMs && one.path.endsWith('/start'));
  const sinceMs = atMs - (site.time.nowMs - site.time.clockOf().monotonicMs());
  const busy = computes
    .filter(({ branch }) => branch === id)
    .find((one) => {
      const startMs = starts.findLast(({ path }) => path.endsWith(`/${one.id}/start`))?.atMs;
      if (startMs !== undefined) return atMs - startMs < idleForMs;
      const agoMs = parseDurationMs((one.last_active ?? '').replace('-', ''));
      return one.current_state === 'active' || agoMs === undefined || agoMs + sinceMs < idleForMs;
    });
  return busy === undefined ? null : `${busy.id} was active`;
}

/** At the end each listed key has a branch with the note of the set, and no other member is old enough to be left; except where the plan says why. */
export function memberDifferences({ site }: Story, { desired, plan, startedMs }: RunRecord): readonly string[] {
  const set = desired?.projects[0]?.sets?.[0];
  if (set === undefined) return [];
  const said = (plan?.changes ?? []).filter(({ blockedBy }) => blockedBy.length > 0);
  const listed = new Map(set.keys.map((key) => [memberOf(set, key)[0]?.spec['name'], memberOf(set, key)[0]?.address]));
  return site.plane.truth.branches().flatMap(({ id, name, projectId, annotations = {}, createdMs }) => {
    const isMember = annotations['trueup.set'] === markOf(projectId, set.name);
    const isOld = startedMs - createdMs >= set.graceMs;
    const isRight = listed.has(name) ? isMember : !(isMember && isOld && set.gone === 'delete');
    const isSaid = said.some(({ resourceId, address }) => resourceId === id || address === listed.get(name));
    return isRight || isSaid ? [] : [`${name} (${id}) ${isMember ? 'is still a member' : 'is not of the set'}`];
  });
}
