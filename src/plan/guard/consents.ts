// Decides whether a change has the consents that it needs: from `--allow` (an allowance), from a review, or from the file.
import { listed } from '../../base/picked.ts';
import { removalOf, addressesOf, amend, removes, type Draft } from '../diff/draft.ts';
import { addressOf, matchesGlob, type Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/live.ts';
import { DROP, givenBy, RECREATE, withinRule, type NeededConsent } from '../../model/outcome/impact.ts';
import { consentsTo, type Block, type Change } from '../../model/outcome/plan.ts';
import type { Allowance, PlanInput } from '../input.ts';
import type { Scope } from '../scope.ts';

/** Records whether, and how, each consent that the change needs was given. */
export function addConsents(draft: Draft, allow: readonly Allowance[]): void {
  const { change, consented, misnamed, desired } = draft;
  const { consents = [] } = change;
  const { byRule } = desired ?? {};
  const giverOf = (one: NeededConsent): NeededConsent['given'] => {
    // A declaration may give consent for its own drops; every other type of consent comes from an allowance.
    const isOwn = consented && one.word === DROP;
    const given = isOwn ? 'file' : givenBy(one, byRule === undefined ? allow : withinRule(byRule.rule, allow));
    return misnamed !== undefined && given !== 'literal' ? null : given;
  };
  if (consents.length > 0) amend(draft, { consents: consents.map((one) => ({ ...one, given: giverOf(one) })) });
}

/** Returns the blocks of a change that lacks a consent or an allowance. */
export function lacking(draft: Draft, { allow, consent }: PlanInput): readonly Block[] {
  const { change, misnamed, needsAllowance } = draft;
  const { action, consents = [] } = change;
  const words = listed('*', action, !removes(change) && 'restart');
  const isGiven = needsAllowance === null || names(allow, words, needsAllowance);
  const unfillable = listed<Block>(!isGiven && 'sink_unfillable');
  const unnamed = misnamed === undefined ? 'allowance' : 'name_differs';
  const lost = consents.flatMap(({ word, given }): readonly Block[] =>
    given !== null ? [] : word === RECREATE ? ['vanished'] : [unnamed],
  );
  if (lost.length > 0) return [...lost, ...unfillable];
  // Changes with consent types are judged above. Any other change with a differing name needs an allowance for the address `misnamed`.
  if (misnamed !== undefined && consents.length === 0 && !namesLiterally(allow, [action], [misnamed]))
    return ['name_differs'];
  return isGiven && !isConsented(draft, allow, consent) ? ['consent'] : unfillable;
}

function isConsented(draft: Draft, allow: readonly Allowance[], consent: PlanInput['consent']): boolean {
  const { change, consented, isGuess } = draft;
  if (consent === 'reviewed') return true;
  const isCovered = consentsTo(change).every((word) => isNamed(draft, [word], allow, isGuess));
  return (isCovered || consented) && (consent === 'unattended' || harmsNobody(change));
}

function harmsNobody({ action, impact }: Change): boolean {
  return impact.every(
    (word) => word === 'none' || word === 'secret_created' || (word === 'cold_start' && action === 'create'),
  );
}

/** True if allowances cover the change. An allowance for `restart` covers every change that restarts the resource, except removals. */
export function isAllowed(draft: Draft, allow: readonly Allowance[]): boolean {
  const { change, restarts } = draft;
  const { consents = [] } = change;
  if (consents.length > 0) return consents.every((one) => one.given === 'file' || givenBy(one, allow) !== null);
  const restarting = restarts && !removes(change) ? ['restart'] : [];
  return isNamed(draft, [change.action, ...consentsTo(change), ...restarting], allow);
}

export function isNamedForRemoval({ label, rules, allow }: Scope, { id }: LiveResource): boolean {
  return namesLiterally(allow, ['*', removalOf(rules)], [addressOf(label, id)]);
}

/** True if an allowance names the change. For a kind with consent types, only a literal address counts. */
function isNamed(
  { change, scope }: Draft,
  words: readonly string[],
  allow: readonly Allowance[],
  isLiteral = false,
): boolean {
  const addresses = addressesOf(change, scope.label);
  if (change.consents !== undefined) return namesLiterally(allow, words, addresses);
  return (isLiteral ? namesLiterally : names)(allow, ['*', ...words], addresses);
}

/** True if an allowance for one of the consent types or actions in `words` covers one of the addresses. */
export function names(allow: readonly Allowance[], words: readonly string[], addresses: readonly Address[]): boolean {
  return allow.some((one) => words.includes(one.action) && addresses.some((name) => matchesGlob(one.address, name)));
}

function namesLiterally(allow: readonly Allowance[], words: readonly string[], addresses: readonly Address[]): boolean {
  return allow.some(({ action, address }) => words.includes(action) && addresses.includes(address));
}
