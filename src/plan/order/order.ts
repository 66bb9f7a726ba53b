// Order: the waits between steps by slots and references, without superfluous ones.
import { placedBy } from '../../model/attributes.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import type { Draft } from '../diff/draft.ts';
import { formerNeeds, type FormerNeed } from './former-names.ts';
import { leastNeeds, mustFollow, ringsOf, type Needs } from './graph.ts';
import type { Matching } from '../match/matching.ts';
import { groupBy } from '../../base/group-by.ts';
import { referenceNeeds } from './reference-needs.ts';
import type { StepDraft } from './step-draft.ts';
import type { PlaceConflict, SlotOrder } from './slots.ts';

export interface Order {
  /** The needs of every step, without superfluous ones; sorted. */
  readonly needs: ReadonlyMap<StepId, readonly StepId[]>;
  /** An error for each cycle of references: no member can be created first. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Adds the waits of restarts, requests of one change, replacements, references and former names to those of slots. */
export function orderSteps(trails: readonly (readonly StepDraft[])[], visits: SlotOrder): Order {
  const steps = trails.flat();
  const ids = new Set(steps.map(({ id }) => id));
  const needs = new Map(
    steps.map(({ id }) => [id, new Set([...(visits.needs.get(id) ?? [])].filter((first) => ids.has(first)))]),
  );
  const need = (step: StepDraft, first: StepDraft): void => {
    const known = needs.get(step.id);
    if (known === undefined) needs.set(step.id, new Set([first.id]));
    else known.add(first.id);
  };
  const trailsOf = groupBy(trails, (trail) => trail[0]?.draft.change.address ?? '');
  for (const own of trailsOf.values()) if (own.length > 1 || (own[0]?.length ?? 0) > 1) chainRestart(own.flat(), need);
  for (const trail of trails)
    if (trail[0]?.draft.change.action !== 'replace')
      trail.slice(1).forEach((step, at) => need(step, trail[at] ?? step));
  for (const trail of trails) {
    const [gone, made] = trail;
    if (gone === undefined || made === undefined || gone.draft.change.action !== 'replace') continue;
    // The new one is created first, unless the old one is in its slot.
    if (!mustFollow(needs, made.id, gone.id)) need(gone, made);
  }
  referenceNeeds(steps, need);
  const former = formerNeeds(steps, needs);
  for (const { step, first } of former) need(step, first);
  return {
    needs: new Map(steps.map(({ id }) => [id, leastNeeds(needs, id)])),
    diagnostics: referenceRings(steps, needs, { ofPlaces: visits.needs, former }),
  };
}

/** Cycles that slots alone do not make. */
function referenceRings(
  steps: readonly StepDraft[],
  needs: Needs,
  { ofPlaces, former }: { readonly ofPlaces: Needs; readonly former: readonly FormerNeed[] },
): readonly Diagnostic[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const formerBy = groupBy(former, ({ step }) => step.id);
  const rings = ringsOf(needs).filter((ring) =>
    ring.some((id, at) => ofPlaces.get(id)?.has(ring[(at + 1) % ring.length] ?? '') !== true),
  );
  return rings.flatMap((ring): Diagnostic[] => {
    const changes = ring.flatMap((id) => byId.get(id)?.draft.change ?? []);
    const [first] = changes;
    if (first === undefined) return [];
    const members = new Set(ring);
    const heir = ring.flatMap((id) => formerBy.get(id) ?? []).find((one) => members.has(one.first.id))?.first;
    const key = heir === undefined ? undefined : placedBy(heir.draft.scope.rules)?.key;
    const drawn = [...changes, first].map(({ address }) => address).join(' → ');
    return [
      {
        severity: 'error',
        code: 'reference_ring',
        message: `these changes depend on each other in a cycle, so none of them can run first: ${drawn}`,
        hint:
          key === undefined
            ? 'Remove one of the references, apply, then write that reference again.'
            : `Remove ${key} from one of the resources: no live resource has that former name.`,
        address: first.address,
        ...(first.source === null ? {} : { range: first.source }),
      },
    ];
  });
}

/** A restart runs after every other change of its resource. */
function chainRestart(steps: readonly StepDraft[], need: (step: StepDraft, first: StepDraft) => void): void {
  const restart = steps.find(({ action }) => action === 'restart');
  const last = steps.findLast(({ action }) => action === 'update' || action === 'move');
  if (restart !== undefined && last !== undefined) need(restart, last);
}

/** The error at the line that wants a slot which stays taken. */
export function conflictDiagnostic({ matching, stays, wants }: PlaceConflict, drafts: readonly Draft[]): Diagnostic {
  const { scope } = matching;
  const { address, source } = wants.draft.change;
  const place = wants.after === null ? 'in its slot' : scope.rules.place(wants.after);
  const at = { severity: 'error', address, ...(source === null ? {} : { range: source }) } as const;
  const other = stays.taker?.draft.change ?? declarationOf(stays.holder, matching, drafts);
  if (other === null) {
    const id = stays.holder?.id ?? '?';
    return {
      ...at,
      code: 'place_held',
      message: `${address} cannot be ${place}: ${id} is ${place} already, and no file lists ${id}`,
      hint: `Write id: ${id} to adopt the live resource, or declare the live resource with state: absent.`,
    };
  }
  return {
    ...at,
    code: 'place_held',
    message: `${address} cannot be ${place}: ${other.address} is ${place} already`,
    hint: 'Move or remove one of the two resources.',
    related: other.source === null ? [] : [{ message: `${other.address} is declared here`, range: other.source }],
  };
}

/** The declaration of the resource that stays in the slot, with or without a change; null for none. */
function declarationOf(
  holder: LiveResource | null,
  { bindings }: Matching,
  drafts: readonly Draft[],
): { readonly address: Address; readonly source: SourceRange | null } | null {
  const draft = drafts.find(({ live, desired }) => live === holder && desired !== null);
  return draft?.change ?? bindings.find(({ live }) => live === holder)?.desired ?? null;
}
