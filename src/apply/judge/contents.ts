// Compares the contents of a resource that a step removes with those that the plan showed: a reviewer agreed to lose these alone.
import { textOf } from '../../base/json.ts';
import { bytesWords, listOf, plural } from '../../base/text/words.ts';
import type { KindName } from '../../model/desired.ts';
import { PROJECT, type ScopeId } from '../../model/kind.ts';
import type { Contents, LiveResource, Stake } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { kindOf, targetsOf, type Run } from '../run/run.ts';
import type { Age } from './world.ts';

const NAMED = 3;

/** Lists that took so long together are read once more: the first of them are old by then. */
const OLD_MS = 1000;

interface Placed {
  readonly kind: KindName;
  readonly parent: KindName;
}

/** How the contents differ from the plan, in words, null if they do not; reads the lists that show them. Rejects with `ApiFailure`. */
export async function grownSince(run: Run, step: Step, age: Age, signal: AbortSignal): Promise<string | null> {
  const { expects } = step;
  const { contents } = kindOf(run, step);
  const listed = run.use.world.lastSeen(step) ?? [];
  const target = listed.find(({ id }) => expects.state === 'present' && id === expects.id);
  if (contents === undefined || target === undefined || expects.state === 'absent' || expects.contains === undefined)
    return null;
  const around = await readAround(run, step, { target, contents }, { age, signal });
  return grownIn(run, step, listed, { around, isReview: false });
}

/**
 * The same by what was read already. With `isReview`, data that grew or was used since the plan is a difference too: only before the first
 * write, because the run's own requests count as use.
 */
export function grownIn(
  run: Run,
  step: Step,
  listed: readonly LiveResource[],
  { around, isReview }: { readonly around: readonly LiveResource[]; readonly isReview: boolean },
): string | null {
  const { expects } = step;
  const { contents } = kindOf(run, step);
  const target = listed.find(({ id }) => expects.state === 'present' && id === expects.id);
  if (expects.state === 'absent' || expects.contains === undefined) return null;
  if (contents === undefined || target === undefined) return null;
  const known = new Map(Object.entries(expects.contains));
  const changed = contents.of(target, around).filter((one) => known.get(one.id) !== textOf(one.spec['name']));
  const strange = step.achieves === null ? changed : strangersAmong(run, step, changed);
  if (strange.length === 0) {
    const then = isReview ? expects.stake : undefined;
    const more = then === undefined ? null : changedStake(then, contents.stake(target, around));
    return more === null ? null : `${expects.id} ${more} since the plan was made`;
  }
  const names = strange.slice(0, NAMED).map(({ kind, id, spec }) => {
    const former = known.get(id);
    const was = former === undefined ? 'new' : former === null ? 'without a name in the plan' : `formerly ${former}`;
    return `the ${kind} ${textOf(spec['name']) ?? id} (${was})`;
  });
  const more = strange.length - names.length;
  const words = listOf([...names, ...(more === 0 ? [] : [plural(more, 'other')])]);
  return `the contents of ${expects.id} changed since the plan was made: ${words}`;
}

/** All but what the plan itself changes or makes there. Each creation accounts for one of its kind and name, since lists may be ahead of replies. */
function strangersAmong(
  { known: { claims }, use: { plan } }: Run,
  { address, expects }: Step,
  changed: readonly LiveResource[],
): readonly LiveResource[] {
  const target = expects.state === 'present' ? expects.id : null;
  const isIn = (one: Step): boolean =>
    one.address.startsWith(`${address}/`) || Object.values(one.achieves ?? {}).includes(target);
  const creations = plan.steps.filter((one) => one.action === 'create' && isIn(one));
  const nameIn = ({ achieves }: Step): string | null => textOf(achieves?.['name']);
  const isMade = ({ kind, spec }: LiveResource): boolean => {
    const alike = creations.filter((one) => one.kind === kind);
    const named = alike.find((one) => nameIn(one) !== null && nameIn(one) === textOf(spec['name']));
    const made = named ?? alike.find((one) => nameIn(one) === null);
    if (made !== undefined) creations.splice(creations.indexOf(made), 1);
    return made !== undefined;
  };
  const targets = targetsOf(plan.steps);
  const unknown = changed.filter(({ id }) => !targets.has(id));
  const [own, others] = [true, false].map((isOwn) => unknown.filter(({ id }) => claims.has(id) === isOwn));
  for (const one of own ?? []) isMade(one);
  return (others ?? []).filter((one) => !isMade(one));
}

/** The same judgement, by lists that are read now. */
export async function grownByNow(run: Run, step: Step): Promise<string | null> {
  const nowMs = run.use.clock.monotonicMs();
  return grownSince(run, step, { afterMs: nowMs, sinceMs: nowMs, beforeWrites: true }, run.use.signals.requests);
}

/** Data may grow by a tenth between a review and its apply. */
const GROWTH = 1.1;

/** The change of the data in words, null if the removal deletes no more than the plan shows. */
function changedStake(then: Stake, now: Stake): string | null {
  const isUsed = then.usedAt !== 'now' && now.usedAt !== null && now.usedAt > (then.usedAt ?? '');
  if (isUsed) return now.usedAt === 'now' ? 'came into use' : `was in use (${now.usedAt})`;
  if (now.version !== then.version) return 'was written to or reset';
  if (then.bytes === null || now.bytes === null || now.bytes <= then.bytes * GROWTH) return null;
  return `grew from ${bytesWords(then.bytes)} to ${bytesWords(now.bytes)}`;
}

/** Everything in the target and around it. */
async function readAround(
  { use: { clock, world, kinds: known } }: Run,
  { projectId }: Step,
  { target, contents: { kinds } }: { readonly target: LiveResource; readonly contents: Contents },
  { age, signal }: { readonly age: Age; readonly signal: AbortSignal },
): Promise<readonly LiveResource[]> {
  const places = kinds.map((kind) => ({ kind, parent: known.get(kind)?.remote.parent ?? PROJECT }));
  const isDirect = ({ parent }: Placed): boolean => [PROJECT, target.kind].includes(parent);
  const direct = places.filter(isDirect).map(({ kind, parent }) => ({
    kind,
    projectId,
    ...(parent === PROJECT ? {} : { parentId: target.id }),
  }));
  const read = async (scopes: readonly ScopeId[], own: Age): Promise<readonly LiveResource[]> =>
    (await Promise.all(scopes.map(async (scope) => world.list(scope, own, signal)))).flat();
  const belowThese = (around: readonly LiveResource[]): readonly ScopeId[] =>
    places
      .filter((place) => !isDirect(place))
      .flatMap(({ kind, parent }) =>
        around.flatMap((one) => (one.kind === parent ? [{ kind, projectId, parentId: one.id }] : [])),
      );
  const readAll = async (own: Age): Promise<readonly LiveResource[]> => {
    const around = await read(direct, own);
    return [...around, ...(await read(belowThese(around), own))];
  };
  const startedMs = clock.monotonicMs();
  const found = await readAll(age);
  const isOld = clock.monotonicMs() - startedMs > OLD_MS;
  return isOld ? readAll({ ...age, sinceMs: clock.monotonicMs() }) : found;
}
