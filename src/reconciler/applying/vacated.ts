// Finds slots of capacity one that had a resource when the run began and have none after it.
import { compareText } from '../../base/json.ts';
import { groupBy } from '../../base/group-by.ts';
import { kindOf } from '../../kinds/index.ts';
import type { DesiredState, ResourceId } from '../../model/desired.ts';
import { placedBy, slotWordsOf } from '../../model/attributes.ts';
import { leavingOf, wordsIn } from '../../plan/order/outlook.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveState } from '../../model/live.ts';
import type { Vacated } from '../../model/outcome/result.ts';

const HINT = 'If the plan did not ask for this, run trueup apply again to finish the move.';

/** The slots that are empty in the last reading that shows their project completely; slots of ids that the run `removed`, or that no longer exist, do not count. */
export function leftSlots(
  desired: DesiredState,
  before: LiveState,
  after: readonly LiveState[],
  removed: ReadonlySet<ResourceId>,
): readonly Vacated[] {
  const labels = new Map(before.projects.map(({ id, label }) => [id, label]));
  const slotsIn = ({ resources }: LiveState): ReadonlyMap<string, Vacated & { readonly projectId: string | null }> =>
    new Map(
      resources.flatMap(({ kind, projectId, spec }) => {
        const rules = kindOf(kind);
        const slot = slotWordsOf(rules);
        if (slot === undefined || rules.place(spec) === null) return [];
        const project = desired.projects.find(({ label }) => label === labels.get(projectId ?? '')) ?? null;
        const id = String(spec[placedBy(rules)?.attribute ?? '']);
        const words = wordsIn(leavingOf(rules, spec, { project })).join('; ');
        const message = `${words}, unlike at the start of this run`;
        const diagnostic = { severity: 'warning', code: slot.left, message, hint: HINT } as const;
        return [[JSON.stringify([projectId, id]), { id, diagnostic, projectId }]];
      }),
    );
  const looks = after.map((live) => ({ live, read: readIn(live), filled: slotsIn(live) }));
  return [...slotsIn(before)]
    .filter(([key, { id, projectId }]) => {
      const last = looks.findLast(({ read }) => read.has(projectId));
      return last?.filled.has(key) === false && !isGone(id, before, last.live);
    })
    .flatMap(([, { id, diagnostic, projectId }]) =>
      removed.has(id) || removed.has(projectId ?? '') ? [] : [{ id, diagnostic }],
    )
    .sort((a, b) => compareText(a.id, b.id));
}

/** True if both readings show the kind of a resource, and only the earlier one shows the resource: it may have expired. */
function isGone(id: ResourceId, before: LiveState, { resources }: LiveState): boolean {
  const one = before.resources.find((resource) => resource.id === id);
  const alike = resources.filter(({ kind, projectId }) => kind === one?.kind && projectId === one.projectId);
  return alike.length > 0 && alike.every((resource) => resource.id !== id);
}

/** The projects that a reading shows completely; a project without any of its contents does not count. */
function readIn({ projects, resources, unread }: LiveState): ReadonlySet<string | null> {
  const read = new Set<string | null>(projects.map(({ id }) => id));
  for (const [id, own] of groupBy(resources, ({ projectId }) => projectId ?? ''))
    if (own.every(({ kind }) => kind === PROJECT)) read.delete(id);
  for (const { projectId, part } of unread) if (part === undefined) read.delete(projectId);
  return read;
}
