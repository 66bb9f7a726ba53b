// Slots of capacity one that a resource held when the run began and none holds now, as the last reading after the run shows.
import { compareText } from '../../base/json.ts';
import { groupBy } from '../../base/group-by.ts';
import { kindOf } from '../../kinds/index.ts';
import type { DesiredState } from '../../model/desired.ts';
import { placedBy, slotWordsOf } from '../../model/attributes.ts';
import { leavingOf, wordsIn } from '../../plan/order/outlook.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource, LiveState } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { StepResult, Vacated } from '../../model/outcome/result.ts';
import { isWell } from '../../apply/judge/verify.ts';

interface Slot {
  /** The name of the slot in results. */
  readonly id: string;
  readonly key: string;
  readonly code: string;
  /** States that nobody holds the slot. */
  readonly emptyWords: string;
  readonly projectId: string | null;
}

/** By the last reading that shows the project completely. Without a slot that a step removed, also with its project. */
export function leftSlots(
  desired: DesiredState,
  { steps, outcomes }: { readonly steps: readonly Step[]; readonly outcomes: readonly StepResult[] },
  [before, ...after]: readonly [LiveState, ...LiveState[]],
): readonly Vacated[] {
  const slotOf = slotsOf(desired, before);
  const slotsIn = (live: LiveState): readonly Slot[] => live.resources.flatMap((one) => slotOf(one) ?? []);
  const done = new Set(outcomes.flatMap(({ id, outcome }) => (isWell(outcome) ? [id] : [])));
  const removed = new Set(
    steps.flatMap(({ id, achieves, expects }) =>
      achieves === null && expects.state === 'present' && done.has(id) ? [expects.id] : [],
    ),
  );
  const looks = after.map((live) => ({ read: readIn(live), filled: new Set(slotsIn(live).map(({ key }) => key)) }));
  const isLeft = ({ id, key, projectId }: Slot): boolean =>
    looks.findLast(({ read }) => read.has(projectId))?.filled.has(key) === false &&
    !(removed.has(id) || removed.has(projectId ?? ''));
  return slotsIn(before)
    .filter(isLeft)
    .map(({ id, code, emptyWords }): Vacated => {
      const message = `${emptyWords}, unlike at the start of this run`;
      return { id, diagnostic: { severity: 'warning', code, message, hint: HINT } };
    })
    .sort((a, b) => compareText(a.id, b.id));
}

/** Slots in their kinds' words, with the names that the files give. */
function slotsOf(desired: DesiredState, { projects }: LiveState): (live: LiveResource) => Slot | null {
  const labels = new Map(projects.map(({ id, label }) => [id, label]));
  const declared = new Map(desired.projects.map((project) => [project.label, project]));
  return ({ kind, projectId, spec }) => {
    const rules = kindOf(kind);
    const slot = slotWordsOf(rules);
    if (slot === undefined || rules.place(spec) === null) return null;
    const project = declared.get(labels.get(projectId ?? '') ?? '') ?? null;
    const id = String(spec[placedBy(rules)?.attribute ?? '']);
    const emptyWords = wordsIn(leavingOf(rules, spec, { project })).join('; ');
    return { id, key: JSON.stringify([projectId, id]), code: slot.left, emptyWords, projectId };
  };
}

/** The projects that a reading shows completely: not those of which only the project itself was read. */
function readIn({ projects, resources, unread }: LiveState): ReadonlySet<string | null> {
  const read = new Set<string | null>(projects.map(({ id }) => id));
  for (const [id, own] of groupBy(resources, ({ projectId }) => projectId ?? ''))
    if (own.every(({ kind }) => kind === PROJECT)) read.delete(id);
  for (const { projectId, part } of unread) if (part === undefined) read.delete(projectId);
  return read;
}

const HINT = 'If the plan did not ask for this, run trueup apply again to finish the move.';
