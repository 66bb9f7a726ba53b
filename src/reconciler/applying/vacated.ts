// Slots of capacity one that somebody held when the run began and nobody holds now, as the reading after the run shows it.
import { compareText } from '../../base/json.ts';
import { groupBy } from '../../base/group-by.ts';
import { kindOf } from '../../kinds/index.ts';
import type { DesiredState } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource, LiveState } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { StepOutcome, StepResult, Vacated } from '../../model/outcome/result.ts';
import { isWell } from '../../apply/judge/verify.ts';

interface Slot {
  /** The name of the slot in results. */
  readonly id: string;
  readonly key: string;
  readonly code: string;
  /** States that nobody holds the slot. */
  readonly emptyWords: string;
  readonly holder: LiveResource;
}

/** Tells which slots are left; `after` is the reading after the run, null while there is none. */
export type LeftSlots = (outcomes: readonly StepResult[], after: LiveState | null) => readonly Vacated[];

/** `before`: the reading when the run began. */
export function leftSlots(desired: DesiredState, steps: readonly Step[], before: LiveState): LeftSlots {
  const slotOf = slotsOf(desired, before);
  let known: readonly Slot[] | null = null;
  return (outcomes, after) => {
    const held = (known ??= before.resources.flatMap((one) => slotOf(one) ?? []));
    if (held.length === 0) return [];
    const ends = new Map(outcomes.map(({ id, outcome }) => [id, outcome]));
    const endOf = ({ id }: Step): StepOutcome => ends.get(id) ?? 'pending';
    const removed = new Set(
      steps.flatMap((step) =>
        step.achieves === null && step.expects.state === 'present' && isWell(endOf(step)) ? [step.expects.id] : [],
      ),
    );
    const filled = new Set((after?.resources ?? []).flatMap((one) => slotOf(one)?.key ?? []));
    const wasRead = after === null ? (): boolean => false : wasReadIn(after);
    const begun = steps.filter((step) => BEGUN.has(endOf(step)));
    const takes = ({ kind, projectId, achieves }: Step, { holder, key }: Slot): boolean =>
      achieves !== null && slotOf({ ...holder, kind, projectId, spec: achieves })?.key === key;
    const mayHaveLeft = (slot: Slot): boolean =>
      !begun.some((step) => FILLED.has(endOf(step)) && takes(step, slot)) &&
      begun.some(({ kind, expects }) => {
        return kind === slot.holder.kind && expects.state === 'present' && expects.id === slot.holder.id;
      });
    return held
      .filter(({ id, holder }) => !removed.has(id) && !removed.has(holder.projectId ?? ''))
      .flatMap((slot): Vacated[] => {
        const isKnown = wasRead(slot.holder.projectId);
        return (isKnown ? !filled.has(slot.key) : mayHaveLeft(slot)) ? [vacated(slot, isKnown)] : [];
      })
      .sort((a, b) => compareText(a.id, b.id));
  };
}

const BEGUN: ReadonlySet<StepOutcome> = new Set(['running', 'done', 'failed', 'unknown', 'timed_out']);

/** A step that the service took has its effect, or may have it although an operation failed. */
const FILLED: ReadonlySet<StepOutcome> = new Set(['done', 'failed']);

/** Slots in their kinds' words, with the names that the files give. */
function slotsOf(desired: DesiredState, { projects }: LiveState): (live: LiveResource) => Slot | null {
  const labels = new Map(projects.map(({ id, label }) => [id, label]));
  const declared = new Map(desired.projects.map((project) => [project.label, project]));
  return (holder) => {
    const { kind, projectId, spec } = holder;
    const rules = kindOf(kind);
    if (rules.vacancy === undefined || rules.place(spec) === null) return null;
    const project = declared.get(labels.get(projectId ?? '') ?? '') ?? null;
    const { id, code, before: emptyWords } = rules.vacancy.of({ spec, project, until: null, isPassage: false });
    return { id, key: JSON.stringify([projectId, id]), code, emptyWords, holder };
  };
}

/** Tells of which projects a reading shows everything: not of one that was only looked at itself. */
function wasReadIn({ projects, resources, unread }: LiveState): (projectId: string | null) => boolean {
  const missing = new Set(unread.flatMap(({ projectId, part }) => (part === undefined ? [projectId] : [])));
  const found = groupBy(resources, ({ projectId }) => projectId ?? '');
  const isAlone = (id: string): boolean => found.get(id)?.every(({ kind }) => kind === PROJECT) ?? false;
  const read = new Set(projects.flatMap(({ id }) => (isAlone(id) ? [] : [id])));
  return (projectId) => projectId !== null && read.has(projectId) && !missing.has(projectId);
}

function vacated({ id, code, emptyWords }: Slot, isKnown: boolean): Vacated {
  const message = isKnown
    ? `${emptyWords}, and had one when this run began`
    : `possibly, ${emptyWords}: a step that moves or removes its holder began, and the account was not verified`;
  return { id, diagnostic: { severity: 'warning', code, message, hint: HINT } };
}

const HINT = 'If the plan did not ask for this, run trueup apply again to finish the move.';
