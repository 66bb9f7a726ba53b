// The consent to a change: by an allowance, by a review, or by the file.
import { removalOf, addressesOf, removes, type Draft } from '../diff/draft.ts';
import { addressOf, matchesGlob, type Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/live.ts';
import { givenBy, RECREATE, type NeededConsent } from '../../model/outcome/consent.ts';
import { consentsTo, type Block, type Change } from '../../model/outcome/plan.ts';
import type { Allowance, PlanInput } from '../input.ts';
import type { Scope } from '../scope.ts';

export function withConsents(draft: Draft, allow: readonly Allowance[]): Draft {
  const { change, consented, misnamed } = draft;
  const { consents = [] } = change;
  if (consents.length === 0) return draft;
  const giverOf = (one: NeededConsent): NeededConsent['given'] => {
    const given = consented ? 'file' : givenBy(one, allow);
    return misnamed !== undefined && given !== 'literal' ? null : given;
  };
  return { ...draft, change: { ...change, consents: consents.map((one) => ({ ...one, given: giverOf(one) })) } };
}

/** The blocks of a change without the consents that it needs. */
export function lacking(draft: Draft, input: PlanInput): readonly Block[] {
  const unnamed = draft.misnamed !== undefined ? 'name_differs' : 'allowance';
  const lost = (draft.change.consents ?? []).filter(({ given }) => given === null);
  const isGiven = draft.needsAllowance.every((names) => isGranted(names, draft, input.allow));
  const unfillable: readonly Block[] = isGiven ? [] : ['sink_unfillable'];
  if (lost.length > 0)
    return [...new Set(lost.map(({ word }) => (word === RECREATE ? 'vanished' : unnamed))), ...unfillable];
  if (draft.misnamed !== undefined && !namesIt(draft.misnamed, draft, input.allow)) return ['name_differs'];
  if (!isGiven) return unfillable;
  return consents(draft, input) ? [] : ['consent'];
}

/** A loss is consented to by this address already; other changes need a literal allowance. */
function namesIt(misnamed: Address, { change }: Draft, allow: readonly Allowance[]): boolean {
  if ((change.consents ?? []).length > 0) return true;
  return allow.some(({ action, address }) => action === change.action && address === misnamed);
}

function consents(draft: Draft, input: PlanInput): boolean {
  const { change, consented } = draft;
  if (input.consent === 'reviewed') return true;
  const needed = consentsTo(change);
  const allow = draft.isGuess ? namingLiterally(draft, input.allow) : input.allow;
  if (!needed.every((word) => isNamed(draft, [word], allow)) && !consented) return false;
  return input.consent === 'unattended' || harmsNobody(change);
}

function harmsNobody({ action, impact }: Change): boolean {
  return impact.every(
    (word) => word === 'none' || word === 'secret_created' || (word === 'cold_start' && action === 'create'),
  );
}

function isGranted(names: readonly Address[], { change }: Draft, allow: readonly Allowance[]): boolean {
  const words = ['*', change.action, ...(removes(change) ? [] : ['restart'])];
  return allow.some(
    ({ action, address }) => words.includes(action) && names.some((name) => matchesGlob(address, name)),
  );
}

function namingLiterally({ change, scope }: Draft, allow: readonly Allowance[]): readonly Allowance[] {
  const names = addressesOf(change, scope.label);
  return allow.filter(({ address }) => names.includes(address));
}

/** `restart` allows every change that restarts the resource. */
export function isAllowed(draft: Draft, allow: readonly Allowance[]): boolean {
  const { change, restarts } = draft;
  const { consents: needed } = change;
  if (needed !== undefined && needed.length > 0)
    return needed.every((one) => one.given === 'file' || givenBy(one, allow) !== null);
  const restarting = restarts && !removes(change) ? ['restart'] : [];
  return isNamed(draft, [change.action, ...consentsTo(change), ...restarting], allow);
}

export function isNamedForRemoval({ label, rules, allow }: Scope, { id }: LiveResource): boolean {
  return allow.some(
    ({ action, address }) => address === addressOf(label, id) && (action === '*' || action === removalOf(rules)),
  );
}

/** For a kind with consent types of its own, an action consents only to a literal address. */
function isNamed(draft: Draft, words: readonly string[], allow: readonly Allowance[]): boolean {
  const names = addressesOf(draft.change, draft.scope.label);
  if (draft.change.consents !== undefined)
    return allow.some(({ action, address }) => words.includes(action) && names.includes(address));
  return allow.some(
    ({ action, address }) =>
      (action === '*' || words.includes(action)) && names.some((name) => matchesGlob(address, name)),
  );
}
