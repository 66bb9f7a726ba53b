// Laws on rules: a preview set changes only what carries its note, and a retention rule deletes only what it may.
import { parseDurationMs } from '../../../src/base/time/duration.ts';
import { matchesGlob } from '../../../src/model/address.ts';
import type { LedgerEntry, World } from '../../../src/control-plane/index.ts';
import type { DesiredState, MemberSet, RetentionRule } from '../../../src/model/desired.ts';
import { RULE, SET } from '../rule-worlds.ts';
import { groupOf, groupsOf, ownEntries, shown, type OwnEntry, type Story } from './story.ts';

type Branch = NonNullable<NonNullable<World['projects']>[number]['branches']>[number];

/** I39: a rule touches only what it may, as it was when the request arrived. */
export function ruleViolations(story: Story, desired: DesiredState): readonly string[] {
  const [project] = desired.projects;
  const [set, rule] = [project?.sets?.[0], project?.retention?.[0]];
  if (set === undefined || rule === undefined) return [];
  const natives = new Map(
    (story.workload.world.projects ?? []).flatMap(({ branches = [] }) => branches.map((one) => [one.id ?? '', one])),
  );
  return ownEntries(story).flatMap((own) => {
    const { entry, request, run } = own;
    if (entry.kind !== 'branch' || entry.before === null) return [];
    const native = natives.get(entry.id) ?? null;
    const steps = groupsOf(run).get(groupOf(request.method, request.path, request.body)) ?? [];
    const [address = ''] = steps.map((step) => step.address);
    const facts = { story, own, native };
    const problem = address.startsWith(`${SET}/`)
      ? setProblem(facts, set, address.slice(SET.length + 1))
      : address.startsWith(`${RULE}/`)
        ? ruleProblem(facts, rule)
        : `no rule asks for it (${address})`;
    return problem === null ? [] : [`run ${run.run}: ${request.method} ${entry.path}: ${problem}`];
  });
}

interface Facts {
  readonly story: Story;
  readonly own: OwnEntry;
  /** The branch as the story began; null for one that was made since. */
  readonly native: Branch | null;
}

function setProblem({ story, own: { entry }, native }: Facts, set: MemberSet, key: string): string | null {
  const { 'trueup.set': mark = null } = native?.annotation_value ?? {};
  if (native !== null && mark !== `${String(shown(entry.before)['project_id'])}/${set.name}`)
    return 'it is not of the set';
  if (native === null && !isMadeByRun(story, entry)) return 'somebody else made it';
  if (entry.verb !== 'DELETE') return null;
  if (set.gone !== 'delete') return 'members of this set stay';
  if (set.keys.includes(key)) return 'its key is listed';
  return keptProblem(story, entry) ?? youngProblem(entry, set.graceMs);
}

function ruleProblem({ story, own: { entry }, native }: Facts, rule: RetentionRule): string | null {
  const { name } = shown(entry.before);
  if (entry.verb !== 'DELETE') return 'a retention rule only deletes';
  if (native === null && isMadeByRun(story, entry)) return 'a run made it';
  if (Object.keys(native?.annotation_value ?? {}).some((note) => note.startsWith('trueup.'))) return 'it has a note';
  if (!rule.match.some((glob) => matchesGlob(glob, String(name)))) return 'its name does not match';
  if (rule.keep.includes(String(name))) return 'its name is in `keep`';
  if (!(story.workload.allow ?? []).some(({ address }) => address === `${RULE}/**`)) return 'nobody let it go';
  return keptProblem(story, entry) ?? youngProblem(entry, rule.olderThanMs) ?? busyProblem(story, entry, rule);
}

function isMadeByRun(story: Story, { id }: LedgerEntry): boolean {
  return ownEntries(story).some(({ entry }) => entry.id === id && entry.verb === 'POST' && entry.before === null);
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
function busyProblem({ workload }: Story, { id }: LedgerEntry, { idleForMs }: RetentionRule): string | null {
  const computes = (workload.world.projects ?? []).flatMap((project) => project.computes ?? []);
  const busy = computes
    .filter(({ branch }) => branch === id)
    .find((one) => {
      const agoMs = parseDurationMs((one.last_active ?? '').replace('-', ''));
      return one.current_state === 'active' || agoMs === undefined || agoMs < idleForMs;
    });
  return busy === undefined ? null : `${busy.id} was active`;
}
