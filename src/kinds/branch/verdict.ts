// Judges declarations of branches: derives notes, warnings and blocks from the time, the operation log, and changes that the service would refuse.
import { compareText, type Json, type JsonObject } from '../../base/json.ts';
import { listed } from '../../base/picked.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { setAddress } from '../../model/address.ts';
import { isOver } from '../../model/attributes.ts';
import { markOf, warningAt, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { hasFailed } from '../../model/operations/operation.ts';
import type { Block } from '../../model/outcome/plan.ts';
import { isReference } from '../../model/values.ts';
import type { KindContext } from '../../plan/kind-rules.ts';
import type { Judge, Judgement } from '../define.ts';
import { branchProblems } from '../shared/branch-labels.ts';
import { DISPOSABLE, isMadeDisposable } from '../shared/branch-contents.ts';
import { ofKind } from '../shared/effects.ts';
import { goneIn, vanishedWords } from '../shared/vanished.ts';
import { attributes, isResetOpen, isResetOver, sameReset } from './attributes.ts';
import { defaultBranchIn } from './effects.ts';

/** A declaration whose `expires_at` is past creates and changes nothing. */
export const branchVerdict: Judge = ({ desired, live, context }) => {
  const consented = agreed(desired, live, context);
  if (desired.absent) return { consented };
  if (isOver({ attributes }, desired.spec, context.nowMs)) return { diagnostics: [expired(desired, live)] };
  if (live === null) return newBranch(desired, context);
  const refused = refusedChanges(desired, live, context);
  const { reset } = desired.spec;
  const isAhead = (millisecondsOf(reset) ?? 0) > context.nowMs;
  return {
    notes: listed(...refused, isAhead && `reset.not_before ${String(reset)} is in the future`),
    // Consent to delete the branch includes consent to reset it.
    consented: isReset(desired, live) && isResetOpen(reset ?? null, context.nowMs) ? consented : null,
    blockedBy: listed<Block>(refused.length > 0 && 'refused'),
    diagnostics: listed(
      unfinished(desired, live, context),
      expiring(desired, live, context),
      resetOver(desired, live, context),
    ),
  };
};

function newBranch(desired: DesiredResource, context: KindContext): Judgement {
  const { set, pin, options } = desired;
  // Members of sets and disposable branches are meant to be deleted, so they are created again.
  const isMeantToGo = set !== undefined || options['disposable'] === true;
  const unasked = isMeantToGo ? undefined : goneHere(context).find((one) => 'unasked' in one)?.['unasked'];
  const refused = refusedCreation(desired, context);
  const former = formerOnes(desired, context);
  const missing = missingParent(desired, context);
  // Members of sets are meant to expire, so nobody needs a note.
  const lapsed = set === undefined && pin === null ? former.filter(isLapsed) : [];
  return {
    vanished: isMeantToGo || unasked !== undefined ? null : vanishedBranch(desired, context),
    unread: unasked === undefined ? [] : [`the deleted branches, one of which may have this name: ${String(unasked)}`],
    lapsed: set !== undefined && former[0] !== undefined && isLapsed(former[0]),
    notes: [
      ...refused,
      ...lapsed.map(
        ({ id, deleted_at: at, recoverable_until: until }) =>
          `the new branch is empty: ${String(id)} with this name expired at ${String(at)}; recover that branch until ${String(until)} with POST /projects/${context.liveProject?.id ?? ''}/branches/${String(id)}/recover`,
      ),
    ],
    blockedBy: listed<Block>(
      unasked !== undefined && 'unread',
      refused.length > 0 && 'refused',
      mayBeTheDefault(desired, context) && 'rename_or_create',
    ),
    diagnostics: missing.length > 0 ? missing : sharedPassword(desired, context),
  };
}

/** The service accepts an expiry at most this far ahead (api-rules 8.7). */
const MAX_AHEAD_MS = 30 * 86_400_000;
const FAR = 'a branch cannot expire more than 30 days ahead: write an earlier expires_at';

function isAfter(time: Json | undefined, ms: number): boolean {
  return typeof time === 'string' && Date.parse(time) > ms;
}

/** Returns why the service would refuse the changes. The service resets only an unprotected branch that has a parent and no children. */
function refusedChanges(
  desired: DesiredResource,
  live: LiveResource,
  { around, nowMs }: KindContext,
): readonly string[] {
  const { expires_at: at, ttl_seconds: lease, reset, protected: isProtected } = desired.spec;
  const { id, spec: is } = live;
  const until = is['expires_at'];
  const child = around.find((one) => one.spec['parent_id'] === id);
  const resets = isReset(desired, live) && isResetOpen(reset ?? null, nowMs);
  const expires = (at ?? lease ?? null) !== null;
  const isLeft = typeof until === 'string' && at === undefined && lease === undefined;
  return listed(
    resets && is['parent_id'] === undefined && 'a branch without a parent cannot be reset',
    resets &&
      is['protected'] === true &&
      'a protected branch cannot be reset: write `protected: false` first, and apply that change',
    resets && child && `a branch with a child cannot be reset (its child is ${child.id})`,
    isAfter(at, nowMs + MAX_AHEAD_MS) && FAR,
    expires && is['default'] === true && 'the default branch cannot expire',
    expires && is['protected'] === true && isProtected === undefined && 'a protected branch cannot expire',
    expires && child && `a branch with a child cannot expire (its child is ${child.id})`,
    ...['default', 'protected'].map(
      (path) =>
        isLeft &&
        desired.spec[path] === true &&
        is[path] !== true &&
        `the branch expires at ${until}, and cannot be ${path}: write \`ttl: null\` on the branch`,
    ),
  );
}

function refusedCreation({ kind, spec }: DesiredResource, { declared, around, nowMs }: KindContext): readonly string[] {
  const { expires_at: end, parent_timestamp: at, parent_id: parentId } = spec;
  const parent = around.find((one) => one.kind === kind && one.id === parentId);
  const until = parent?.spec['expires_at'];
  const isCleared = (one: DesiredResource): boolean =>
    isDeclarationOf(one, parent) && one.spec['expires_at'] === null && !one.lifecycle.ignore.includes('expires_at');
  return listed(
    isAfter(end, nowMs + MAX_AHEAD_MS) && FAR,
    typeof until === 'string' &&
      !declared.some(isCleared) &&
      `${parent?.id} expires at ${until}, and cannot be a parent: write \`ttl: null\` on that branch`,
    isAfter(at, nowMs) && `\`at\` is ${String(at)}, which is in the future: write an earlier time, or remove \`at\``,
  );
}

function isDeclarationOf({ absent, pin, spec, movedFrom }: DesiredResource, live: LiveResource | undefined): boolean {
  if (absent || live === undefined) return false;
  return pin === live.id || [spec['name'], movedFrom].includes(live.spec['name'] ?? null);
}

/** True if the declared reset is still to do: the branch was not reset since the declared time. */
function isReset({ spec: { reset: wanted } }: DesiredResource, { spec: { reset: since } }: LiveResource): boolean {
  return wanted !== undefined && since !== undefined && sameReset(wanted, since) !== since;
}

function expired(desired: DesiredResource, live: LiveResource | null): Diagnostic {
  const so =
    live === null ? 'the branch is not created again' : `${live.id} stays unchanged, and nothing is created on it`;
  const message = `the expires_at of ${desired.address} (${String(desired.spec['expires_at'])}) is past, so ${so}`;
  return warningAt(desired, 'expires_at', 'expired', message, 'Remove the entry, or write a later expires_at.');
}

/** Warns of an expired branch, which stays listed until the service deletes it. */
function expiring(desired: DesiredResource, { id, spec }: LiveResource, { nowMs }: KindContext): Diagnostic | null {
  const { expires_at: at } = spec;
  const { expires_at: declared, ttl_seconds: lease } = desired.spec;
  if (typeof at !== 'string' || declared !== undefined || lease !== undefined || isAfter(at, nowMs)) return null;
  const message = `${id} expired at ${at}; the service will delete the branch with its contents`;
  const hint = `To keep the branch, write a later expires_at, or null, at ${desired.address}.`;
  return warningAt(desired, '', 'expired', message, hint);
}

function resetOver(desired: DesiredResource, live: LiveResource, { nowMs }: KindContext): Diagnostic | null {
  const { reset: wanted = null } = desired.spec;
  if (!isReset(desired, live) || !isResetOver(wanted, nowMs)) return null;
  const message = `the reset.not_before of ${desired.address} (${String(wanted)}) is more than 7 days past, so ${live.id} is not reset`;
  return warningAt(desired, 'reset', 'expired', message, 'Write a later time to reset the branch, or remove `reset`.');
}

function isLapsed({ deletion_method: method }: JsonObject): boolean {
  return method === 'ttl';
}

function goneHere({ facts, liveProject }: KindContext): readonly JsonObject[] {
  return goneIn(facts).filter((one) => one['project_id'] === liveProject?.id);
}

/** Returns the deleted branches of the project with the declared name, newest first. */
function formerOnes({ spec: { name } }: DesiredResource, context: KindContext): readonly JsonObject[] {
  return goneHere(context)
    .filter((one) => one['name'] === name)
    .sort((a, b) => compareText(String(b['deleted_at']), String(a['deleted_at'])));
}

/** Describes a branch that was deleted outside trueup, else null. Without a pin, expired branches are skipped: trueup re-creates them. */
function vanishedBranch({ pin, spec, scope, movedFrom }: DesiredResource, context: KindContext): string | null {
  const gone = goneHere(context).filter((one) => pin !== null || !isLapsed(one));
  return vanishedWords(gone, {
    pin,
    names: listed(spec['name'], movedFrom),
    pathOf: (id) => `/projects/${context.liveProject?.id ?? scope}/branches/${id}`,
  });
}

/** True if an entry for the default branch has no id, former name or `new`: it may mean the live default branch under a new name. */
function mayBeTheDefault({ spec, pin, movedFrom, isNew }: DesiredResource, { around }: KindContext): boolean {
  const isSaid = isNew || pin !== null || movedFrom !== null;
  return spec['default'] === true && !isSaid && defaultBranchIn(around, null) !== null;
}

/** The operations by which the service creates a branch. */
const MAKING = ['create_branch', 'create_timeline'];
const LONGEST_MAKING_MS = 600_000;

function unfinished(
  desired: DesiredResource,
  { id, observed, createdAtMs }: LiveResource,
  { history, nowMs }: KindContext,
): Diagnostic | null {
  if (observed['current_state'] !== 'init') return null;
  const making = (history?.operations ?? []).find(({ branchId, action }) => branchId === id && MAKING.includes(action));
  const hasEnded = making !== undefined && hasFailed(making) && making.retryAtMs === null;
  const isForgotten = making === undefined && createdAtMs !== null && nowMs - createdAtMs > LONGEST_MAKING_MS;
  if (!hasEnded && !isForgotten) return null;
  const why = hasEnded
    ? `its ${making.action} ${making.id} ended as ${making.status}`
    : `the creation began ${isoTime(createdAtMs ?? nowMs)}, and the operation log does not show its end`;
  const message = `${id} was never finished: ${why}; the service may refuse to create resources on it`;
  const hint = `Delete it (state: absent, apply --allow drop:${desired.address}) and create it again, or ask the service to finish it.`;
  return warningAt(desired, '', 'unfinished', message, hint);
}

/** Returns the file's consent to delete a set member or a disposable branch, with the annotation that must not change until then; else null. */
function agreed(
  desired: DesiredResource,
  live: LiveResource | null,
  context: KindContext,
): { readonly restsOn: readonly string[] } | null {
  const { set, options } = desired;
  if (live === null || !isFree(desired, live, context)) return null;
  if (set !== undefined)
    return live.marks?.['set'] === markOf(context.liveProject?.id ?? '', set) ? { restsOn: ['set'] } : null;
  return options['disposable'] === true && isMadeDisposable(live) ? { restsOn: [DISPOSABLE] } : null;
}

/** False if the branch is default, protected, labelled or a parent, or differs from its declaration: the file cannot consent to delete it. */
function isFree(
  { spec: { name, parent_id: parent } }: DesiredResource,
  { id, spec }: LiveResource,
  { around, project }: KindContext,
): boolean {
  const isDeclaredOne = spec['name'] === name && (parent === undefined || spec['parent_id'] === parent);
  const hasLabel = Object.values(project?.labels ?? {}).includes(id);
  const hasChildren = around.some((other) => other.spec['parent_id'] === id);
  const isKept = spec['default'] === true || spec['protected'] === true || hasLabel || hasChildren;
  return isDeclaredOne && !isKept;
}

function missingParent(desired: DesiredResource, context: KindContext): readonly Diagnostic[] {
  const parent = desired.spec['parent_id'] ?? desired.spec['schema_of'];
  const branches = ofKind(context.around, desired.kind);
  if (typeof parent !== 'string' || branches.length === 0) return [];
  return branchProblems(desired, parent, branches, context, 'from');
}

/** Warns if the roles of a new branch keep the parent's passwords: the service sets new passwords only below a protected parent. */
function sharedPassword(desired: DesiredResource, { around, declared }: KindContext): readonly Diagnostic[] {
  const { spec, set, scope } = desired;
  const branches = ofKind(around, desired.kind);
  const isMissing = (one: DesiredResource): boolean =>
    !branches.some(({ spec: { name } }) => name === one.spec['name']);
  // Each set gets one warning, at its first member that does not exist yet.
  const first = declared.find((one) => one.set === set && isMissing(one));
  if (set !== undefined && first?.address !== desired.address) return [];
  if (spec['init_source'] === 'schema-only') return [];
  const parentId = spec['parent_id'] ?? defaultBranchIn(around, null)?.id;
  const live = branches.find(({ id }) => id === parentId);
  const planned = declared.find((one) =>
    isReference(parentId) ? one.address === parentId.ref : isDeclarationOf(one, live),
  );
  if ((planned === undefined && live === undefined) || willBeProtected(planned, live)) return [];
  const address = set === undefined ? desired.address : setAddress(scope, set);
  const name = isReference(parentId) ? parentId.ref : `the branch ${JSON.stringify(live?.spec['name'] ?? '?')}`;
  const message = `${address} copies ${name}, which is not protected, so the roles of ${address} keep the passwords of ${name}`;
  const hint =
    'Protect the parent (protected: true), or reset the passwords on the new branch (rotate: { not_before: TIME }).';
  return [warningAt(desired, 'from', 'shared_password', message, hint)];
}

function willBeProtected(planned: DesiredResource | undefined, live: LiveResource | undefined): boolean {
  const { ignore = [], hold = [] } = planned?.lifecycle ?? {};
  const isLeft = ignore.includes('protected') || hold.some(({ path }) => path === 'protected');
  const wanted = isLeft ? undefined : planned?.spec['protected'];
  return (wanted ?? live?.spec['protected'] ?? false) === true;
}
