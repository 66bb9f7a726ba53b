// What is in a resource when its removal is about to be sent: whoever reviewed the plan agreed to lose what it shows, and nothing that came in since.
import { listOf, plural } from '../../base/text/words.ts';
import type { KindName } from '../../model/desired.ts';
import { PROJECT, type ScopeId } from '../../model/kind.ts';
import type { Contents, LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { kindOf, type Run } from '../run/run.ts';
import type { Assessment } from './assess.ts';
import type { Age } from './world.ts';

const NAMED = 3;

/** What is older than this by the time that all lists have come is read once more: a list had to be asked for again, or there are many. */
const OLD_MS = 1000;
/** So many at most: of more than these, which would be old again by the end, those right below the target, where whatever is new shows first. */
const MOST_AGAIN = 16;

interface Placed {
  readonly kind: KindName;
  readonly parent: KindName;
}

/** Stale, where the removal would take something along that the plan does not know; else null. Rejects with `ApiFailure`. */
export async function grownSince(run: Run, step: Step, age: Age, signal: AbortSignal): Promise<Assessment | null> {
  const { expects } = step;
  const { contents } = kindOf(run, step);
  const target = run.use.world.lastSeen(step)?.find(({ id }) => expects.state === 'present' && id === expects.id);
  if (expects.state === 'absent' || expects.contains === undefined) return null;
  if (contents === undefined || target === undefined) return null;
  const known = new Set(expects.contains);
  const found = await contentsOf(run, step, { target, contents }, { age, signal });
  const strange = found.filter(({ id }) => !known.has(id));
  if (strange.length === 0) return null;
  const names = strange.slice(0, NAMED).map(({ kind, id, spec }) => `the ${kind} ${String(spec['name'] ?? id)}`);
  const more = strange.length - names.length;
  const words = listOf([...names, ...(more === 0 ? [] : [plural(more, 'other')])]);
  return { state: 'stale', reason: `${expects.id} holds what the plan does not know: ${words}` };
}

/** The same judgement, by lists that are read now. */
export async function grownByNow(run: Run, step: Step): Promise<Assessment | null> {
  const nowMs = run.use.clock.monotonicMs();
  return grownSince(run, step, { afterMs: nowMs, sinceMs: nowMs, beforeWrites: true }, run.use.signals.requests);
}

/** What the target contains, by the lists of its project and those below what it holds. */
async function contentsOf(
  { use: { clock, world, kinds: known } }: Run,
  { projectId }: Step,
  { target, contents: { kinds, of } }: { readonly target: LiveResource; readonly contents: Contents },
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
  const startedMs = clock.monotonicMs();
  const around = await read(direct, age);
  const below = belowThese(around);
  const inside = await read(below, age);
  if (clock.monotonicMs() - startedMs <= OLD_MS) return of(target, [...around, ...inside]);
  const fresh = { ...age, sinceMs: Math.max(age.sinceMs, clock.monotonicMs() - OLD_MS) };
  const insideNow = below.length <= MOST_AGAIN ? await read(below, fresh) : inside;
  return of(target, [...(await read(direct, { ...fresh, sinceMs: clock.monotonicMs() })), ...insideNow]);
}
