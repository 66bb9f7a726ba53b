// Resources that no declaration claims: reported, accepted, or pruned, and compared with creations.
import { placedBy, attributeAt, canonicalAt, copiedFrom, slotWordsOf } from '../../model/attributes.ts';
import { jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import { listOf, plural } from '../../base/text/words.ts';
import type { DesiredState } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { holdsReference } from '../../model/reference.ts';
import type { UnmanagedResource } from '../../model/outcome/plan.ts';
import type { Matching } from '../match/matching.ts';
import { contextOf, isAccepted, placeIn, unlistedAddress, type Scope } from '../scope.ts';
import { effectOf, parentIdOf } from './binding-draft.ts';
import { blocked, noted, PLAIN, removes, type Draft, removalOf } from './draft.ts';
import { lastOperationOf } from './history.ts';

export interface Unlisted {
  readonly unmanaged: readonly UnmanagedResource[];
  /** The removals by a prune rule. */
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The resources of a scope that no declaration claims and the file does not accept, and the removals by a prune rule. */
export function unlistedOf(matching: Matching, desired: DesiredState): Unlisted {
  const { scope, frozen } = matching;
  // The deletion of the parent shows them as data deleted with it.
  if (scope.parent?.isGoing === true || scope.isOnlyAround) return { unmanaged: [], drafts: [], diagnostics: [] };
  // Without declarations, the list may have been read only for a copy.
  const isManaged = scope.parent?.isOrigin !== true || scope.desired.length > 0;
  const reported = (live: LiveResource): boolean => isManaged && !isAccepted(scope, live);
  const unclaimed = matching.unclaimed.filter(reported);
  const asked = unclaimed.filter(
    (live) => !frozen.has(live.id) && isPruned(scope, live, desired) && keeps(scope, live) !== true,
  );
  // An empty list is more likely a mistake than an order, so it deletes nothing.
  const pruned = scope.desired.length === 0 ? [] : asked;
  const prunedIds = new Set(pruned.map(({ id }) => id));
  return {
    unmanaged: [...unclaimed, ...matching.unknown.filter(reported)].map((live) => ({
      address: unlistedAddress(scope, live),
      kind: scope.rules.kind,
      id: live.id,
      projectId: scope.project?.id ?? null,
      spec: live.spec,
      described: scope.rules.describe?.(live).summary ?? scope.rules.poolWords(live.spec),
      pruned: prunedIds.has(live.id),
    })),
    drafts: pruned.map((live) => pruneDraft(scope, live)),
    diagnostics: asked.length > pruned.length ? [emptyFile(scope, asked.length)] : [],
  };
}

function isPruned(scope: Scope, live: LiveResource, desired: DesiredState): boolean {
  if (scope.rules.isPruned !== true) return false;
  if (scope.rules.parent === null) return desired.accountPrune.includes(scope.rules.kind);
  const rule = scope.declaration?.prune ?? false;
  if (typeof rule === 'boolean') return rule;
  return Object.entries(rule).every(([path, values]) => values.includes(String(live.spec[path])));
}

/** True if a resource that it belongs to keeps it from being pruned; null if that is not known. */
function keeps(scope: Scope, live: LiveResource): boolean | null {
  const { isKept = false } = scope.rules.removalGuard?.(live, contextOf(scope)) ?? {};
  return isKept;
}

function pruneDraft(scope: Scope, live: LiveResource): Draft {
  const { rules } = scope;
  const address = unlistedAddress(scope, live);
  const isInDoubt = keeps(scope, live) === null;
  const notes = isInDoubt
    ? ['the parent could not be read, so trueup does not know whether the parent keeps this resource']
    : [];
  return {
    ...PLAIN,
    key: `${removalOf(rules)}:${address}`,
    scope,
    desired: null,
    live,
    expect: live.spec,
    change: {
      address,
      kind: rules.kind,
      name: live.id,
      action: removalOf(rules),
      resourceId: live.id,
      projectId: scope.project?.id ?? null,
      ...parentIdOf(scope, live.spec),
      matchedBy: 'no declaration claims the resource',
      before: live.spec,
      after: null,
      attributes: [],
      ...effectOf(scope, address, { action: removalOf(rules), before: live.spec, after: null, notes, live }),
      reasons: ['prune: no file lists the resource'],
      blockedBy: isInDoubt ? ['unread'] : [],
      held: [],
      due: false,
      origin: 'prune',
      source: scope.declaration?.source ?? null,
      lastOperation: lastOperationOf(scope, live.id, removalOf(rules)),
      replacePaths: [],
    },
  };
}

function emptyFile(scope: Scope, count: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'prune_of_everything',
    message: `prune deletes nothing in ${scope.label}: the file lists no resource there, and ${count} would be deleted`,
    hint: 'List the resources to keep. To delete the last resources, declare them with state: absent.',
    address: `${scope.label}/*`,
    ...(scope.declaration === null ? {} : { range: scope.declaration.source }),
  };
}

/**
 * An unlisted holder of a slot and a planned creation may be one resource that moved. With prune the pair is blocked until the file says
 * which it is; without prune a note names the unlisted ones.
 */
export function weighMoves(
  matching: Matching,
  drafts: readonly Draft[],
): { readonly drafts: readonly Draft[]; readonly diagnostics: readonly Diagnostic[] } {
  const { scope } = matching;
  if (!movesBetweenPlaces(scope)) return { drafts, diagnostics: [] };
  const holds = (spec: Draft['specAfter']): boolean => spec !== null && placeIn(scope, spec) !== null;
  const makes = (draft: Draft): boolean =>
    draft.change.action === 'create' && draft.desired?.isNew === false && holds(draft.specAfter);
  const prunes = (draft: Draft): boolean => draft.change.origin === 'prune' && holds(draft.live?.spec ?? null);
  const creates = drafts.filter(makes);
  if (creates.length === 0) return { drafts, diagnostics: [] };
  if (drafts.some(prunes))
    return {
      drafts: drafts.map((draft) => (makes(draft) || prunes(draft) ? blocked(draft, 'move_or_create') : draft)),
      diagnostics: [],
    };
  const unlisted = matching.unclaimed.filter((live) => holds(live.spec) && !isAccepted(scope, live));
  // A slot below a new parent had no holder before.
  const filling = creates.filter(({ specAfter }) => !holdsReference(specAfter));
  const diagnostics = unlisted.length === 0 ? [] : filling.map((draft) => mayBeMove(scope, draft, unlisted));
  return { drafts, diagnostics };
}

/**
 * A creation and a deletion below the same parent may be one renamed resource. The pair is blocked until the file decides. A deletion
 * that a declaration asks for is no half of a pair.
 */
export function weighRenames({ scope }: Matching, drafts: readonly Draft[]): readonly Draft[] {
  if (placedBy(scope.rules)?.isName !== true) return drafts;
  const makes = ({ change, desired }: Draft): boolean =>
    change.action === 'create' && desired?.isNew === false && desired.pin === null;
  const takes = ({ change, consented }: Draft): boolean => removes(change) && !consented;
  const made = drafts.filter(makes);
  const taken = drafts.filter(takes);
  const isSame = (one: Draft, other: Draft): boolean =>
    isSameForGood(scope, one.specAfter ?? {}, other.live?.spec ?? {});
  const halves = new Set<Draft>([
    ...made.filter((one) => taken.some((other) => isSame(one, other))),
    ...taken.filter((other) => made.some((one) => isSame(one, other))),
  ]);
  return halves.size === 0
    ? drafts
    : drafts.map((draft) => (halves.has(draft) ? blocked(draft, 'rename_or_create') : draft));
}

/** A note on each creation with up to three unlisted resources of the same parent that it may mean. */
export function noteRenames({ scope, unclaimed }: Matching, drafts: readonly Draft[]): readonly Draft[] {
  const { rules, live } = scope;
  const unlisted = placedBy(rules)?.isName === true ? unclaimed.filter((one) => !isAccepted(scope, one)) : [];
  if (unlisted.length === 0) return drafts;
  const copied = (spec: JsonObject): Json => copiedFrom(rules, spec, live);
  return drafts.map((draft) => {
    const { change, desired, specAfter } = draft;
    const isSaid = desired === null || desired.isNew || desired.pin !== null || desired.movedFrom !== null;
    if (change.action !== 'create' || isSaid || specAfter === null) return draft;
    const origin = copied(specAfter);
    const beside = unlisted.filter(
      ({ id, spec }) =>
        id !== origin && isSameForGood(scope, specAfter, spec) && (origin === null || copied(spec) === origin),
    );
    return beside.length === 0 ? draft : noted(draft, besideWords(scope, beside));
  });
}

const NAMED_BESIDE = 3;

function besideWords({ rules }: Scope, beside: readonly LiveResource[]): string {
  const names = beside.slice(0, NAMED_BESIDE).map(({ spec }) => rules.poolWords(spec));
  const more = beside.length - names.length;
  const all = listOf([...names, ...(more > 0 ? [plural(more, 'other')] : [])]);
  const which = beside.length === 1 ? 'that resource' : 'one of these resources';
  return `no file lists ${all}: if ${which} was renamed, write its former name as renamed_from`;
}

/** False if an attribute that never changes differs, so that a rename cannot make the two equal. */
function isSameForGood({ rules }: Scope, desired: JsonObject, live: JsonObject): boolean {
  return Object.entries(desired).every(
    ([path, value]) =>
      attributeAt(rules, path).change !== 'immutable' ||
      jsonEqual(canonicalAt(rules, path, value), canonicalAt(rules, path, live[path])),
  );
}

/** True for kinds whose resources move between slots. If the slot is the name, only `renamed_from` moves. */
function movesBetweenPlaces({ rules }: Scope): boolean {
  return placedBy(rules)?.isName === false;
}

function mayBeMove(scope: Scope, draft: Draft, unlisted: readonly LiveResource[]): Diagnostic {
  const named = unlisted.slice(0, 5).map((live) => `${live.id} (${scope.rules.poolWords(live.spec)})`);
  const more = unlisted.length > 5 ? [`${unlisted.length - 5} more`] : [];
  return {
    severity: 'warning',
    code: slotWordsOf(scope.rules)?.unlisted ?? 'unlisted_holder',
    message: `${draft.change.address} will be created, although no file lists ${listOf([...named, ...more])}`,
    hint: 'To move an unlisted resource here, write id: or moved_from:. To create a new resource, write new: true.',
    address: draft.change.address,
    ...(draft.change.source === null ? {} : { range: draft.change.source }),
  };
}

/** Compares ids only: an accepted slot may have declared resources. */
export function acceptedAndDeclared({ scope, bindings }: Matching): readonly Diagnostic[] {
  const { declaration } = scope;
  if (declaration === null || declaration.unmanagedOk.length === 0) return [];
  const accepted = new Set(declaration.unmanagedOk);
  return bindings.flatMap(({ desired, live, matchedBy }): Diagnostic[] => {
    if (live === null || !accepted.has(live.id)) return [];
    return [
      {
        severity: 'warning',
        code: 'accepted_and_declared',
        message: `${live.id} is managed as ${desired.address} (${matchedBy}), although unmanaged_ok lists it`,
        hint: 'Remove the id from unmanaged_ok, or remove the declaration.',
        address: desired.address,
        range: desired.sources['id'] ?? desired.source,
      },
    ];
  });
}
