// Tells whether the plan may remove a key: only then does the run need to know its own key.
import type { FactsInput, MoreLooks } from '../../../apply/kind-remote.ts';
import { factsToJson, type KeyFacts } from './facts.ts';
import { liveKey } from '../live-key.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';

/** True if a plan with these facts revokes or replaces a live key. */
export function mayRemove(input: FactsInput, rules: KindRules, looks: MoreLooks, facts: KeyFacts): boolean {
  return (facts.orphans.length > 0 || isConceivable(input, looks)) && isPlanned(input, rules, looks, facts);
}

/** True if a removal, an allowance, a prune, or a second key of one name can ask for a removal. This check is cheap. */
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
