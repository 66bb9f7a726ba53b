// Resources that no declaration matches: reported, accepted or pruned, and compared with planned creations.
import { placedBy, attributeAt, canonicalAt, copiedFrom, slotWordsOf } from '../../model/attributes.ts';
import { jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import { listOf, plural } from '../../base/text/words.ts';
import { problemAt, type DesiredState } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { holdsReference } from '../../model/reference.ts';
import type { Matching } from '../match/matching.ts';
import { isAccepted, placeIn, unlistedAddress, type Scope } from '../scope.ts';
import type { Findings } from './draft-change.ts';
import { block, draftFor, note, removes, type Draft, removalOf } from './draft.ts';

/** Reports resources that no declaration matches and the file does not accept; returns the removals by a prune rule. */
export function unlistedDrafts(matching: Matching, desired: DesiredState, found: Findings): readonly Draft[] {
  const { scope, frozen } = matching;
  const { rules } = scope;
  // The deletion of the parent already shows its contents.
  if (scope.parent?.isGoing === true || scope.isOnlyAround) return [];
  // Without declarations, the list may have been read only for other resources.
  if (scope.parent?.isAround === true && scope.desired.length === 0) return [];
  const reported = (live: LiveResource): boolean => !isAccepted(scope, live);
  const unclaimed = matching.unclaimed.filter(reported);
  const asked = unclaimed.filter(
    (live) => !frozen.has(live.id) && isPruned(scope, live, desired) && keeps(scope, live) !== true,
  );
  // A scope without declarations is more likely a mistake than an order, so nothing there is deleted.
  const pruned = new Set(scope.desired.length === 0 ? [] : asked);
  if (asked.length > pruned.size) found.diagnostics.push(emptyFile(scope, asked.length));
  for (const live of [...unclaimed, ...matching.unknown.filter(reported)])
    found.unmanaged.push({
      address: unlistedAddress(scope, live),
      kind: rules.kind,
      id: live.id,
      projectId: scope.projectId,
      spec: live.spec,
      described: rules.describe?.(live).summary ?? rules.poolWords(live.spec),
      pruned: pruned.has(live),
    });
  return [...pruned].map((live) => pruneDraft(scope, live));
}

function isPruned(scope: Scope, live: LiveResource, desired: DesiredState): boolean {
  const { kind, parent, isPruned: mayBe } = scope.rules;
  if (mayBe !== true) return false;
  if (parent === null) return desired.accountPrune.includes(kind);
  const rule = scope.declaration?.prune ?? false;
  if (typeof rule === 'boolean') return rule;
  return Object.entries(rule).every(([path, values]) => values.includes(String(live.spec[path])));
}

/** True if the resource to which it belongs keeps it from being pruned; null if that is not known. */
function keeps({ rules, context }: Scope, live: LiveResource): boolean | null {
  const { isKept = false } = rules.removalGuard?.(live, context) ?? {};
  return isKept;
}

function pruneDraft(scope: Scope, live: LiveResource): Draft {
  const isInDoubt = keeps(scope, live) === null;
  const subject = {
    address: unlistedAddress(scope, live),
    name: live.id,
    source: scope.declaration?.source ?? null,
    live,
    matchedBy: 'no declaration claims the resource',
  };
  const change = {
    action: removalOf(scope.rules),
    before: live.spec,
    after: null,
    reasons: ['prune: no file lists the resource'],
    notes: isInDoubt
      ? ['the parent could not be read, so trueup does not know whether the parent keeps this resource']
      : [],
    blockedBy: isInDoubt ? (['unread'] as const) : [],
    origin: 'prune',
  };
  return draftFor(scope, subject, change, { expect: live.spec });
}

function emptyFile({ label, declaration }: Scope, count: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'prune_of_everything',
    message: `prune deletes nothing in ${label}: the file lists no resource there, and ${count} would be deleted`,
    hint: 'List the resources to keep. To delete the last resources, declare them with state: absent.',
    address: `${label}/*`,
    ...(declaration === null ? {} : { range: declaration.source }),
  };
}

/** An unlisted resource in a slot and a creation may be one moved resource: prune blocks both, and without prune a warning names them. */
export function weighMoves({ scope, unclaimed }: Matching, drafts: readonly Draft[], found: Findings): void {
  // If the slot is the name, only `renamed_from` moves a resource.
  if (placedBy(scope.rules)?.isName !== false) return;
  const holds = (spec: JsonObject | null): boolean => spec !== null && placeIn(scope, spec) !== null;
  const creates = drafts.filter(
    ({ change, desired, specAfter }) => change.action === 'create' && desired?.isNew === false && holds(specAfter),
  );
  if (creates.length === 0) return;
  const prunes = drafts.filter(({ change, live }) => change.origin === 'prune' && holds(live?.spec ?? null));
  for (const draft of prunes.length === 0 ? [] : [...creates, ...prunes]) block(draft, 'move_or_create');
  const unlisted = unclaimed.filter((live) => holds(live.spec) && !isAccepted(scope, live));
  if (prunes.length > 0 || unlisted.length === 0) return;
  // A slot below a new parent was empty before, so no resource can have left it.
  const filling = creates.filter(({ specAfter }) => !holdsReference(specAfter));
  for (const draft of filling) found.diagnostics.push(mayBeMove(scope, draft, unlisted));
}

/** A creation and a deletion below one parent may be a rename, so both are blocked, unless a declaration asks for the deletion. */
export function weighRenames({ scope }: Matching, drafts: readonly Draft[]): void {
  if (placedBy(scope.rules)?.isName !== true) return;
  const made = drafts.filter(
    ({ change, desired }) => change.action === 'create' && desired?.isNew === false && desired.pin === null,
  );
  const taken = drafts.filter(
    ({ change, consented, desired }) => removes(change) && !consented && desired?.byRule === undefined,
  );
  for (const one of made)
    for (const other of taken)
      if (isSameForGood(scope, one.specAfter ?? {}, other.live?.spec ?? {}))
        for (const half of [one, other]) block(half, 'rename_or_create');
}

/** Adds a note to each creation with up to three unlisted resources below the same parent that it may mean. */
export function noteRenames({ scope, unclaimed }: Matching, drafts: readonly Draft[]): void {
  const { rules, live } = scope;
  const unlisted = placedBy(rules)?.isName === true ? unclaimed.filter((one) => !isAccepted(scope, one)) : [];
  if (unlisted.length === 0) return;
  const copied = (spec: JsonObject): Json => copiedFrom(rules, spec, live);
  for (const draft of drafts) {
    const { change, desired, specAfter } = draft;
    const isSaid = desired === null || desired.isNew || desired.pin !== null || desired.movedFrom !== null;
    if (change.action !== 'create' || isSaid || specAfter === null) continue;
    const origin = copied(specAfter);
    const beside = unlisted.filter(
      ({ id, spec }) =>
        id !== origin && isSameForGood(scope, specAfter, spec) && (origin === null || copied(spec) === origin),
    );
    if (beside.length > 0) note(draft, besideWords(scope, beside));
  }
}

function besideWords({ rules }: Scope, beside: readonly LiveResource[]): string {
  const all = firstOf(
    beside.map(({ spec }) => rules.poolWords(spec)),
    3,
    (more) => plural(more, 'other'),
  );
  const which = beside.length === 1 ? 'that resource' : 'one of these resources';
  return `no file lists ${all}: if ${which} was renamed, write its former name as renamed_from`;
}

function firstOf(words: readonly string[], most: number, others: (more: number) => string): string {
  const more = words.length - most;
  return listOf([...words.slice(0, most), ...(more > 0 ? [others(more)] : [])]);
}

/** False if an attribute that never changes differs, so that a rename cannot make the two equal. */
function isSameForGood({ rules }: Scope, desired: JsonObject, live: JsonObject): boolean {
  return Object.entries(desired).every(
    ([path, value]) =>
      attributeAt(rules, path).change !== 'immutable' ||
      jsonEqual(canonicalAt(rules, path, value), canonicalAt(rules, path, live[path])),
  );
}

function mayBeMove({ rules }: Scope, { change }: Draft, unlisted: readonly LiveResource[]): Diagnostic {
  const words = unlisted.map((live) => `${live.id} (${rules.poolWords(live.spec)})`);
  return {
    severity: 'warning',
    code: slotWordsOf(rules)?.unlisted ?? 'unlisted_holder',
    message: `${change.address} will be created, although no file lists ${firstOf(words, 5, (more) => `${more} more`)}`,
    hint: 'To move an unlisted resource here, write id: or moved_from:. To create a new resource, write new: true.',
    address: change.address,
    ...(change.source === null ? {} : { range: change.source }),
  };
}

/** Warns about resources that are both accepted and declared, by id only: an accepted slot may have declared resources. */
export function acceptedAndDeclared({ scope, bindings }: Matching, found: Findings): void {
  const accepted = new Set(scope.declaration?.unmanagedOk);
  if (accepted.size === 0) return;
  for (const { desired, live, matchedBy } of bindings)
    if (live !== null && accepted.has(live.id))
      found.diagnostics.push(
        problemAt(desired, 'id', {
          severity: 'warning',
          code: 'accepted_and_declared',
          message: `${live.id} is managed as ${desired.address} (${matchedBy}), although unmanaged_ok lists it`,
          hint: 'Remove the id from unmanaged_ok, or remove the declaration.',
        }),
      );
}
