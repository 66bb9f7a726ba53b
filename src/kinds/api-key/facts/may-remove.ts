// Whether the plan will propose to remove a key that may be in use: only then is it worth finding out which one is our own.
import type { FactsInput, MoreLooks } from '../../../apply/kind-remote.ts';
import { factsToJson, type KeyFacts } from './facts.ts';
import { liveKey } from '../live-key.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';

/** True when a plan with these facts revokes or replaces a live key. */
export function mayRemove(input: FactsInput, rules: KindRules, looks: MoreLooks, facts: KeyFacts): boolean {
  return (facts.orphans.length > 0 || isConceivable(input, looks)) && isPlanned(input, rules, looks, facts);
}

/** Something asks for it: a removal, an allowance, a prune, or a second key of one name. Mostly nothing does, and that is quickly seen. */
function isConceivable({ desired, live, pruned = false }: FactsInput, { allow }: MoreLooks): boolean {
  if (pruned || allow.length > 0 || desired.some(({ absent }) => absent)) return true;
  return new Set(live.map((resource) => liveKey(resource).name)).size < live.length;
}

function isPlanned(
  { desired, live, pruned = false }: FactsInput,
  rules: KindRules,
  { nowMs, allow, target, exclude, plan }: MoreLooks,
  facts: KeyFacts,
): boolean {
  const { changes } = plan({
    nowMs,
    allow,
    target,
    exclude,
    baseUrl: '',
    desired: {
      expect: null,
      projects: [],
      resources: desired,
      accountPrune: pruned ? [rules.kind] : [],
      safety: [],
    },
    live: {
      projects: [],
      resources: live,
      histories: new Map(),
      unread: [],
      facts: new Map([[rules.kind, factsToJson(facts)]]),
    },
    kinds: [rules],
    consent: 'reviewed',
    due: true,
  });
  return changes.some(({ action, resourceId }) => (action === 'revoke' || action === 'replace') && resourceId !== null);
}
