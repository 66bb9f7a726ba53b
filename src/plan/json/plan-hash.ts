// The hash by which a plan is recognised when it is made again.
import { canonicalJson, compareText, digestOf, type Json, type JsonObject } from '../../base/json.ts';
import { consentText, DROP, type NeededConsent } from '../../model/outcome/consent.ts';
import type { Change, ExceededLimit, Expectation, Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { guardMeanings } from '../guard/guards-in-force.ts';
import { lastingBlocks } from '../guard/guard-plan.ts';
import { expectationToJson } from './change-json.ts';

export interface Hashed extends Pick<Plan, 'steps' | 'changes' | 'guards' | 'options'> {
  /** The limits of the files that the steps exceed. */
  readonly limitsCovered: readonly ExceededLimit[];
  /** Where secrets go, by address. */
  readonly sinks: Readonly<Record<string, readonly string[]>>;
}

/** Digest of what would be done, under which guards, and where secrets go; not of the clock, nor of runtime noise. */
export function planHashOf(plan: Hashed): string {
  const { due, noHistory, exclude } = plan.options;
  // A change that only the clock asks for needs no consent yet.
  const asked = plan.changes.filter((change) => due || !change.due);
  const given = givenTexts(asked.flatMap(({ consents = [] }) => consents));
  const blocked = asked.flatMap((change): readonly string[] => {
    const words = lastingBlocks(change);
    const { action, address, resourceId } = change;
    return words.length === 0 ? [] : [canonicalJson([action, address, resourceId, words.toSorted(compareText)])];
  });
  const more = blocked.length + exclude.length === 0 ? [] : [[...blocked].sort(compareText), exclude];
  return digestOf([...partsOf(plan), given.length === 0 ? noHistory : [noHistory, given], ...more]);
}

/** The steps, the values before and after, the guards with the limits that the steps exceed, and the sinks. */
function partsOf({ steps, changes, guards, sinks, limitsCovered }: Hashed): readonly unknown[] {
  const ids = new Set(steps.map(({ id }) => id));
  const running = changes.filter((change) => change.action !== 'none' && stepIdsOf(change).some((id) => ids.has(id)));
  const exceeded = limitsCovered.map(({ limit, project }) => canonicalJson([limit, project])).sort(compareText);
  return [
    [...steps].sort((a, b) => compareText(a.id, b.id)).map(stepMeaning),
    running
      .map(({ address, after, before, resourceId }) => ({ address, after, before, resourceId }))
      .sort((a, b) => compareText(a.address, b.address) || compareText(a.resourceId ?? '', b.resourceId ?? '')),
    exceeded.length === 0 ? guardMeanings(guards) : [guardMeanings(guards), ...exceeded],
    sinks,
  ];
}

/** The given ones, once each and in order. */
function givenTexts(consents: readonly NeededConsent[]): readonly string[] {
  const given = consents.flatMap((one) => (one.given === null ? [] : [`${consentText(one)}${mannerOf(one)}`]));
  return [...new Set(given)].sort(compareText);
}

/** How it was given, where that counts: a drop that only a pattern names counts towards a limit, and a declaration lifts more than its word. */
function mannerOf({ word, given }: NeededConsent): string {
  if (given === 'file') return ' by declaration';
  return word === DROP && given === 'pattern' ? ' by pattern' : '';
}

function stepMeaning({ action, address, body, expects, method, needs, path }: Step): Json {
  return { action, address, body, expects: lastingOf(expects), method, needs, path };
}

/** What is expected without what passes: that may have changed by the time the plan is made anew. */
function lastingOf(expects: Expectation): JsonObject {
  if (expects.state === 'absent') return expectationToJson(expects);
  const { stake, ...rest } = expects;
  const { lasting, restsOn } = expects.fingerprint;
  const shown = stake === undefined ? {} : { stake: [stake.usedAt, stake.version, tenths(stake.bytes)] };
  return { ...expectationToJson(rest), ...shown, fingerprint: { lasting, rests_on: restsOn } };
}

/** A number that differs wherever a size has grown by more than a tenth, and seldom where it has grown by less. */
function tenths(bytes: number | null): number | null {
  return bytes === null ? null : Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1.1));
}

/** Ids under which a change's own step may stand in the plan. */
function stepIdsOf({ action, address, resourceId }: Change): StepId[] {
  if (action === 'replace') return [`create:${address}`, `delete:${address}`, `revoke:${address}`];
  return [`${action}:${address}`, `${action}:${address}#${resourceId ?? ''}`];
}
