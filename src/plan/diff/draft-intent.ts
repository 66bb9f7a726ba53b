// Drafts the changes that a kind proposes although no attribute differs: restarts, rotations, replacements, revocations.
import { identityOf } from '../../model/attributes.ts';
import { addressOf, type Address } from '../../model/address.ts';
import { mergeDeep } from '../../model/values.ts';
import { names } from '../guard/consents.ts';
import type { Binding } from '../match/match-state.ts';
import { picked } from '../../base/picked.ts';
import type { Intent, Verdict } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';
import { draftOf, type Draft } from './draft.ts';

export function intents(scope: Scope, binding: Binding, verdict: Verdict): readonly Draft[] {
  // An intent with `onRequest` becomes a change only if an allowance names it.
  const isWanted = (intent: Intent): boolean =>
    intent.onRequest !== true || names(scope.allow, ['*', intent.action], allowedBy(intent, scope) ?? []);
  return verdict.intents.filter(isWanted).map((intent) => intentDraft(scope, binding, intent));
}

/** Returns the addresses of which an allowance must name one before the intent runs; null if the intent needs no allowance. */
function allowedBy({ allowance, target }: Intent, { label }: Scope): readonly Address[] | null {
  if (allowance === undefined) return null;
  return target === null ? [allowance] : [allowance, addressOf(label, target.id)];
}

function intentDraft(scope: Scope, binding: Binding, intent: Intent): Draft {
  const { action, target, notes, reasons, blockedBy, due, origin, consented } = intent;
  const { live } = binding;
  const isOwn = target === null || target.id === live?.id;
  const matchedBy = isOwn || live === null ? binding.matchedBy : `beside ${live.id}, the declared one`;
  const spec = target?.spec ?? {};
  const identity = picked(spec, identityOf(scope.rules));
  const wanted = mergeDeep(identity, binding.desired.spec);
  const isRestart = action === 'restart';
  const makes = action === 'rotate' || action === 'replace';
  const shown = isRestart ? identity : spec;
  const after = action === 'revoke' ? null : isRestart ? identity : wanted;
  const own = { action, before: target === null ? null : shown, after, notes, reasons, blockedBy, due, origin };
  return draftOf(
    scope,
    { ...binding, live: target, matchedBy },
    // A rotation without a target creates a successor; until then, the address means the present resource.
    target === null ? { ...own, resourceId: live?.id ?? null } : own,
    {
      key: `${action}:${binding.desired.address}${isOwn ? '' : `#${target.id}`}`,
      specAfter: isRestart ? spec : makes ? wanted : null,
      send: makes ? wanted : {},
      expect: shown,
      options: intent.options ?? {},
      restsOn: intent.restsOn ?? [],
      consented,
      isGuess: intent.isGuess === true,
      needsAllowance: allowedBy(intent, scope),
      restarts: isRestart,
    },
  );
}
