// Changes that a kind proposes besides differences: restarts, rotations, retirements, replacements.
import { identityOf } from '../../model/attributes.ts';
import { addressOf, type Address } from '../../model/address.ts';
import { mergeDeep } from '../../model/paths.ts';
import type { Binding } from '../match/match-state.ts';
import { changeOf, draftOf } from './binding-draft.ts';
import { picked } from '../../base/picked.ts';
import type { Draft } from './draft.ts';
import type { Intent } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';

/** The addresses by which an allowance may name the intent: the kind's own address, or the id of the target. */
export function allowedBy({ allowance, target }: Intent, { label }: Scope): readonly Address[] {
  if (allowance === undefined) return [];
  return target === null ? [allowance] : [allowance, addressOf(label, target.id)];
}

export function intentDraft(scope: Scope, binding: Binding, intent: Intent): Draft {
  const isOwn = intent.target === null || intent.target.id === binding.live?.id;
  const matchedBy = isOwn || binding.live === null ? binding.matchedBy : `beside ${binding.live.id}, the declared one`;
  const target: Binding = { ...binding, live: intent.target, matchedBy };
  const spec = intent.target?.spec ?? {};
  const identity = picked(spec, identityOf(scope.rules));
  const wanted = mergeDeep(identity, binding.desired.spec);
  const makes = intent.action === 'rotate' || intent.action === 'replace';
  const before = intent.target === null ? null : intent.action === 'restart' ? identity : spec;
  const after = intent.action === 'revoke' ? null : intent.action === 'restart' ? identity : wanted;
  const drafted = changeOf(scope, target, {
    action: intent.action,
    before,
    after,
    notes: intent.notes,
    reasons: intent.reasons,
    blockedBy: intent.blockedBy,
    due: intent.due,
    origin: intent.origin,
  });
  // A rotation creates a successor; until then the address stands for its predecessor.
  const change = intent.target === null ? { ...drafted, resourceId: binding.live?.id ?? null } : drafted;
  return draftOf(scope, target, change, {
    key: `${change.action}:${change.address}${isOwn ? '' : `#${intent.target.id}`}`,
    specAfter: intent.action === 'restart' ? spec : makes ? wanted : null,
    send: makes ? wanted : {},
    expect: intent.action === 'restart' ? identity : spec,
    ...(intent.options === undefined ? {} : { options: intent.options }),
    restsOn: intent.restsOn ?? [],
    consented: intent.consented,
    isGuess: intent.isGuess === true,
    needsAllowance: intent.allowance === undefined ? [] : [allowedBy(intent, scope)],
    restarts: intent.action === 'restart',
  });
}
