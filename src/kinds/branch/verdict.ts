// Notes, warnings and blocks of branches that a comparison of attributes cannot give.
import { isReference } from '../../model/reference.ts';
import { setAddress } from '../../model/address.ts';
import { markOf, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindContext } from '../../plan/kind-rules.ts';
import type { LiveResource } from '../../model/live.ts';
import { isoTime } from '../../base/time/clock.ts';
import { hasFailed } from '../../model/operations/status.ts';
import type { Judge, Judgement } from '../define.ts';
import { DISPOSABLE, isMadeDisposable } from '../shared/notes.ts';
import { branchNotFound, heirOf, labelSwapped } from '../shared/branch-labels.ts';
import {
  beginningRefused,
  expired,
  expiring,
  expiryRefused,
  hasLapsed,
  isDeclarationOf,
  isLapsed,
  isReset,
  keepingRefused,
  lapsedBefore,
  parentRefused,
  resetAhead,
  resetOver,
  resetRefused,
} from './expiry.ts';
import { isOver } from '../../model/attributes.ts';
import { diagnosed } from '../shared/problems.ts';
import { vanishedWords } from '../shared/vanished.ts';
import { attributes } from './attributes.ts';
import { defaultBranchIn } from './effects.ts';

/** The operations by which the service creates a branch (account reference 1.3). */
const MAKING = ['create_branch', 'create_timeline'];

/** A declaration whose `expires_at` is past creates and changes nothing. */
export const branchVerdict: Judge = ({ desired, live, context }) => {
  const consented = agreed(desired, live, context);
  if (desired.absent) return { consented };
  if (isOver({ attributes }, desired.spec, context.nowMs)) return { diagnostics: [expired(desired, live)] };
  if (live === null) return newBranch(desired, context);
  const refused = [
    ...resetRefused(desired, live, context),
    ...expiryRefused(desired, live, context),
    ...keepingRefused(desired, live),
  ];
  return {
    notes: [...refused, ...resetAhead(desired, context)],
    // Consent to delete the branch includes consent to reset it.
    consented: isReset(desired, live, context) ? consented : null,
    blockedBy: refused.length === 0 ? [] : ['refused'],
    diagnostics: [
      ...unfinished(desired, live, context),
      ...expiring(desired, live, context.nowMs),
      ...resetOver(desired, live, context),
    ],
  };
};

function newBranch(desired: DesiredResource, context: KindContext): Judgement {
  const refused = [
    ...expiryRefused(desired, null, context),
    ...parentRefused(desired, context),
    ...beginningRefused(desired, context),
  ];
  return {
    vanished: vanishedBranch(desired, context),
    lapsed: hasLapsed(desired, context),
    notes: [...refused, ...lapsedBefore(desired, context)],
    blockedBy: [
      ...(refused.length === 0 ? [] : (['refused'] as const)),
      ...(mayBeTheDefault(desired, context) ? (['rename_or_create'] as const) : []),
    ],
    diagnostics: missingParent(desired, context) ?? sharedPassword(desired, context),
  };
}

/** Words for a branch that was deleted outside trueup, else null. A branch that expired is simply re-created. */
function vanishedBranch(
  { pin, spec, scope, movedFrom, set, options }: DesiredResource,
  { facts, liveProject }: KindContext,
): string | null {
  // These branches are meant to be deleted.
  if (set !== undefined || options['disposable'] === true) return null;
  return vanishedWords(facts['gone'], {
    pin,
    names: [spec['name'], ...(movedFrom === null ? [] : [movedFrom])],
    isHere: (one) => one['project_id'] === liveProject?.id && (pin !== null || !isLapsed(one)),
    pathOf: (id) => `/projects/${liveProject?.id ?? scope}/branches/${id}`,
  });
}

/** True if a new entry declares the default branch: it may mean the live default branch under a new label. */
function mayBeTheDefault({ spec, pin, movedFrom, isNew }: DesiredResource, { around }: KindContext): boolean {
  const isSaid = isNew || pin !== null || movedFrom !== null;
  return spec['default'] === true && !isSaid && defaultBranchIn(around, null) !== null;
}

function unfinished(
  desired: DesiredResource,
  { id, observed, createdAtMs }: LiveResource,
  { history, nowMs }: KindContext,
): readonly Diagnostic[] {
  if (observed['current_state'] !== 'init') return [];
  const making = (history?.operations ?? []).find(({ branchId, action }) => branchId === id && MAKING.includes(action));
  const hasEnded = making !== undefined && hasFailed(making) && making.retryAtMs === null;
  const isForgotten = making === undefined && createdAtMs !== null && nowMs - createdAtMs > LONGEST_MAKING_MS;
  if (!hasEnded && !isForgotten) return [];
  const why = hasEnded
    ? `its ${making.action} ${making.id} ended as ${making.status}`
    : `the creation began ${isoTime(createdAtMs ?? nowMs)}, and the operation log does not show its end`;
  return [
    diagnosed(desired, '', {
      code: 'unfinished',
      message: `${id} was never finished: ${why}; the service may refuse to create resources on it`,
      hint: `Delete it (state: absent, apply --allow drop:${desired.address}) and create it again, or ask the service to finish it.`,
    }),
  ];
}

const LONGEST_MAKING_MS = 600_000;

/** Members of sets and disposable branches need no further consent to be deleted, as long as their notes stay. */
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

/** False for a branch that something depends on, or that differs from its declaration: its deletion needs consent. */
function isFree(
  { spec: { name, parent_id: parent } }: DesiredResource,
  { id, spec }: LiveResource,
  { around, project }: Pick<KindContext, 'around' | 'project'>,
): boolean {
  const isDeclaredOne = spec['name'] === name && (parent === undefined || spec['parent_id'] === parent);
  const hasLabel = Object.values(project?.labels ?? {}).includes(id);
  const hasChildren = around.some((other) => other.spec['parent_id'] === id);
  const isKept = spec['default'] === true || spec['protected'] === true || hasLabel || hasChildren;
  return isDeclaredOne && !isKept;
}

/** Null if no parent is missing from the complete list of branches. */
function missingParent(desired: DesiredResource, context: KindContext): readonly Diagnostic[] | null {
  const parent = desired.spec['parent_id'] ?? desired.spec['schema_of'];
  if (typeof parent !== 'string') return null;
  const heir = heirOf(parent, context.around);
  const swapped = heir === null ? [] : labelSwapped(desired, [parent, heir], context, 'from');
  if (swapped.length > 0) return swapped;
  const branches = context.around.filter(({ kind }) => kind === desired.kind);
  if (branches.length === 0 || branches.some(({ id }) => id === parent)) return null;
  return [branchNotFound(desired, parent, context, 'from')];
}

/** Warns of shared passwords: the service creates new passwords only under a protected parent ("Branches", ten facts). */
function sharedPassword(desired: DesiredResource, { around, declared }: KindContext): readonly Diagnostic[] {
  const { spec, set, scope } = desired;
  const isMissing = (one: DesiredResource): boolean =>
    !around.some(({ kind, spec: { name } }) => kind === one.kind && name === one.spec['name']);
  // Each set gets one warning, at its first member that does not exist yet.
  if (set !== undefined && declared.find((one) => one.set === set && isMissing(one)) !== desired) return [];
  const address = set === undefined ? desired.address : setAddress(scope, set);
  if (spec['init_source'] === 'schema-only') return [];
  const parentId = spec['parent_id'] ?? defaultBranchIn(around, null)?.id;
  const live = around.find(({ kind, id }) => kind === desired.kind && id === parentId);
  const planned = declared.find((one) =>
    isReference(parentId) ? one.address === parentId.ref : live !== undefined && isDeclarationOf(one, live),
  );
  if (planned === undefined && live === undefined) return [];
  if (willBeProtected(planned, live)) return [];
  const name = isReference(parentId) ? parentId.ref : `the branch ${JSON.stringify(live?.spec['name'] ?? '?')}`;
  return [
    diagnosed(desired, 'from', {
      code: 'shared_password',
      message: `${address} copies ${name}, which is not protected, so the roles of ${address} keep the passwords of ${name}`,
      hint: 'Protect the parent (protected: true), or reset the passwords on the new branch (rotate: { not_before: TIME }).',
    }),
  ];
}

function willBeProtected(planned: DesiredResource | undefined, live: LiveResource | undefined): boolean {
  const isLeft =
    planned?.lifecycle.ignore.includes('protected') === true ||
    planned?.lifecycle.hold.some(({ path }) => path === 'protected') === true;
  const wanted = isLeft ? undefined : planned?.spec['protected'];
  return (wanted ?? live?.spec['protected'] ?? false) === true;
}
