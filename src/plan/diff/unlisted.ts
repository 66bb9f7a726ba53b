// Reports or prunes resources that no declaration matches, and compares them with planned creations.
import { placedBy, attributeAt, canonicalAt, copiedFrom, slotWordsOf } from '../../model/attributes.ts';
import { jsonEqual, type JsonObject } from '../../base/json.ts';
import { listOfFirst } from '../../base/text/words.ts';
import type { DesiredState } from '../../model/desired.ts';
import { warningOf, type Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { holdsReference } from '../../model/values.ts';
import type { Matching } from '../match/matching.ts';
import { isAccepted, placeIn, unlistedAddress, type Scope } from '../scope.ts';
import type { Findings } from './draft-change.ts';
import { listed, present } from '../../base/picked.ts';
import type { Block } from '../../model/outcome/plan.ts';
import { block, draftFor, errorOn, note, removes, type Draft, removalOf } from './draft.ts';

/** Reports resources that no declaration matches and the file does not accept; returns drafts that delete those to prune. */
export function unlistedDrafts(matching: Matching, desired: DesiredState, found: Findings): readonly Draft[] {
  const { scope, frozen } = matching;
  const { rules, parent } = scope;
  const isEmpty = scope.declared.length === 0;
  // The deletion of the parent already shows its contents. A list without declarations may have been read only to plan other resources.
  if (parent?.isGoing === true || scope.isOnlyAround || (parent?.isAround === true && isEmpty)) return [];
  const reported = (live: LiveResource): boolean => !isAccepted(scope, live);
  const unclaimed = matching.unclaimed.filter(reported);
  const asked = unclaimed.filter(
    (live) => !frozen.has(live.id) && isPruned(scope, live, desired) && keeps(scope, live) !== true,
  );
  // A scope without declarations is more likely a mistake than an intention, so prune deletes nothing there.
  if (isEmpty && asked.length > 0) found.diagnostics.push(emptyFile(scope, asked.length));
  const pruned = isEmpty ? [] : asked;
  for (const live of [...unclaimed, ...matching.unknown.filter(reported)])
    found.unmanaged.push({
      address: unlistedAddress(scope, live),
      kind: rules.kind,
      id: live.id,
      projectId: scope.projectId,
      spec: live.spec,
      described: rules.describe?.(live).summary ?? rules.poolWords(live.spec),
      pruned: pruned.includes(live),
    });
  return pruned.map((live) => pruneDraft(scope, live));
}

function isPruned(scope: Scope, live: LiveResource, desired: DesiredState): boolean {
  const { kind, parent, isPruned: mayBe } = scope.rules;
  if (mayBe !== true) return false;
  if (parent === null) return desired.accountPrune.includes(kind);
  const rule = scope.project?.prune ?? false;
  if (typeof rule === 'boolean') return rule;
  return Object.entries(rule).every(([path, values]) => values.includes(String(live.spec[path])));
}

/** True if `live` belongs to a resource that keeps prune from deleting `live`; null if that is not known. */
function keeps(scope: Scope, live: LiveResource): boolean | null {
  const { isKept = false } = scope.rules.removalGuard?.(live, scope) ?? {};
  return isKept;
}

function pruneDraft(scope: Scope, live: LiveResource): Draft {
  const isInDoubt = keeps(scope, live) === null;
  const doubt = 'the parent could not be read, so trueup does not know whether the parent keeps this resource';
  const subject = {
    address: unlistedAddress(scope, live),
    name: live.id,
    source: scope.project?.source ?? null,
    live,
    matchedBy: 'no declaration claims the resource',
  };
  const change = {
    action: removalOf(scope.rules),
    before: live.spec,
    after: null,
    reasons: ['prune: no file lists the resource'],
    notes: listed(isInDoubt && doubt),
    blockedBy: listed<Block>(isInDoubt && 'unread'),
    origin: 'prune',
  };
  return draftFor(scope, subject, change, { expect: live.spec });
}

function emptyFile({ label, project }: Scope, count: number): Diagnostic {
  const message = `prune deletes nothing in ${label}: the file lists no resource there, and ${count} would be deleted`;
  const hint = 'List the resources to keep. To delete the last resources, declare them with state: absent.';
  return warningOf('prune_of_everything', message, hint, {
    address: `${label}/*`,
    ...present({ range: project?.source }),
  });
}

function creates({ change, desired }: Draft): boolean {
  return change.action === 'create' && desired?.isNew === false;
}

/** Finds creations that may be meant as moves of unlisted resources. If prune deletes such a resource, blocks both changes; otherwise warns. */
export function weighMoves({ scope, unclaimed }: Matching, drafts: readonly Draft[], found: Findings): void {
  // If the slot is the name, only `renamed_from` moves a resource.
  if (placedBy(scope.rules)?.isName !== false) return;
  const holds = (spec: JsonObject | null): boolean => placeIn(scope, spec) !== null;
  const made = drafts.filter((draft) => creates(draft) && holds(draft.specAfter));
  if (made.length === 0) return;
  const prunes = drafts.filter(({ change, live }) => change.origin === 'prune' && holds(live?.spec ?? null));
  if (prunes.length > 0) for (const draft of [...made, ...prunes]) block(draft, 'move_or_create');
  const unlisted = unclaimed.filter((live) => holds(live.spec) && !isAccepted(scope, live));
  if (prunes.length > 0 || unlisted.length === 0) return;
  // A slot below a new parent was empty before, so no resource can have left it.
  for (const draft of made)
    if (!holdsReference(draft.specAfter)) found.diagnostics.push(mayBeMove(scope, draft, unlisted));
}

/**
 * Blocks a creation and a deletion below one parent that may be meant as a rename, unless a rule asks for the deletion or the file consents
 * to it. A creation gets a note if an unlisted resource may be the renamed one.
 */
export function weighRenames({ scope, unclaimed }: Matching, drafts: readonly Draft[]): void {
  const { rules, live } = scope;
  if (placedBy(rules)?.isName !== true) return;
  const made = drafts.filter((draft) => creates(draft) && draft.desired?.pin === null);
  const taken = drafts.filter(
    ({ change, consented, desired }) => removes(change) && !consented && desired?.byRule === undefined,
  );
  const unlisted = unclaimed.filter((one) => !isAccepted(scope, one));
  for (const draft of made) {
    const { desired, specAfter } = draft;
    const spec = specAfter ?? {};
    for (const other of taken)
      if (isSameForGood(scope, spec, other.live?.spec ?? {}))
        for (const half of [draft, other]) block(half, 'rename_or_create');
    const origin = unlisted.length === 0 ? null : copiedFrom(rules, spec, live);
    const beside = unlisted.filter(
      (one) =>
        one.id !== origin &&
        isSameForGood(scope, spec, one.spec) &&
        (origin === null || copiedFrom(rules, one.spec, live) === origin),
    );
    if (desired?.movedFrom !== null || beside.length === 0) continue;
    const words = beside.map((one) => rules.poolWords(one.spec));
    const which = beside.length === 1 ? 'that resource' : 'one of these resources';
    note(
      draft,
      `no file lists ${listOfFirst(words, 3)}: if ${which} was renamed, write its former name as renamed_from`,
    );
  }
}

/** False if the specs differ in an attribute that cannot change, so that they cannot be of one renamed resource. */
function isSameForGood({ rules }: Scope, desired: JsonObject, live: JsonObject): boolean {
  return Object.entries(desired).every(
    ([path, value]) =>
      attributeAt(rules, path).change !== 'immutable' ||
      jsonEqual(canonicalAt(rules, path, value), canonicalAt(rules, path, live[path])),
  );
}

function mayBeMove({ rules }: Scope, draft: Draft, unlisted: readonly LiveResource[]): Diagnostic {
  const words = unlisted.map(({ id, spec }) => `${id} (${rules.poolWords(spec)})`);
  const code = slotWordsOf(rules)?.unlisted ?? 'unlisted_holder';
  const message = `${draft.change.address} will be created, although no file lists ${listOfFirst(words, 5)}`;
  const hint =
    'To move an unlisted resource here, write id: or moved_from:. To create a new resource, write new: true.';
  return errorOn(draft, code, message, hint, { severity: 'warning' });
}
