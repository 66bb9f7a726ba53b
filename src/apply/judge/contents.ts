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

/** Where one list took so much longer than another, it had to be asked for again, and the other is old by then. */
const UNEVEN_MS = 100;
/** So often it is looked, where the lists come so unevenly each time. */
const MOST_LOOKS = 3;

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
  const found = await inOneLook(run, age, async (list) =>
    contentsOf(run, step, { target, contents }, async (scope) => list(scope, signal)),
  );
  const strange = found.filter(({ id }) => !known.has(id));
  if (strange.length === 0) return null;
  const names = strange.slice(0, NAMED).map(({ kind, id, spec }) => `the ${kind} ${String(spec['name'] ?? id)}`);
  const more = strange.length - names.length;
  const words = listOf([...names, ...(more === 0 ? [] : [plural(more, 'other')])]);
  return { state: 'stale', reason: `${expects.id} holds what the plan does not know: ${words}` };
}

type ListOf = (scope: ScopeId, signal: AbortSignal) => Promise<readonly LiveResource[]>;

/** What `read` finds by lists that were all read at about the same time. */
async function inOneLook<T>({ use: { clock, world } }: Run, age: Age, read: (list: ListOf) => Promise<T>): Promise<T> {
  for (let looks = 1, fresh = age; ; looks++) {
    const tookMs: number[] = [];
    const found = await read(async (scope, signal) => {
      const startedAtMs = clock.monotonicMs();
      const resources = await world.list(scope, fresh, signal);
      tookMs.push(clock.monotonicMs() - startedAtMs);
      return resources;
    });
    if (looks === MOST_LOOKS || Math.max(...tookMs) - Math.min(...tookMs) <= UNEVEN_MS) return found;
    fresh = { ...age, sinceMs: clock.monotonicMs() };
  }
}

/** The same judgement, by lists that are read now. */
export async function grownByNow(run: Run, step: Step): Promise<Assessment | null> {
  const nowMs = run.use.clock.monotonicMs();
  return grownSince(run, step, { afterMs: nowMs, sinceMs: nowMs, beforeWrites: true }, run.use.signals.requests);
}

/** What the target contains, by the lists of its project and those below what it holds. */
async function contentsOf(
  run: Run,
  { projectId }: Step,
  { target, contents: { kinds, of } }: { readonly target: LiveResource; readonly contents: Contents },
  list: (scope: ScopeId) => Promise<readonly LiveResource[]>,
): Promise<readonly LiveResource[]> {
  const places = kinds.map((kind) => ({ kind, parent: run.use.kinds.get(kind)?.remote.parent ?? PROJECT }));
  const isDirect = ({ parent }: Placed): boolean => [PROJECT, target.kind].includes(parent);
  const direct = places.filter(isDirect).map(({ kind, parent }) => ({
    kind,
    projectId,
    ...(parent === PROJECT ? {} : { parentId: target.id }),
  }));
  const around = (await Promise.all(direct.map(list))).flat();
  const below = places
    .filter((place) => !isDirect(place))
    .flatMap(({ kind, parent }) =>
      around.flatMap((one) => (one.kind === parent ? [{ kind, projectId, parentId: one.id }] : [])),
    );
  return of(target, [...around, ...(await Promise.all(below.map(list))).flat()]);
}
