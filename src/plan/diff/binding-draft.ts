// What every change of a declaration has in common, filled in from its binding.
import type { Change } from '../../model/outcome/plan.ts';
import { isUnpinned } from '../match/claims.ts';
import type { Binding } from '../match/claims.ts';
import type { Draft } from './draft.ts';
import { changedWithoutOperation, lastOperationOf } from './history.ts';
import { parentIdOf } from '../scope.ts';
import type { Scope } from '../scope.ts';

/** A change with what every change of this binding shares. */
export function changeOf(
  scope: Scope,
  binding: Binding,
  own: Pick<Change, 'action' | 'before' | 'after'> & Partial<Change>,
): Change {
  const { desired, live } = binding;
  const effect = scope.rules.effect({
    action: own.action,
    before: own.before,
    after: own.after,
    attributes: own.attributes ?? [],
    live,
    project: scope.declaration,
  });
  const sinks = own.action !== 'none' && own.after !== null ? (scope.rules.sinks?.(desired) ?? []) : [];
  const differs = live !== null && (own.attributes ?? []).length > 0;
  const changedAt = differs ? changedWithoutOperation(scope, live) : null;
  return {
    address: desired.address,
    kind: desired.kind,
    name: desired.name,
    resourceId: live?.id ?? null,
    projectId: scope.project?.id ?? null,
    ...parentIdOf(scope),
    matchedBy: binding.matchedBy,
    attributes: [],
    impact: effect.impact,
    impactDetails: effect.details,
    reasons: [],
    blockedBy: [],
    held: [],
    due: false,
    origin: 'file',
    source: desired.source,
    lastOperation: live === null ? null : lastOperationOf(scope, live.id, own.action),
    ...(changedAt === null ? {} : { changedAt }),
    replacePaths: [],
    ...(isUnpinned(scope, binding) ? { pinned: false } : {}),
    ...(sinks.length === 0 ? {} : { sinks }),
    ...own,
    notes: [...(own.notes ?? []), ...effect.notes],
  };
}

/** A draft of the binding's own resource. */
export function draftOf(scope: Scope, binding: Binding, change: Change, content: Partial<Draft>): Draft {
  return {
    key: `${change.action}:${change.address}`,
    scope,
    change,
    desired: binding.desired,
    live: binding.live,
    specAfter: null,
    send: {},
    expect: {},
    restsOn: [],
    needsAllowance: [],
    consented: false,
    isGuess: false,
    restarts: false,
    successor: null,
    ...content,
  };
}
