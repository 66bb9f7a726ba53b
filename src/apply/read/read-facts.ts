// Reads what kinds must know besides their lists: sinks, the journal, and further requests.
import type { JsonObject } from '../../base/json.ts';
import type { LiveState, Unread } from '../../model/live.ts';
import { failureOf } from '../../client/failure.ts';
import { addressesIn, type KindName } from '../../model/desired.ts';
import { makePlan } from '../../plan/make-plan.ts';
import type { FactsInput, KindRemote } from '../kind-remote.ts';
import { isToRead, type ReadLiveInput, neededFor, templatesFor, touching } from './read-input.ts';
import { isUnbornProject } from './find-projects.ts';

type FactsReading = Omit<ReadLiveInput, 'needHistory' | 'livePlaces' | 'untold'>;

/** The section of an account-wide kind that is to be read; null if the command does not need it. */
export function accountSection(kind: KindName, input: FactsReading, declared: readonly string[]): string | null {
  const section = input.desired.resources.find((resource) => resource.kind === kind)?.scope;
  if (section !== undefined) return touching(declared, input)(section) ? section : null;
  return input.desired.accountPrune.includes(kind) && input.target.length === 0 ? kind : null;
}

/** If a request for a project fails, the other projects still get their facts. */
export async function readFacts(
  input: FactsReading,
  {
    projects,
    resources,
    unread,
    listed,
  }: Pick<LiveState, 'projects' | 'resources' | 'unread'> & Required<Pick<FactsInput, 'listed'>>,
): Promise<Pick<LiveState, 'facts' | 'unread'>> {
  const { desired: files, kinds, reader, signal, sinks, orphans, clock, target, exclude, allow = [] } = input;
  const { known = null, once = false } = input;
  const declared = addressesIn(files);
  const ruling = files.projects.filter((project) => templatesFor(input, project).length > 0);
  const ruled = ruling.flatMap(({ label }) => {
    const own = files.resources.filter(({ scope }) => scope === label);
    const project = projects.find((one) => one.label === label);
    return project === undefined ? [] : (input.ruled?.(own, project, resources) ?? []);
  });
  const needed = [...neededFor(input, files.resources), ...ruled];
  const pause = async (ms: number): Promise<number> => {
    await clock.sleep(ms, signal);
    return clock.nowMs();
  };
  const shared = {
    kinds,
    reader,
    signal,
    sinks,
    orphans,
    listed,
    around: resources,
    projects: projects.filter((project) => !isUnbornProject(project)),
    prunedIn: files.projects.flatMap(({ label, prune }) => (prune === false ? [] : [label])),
    ...(once ? {} : { looks: { nowMs: clock.nowMs(), allow, target, exclude, plan: makePlan, pause } }),
  };
  const facts = new Map<KindName, JsonObject>();
  const unknown: Unread[] = [];
  for (const kind of kinds) {
    if (kind.facts === undefined) continue;
    const isOfAccount = kind.parent === null;
    const before = isOfAccount && !isToRead(known, null) ? known?.live.facts.get(kind.kind) : undefined;
    if (before !== undefined) {
      facts.set(kind.kind, before);
      continue;
    }
    const desired = needed.filter(
      (one) =>
        one.kind === kind.kind && !unread.some((gap) => gap.kind === kind.kind && gap.what.startsWith(`${one.scope}/`)),
    );
    const isAsked = isOfAccount ? accountSection(kind.kind, input, declared) !== null : desired.length > 0;
    if (!isAsked || (isOfAccount && unread.some(({ what }) => what === (desired[0]?.scope ?? kind.kind)))) continue;
    const live = resources.filter((one) => one.kind === kind.kind);
    const pruned = files.accountPrune.includes(kind.kind);
    const asked = await factsOfMost(kind, { ...shared, desired, live, pruned });
    if (asked.facts !== null) facts.set(kind.kind, asked.facts);
    unknown.push(...asked.unread);
  }
  return { facts, unread: unknown };
}

/**
 * The facts without those of a project whose request failed; the path of the request names the project. Any other path concerns the
 * projects still to be created, or an account-wide kind. Rejects if nothing can be left out.
 */
async function factsOfMost(
  kind: KindRemote,
  input: FactsInput,
): Promise<{ readonly facts: JsonObject | null; readonly unread: readonly Unread[] }> {
  try {
    return { facts: (await kind.facts?.(input)) ?? null, unread: [] };
  } catch (error) {
    const { path, message: reason } = failureOf(error);
    const silent = input.projects.find(({ id }) => `${path}/`.startsWith(`/projects/${id}/`));
    const labels = new Set(input.projects.map(({ label }) => label));
    const isSilent = (scope: string): boolean => (silent === undefined ? !labels.has(scope) : scope === silent.label);
    const scopes = new Set(input.desired.flatMap(({ scope }) => (isSilent(scope) ? [scope] : [])));
    if (scopes.size === 0) throw error;
    const unread = [...scopes].map((what): Unread => ({ what, projectId: silent?.id ?? null, reason }));
    const rest = await factsOfMost(kind, {
      ...input,
      projects: input.projects.filter((project) => project !== silent),
      desired: input.desired.filter(({ scope }) => !scopes.has(scope)),
    });
    return { ...rest, unread: [...rest.unread, ...unread] };
  }
}
