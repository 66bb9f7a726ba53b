// Makes the hash of a plan; with `--expect-hash`, apply refuses a plan with another hash.
import { canonicalJson, compareText, digestOf, type Json, type JsonObject } from '../../base/json.ts';
import { consentText, DROP, type NeededConsent } from '../../model/outcome/impact.ts';
import type { Change, ExceededLimit, Expectation, Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { lastingBlocks } from '../guard/guard-plan.ts';
import { planJson } from './forms.ts';

export interface Hashed extends Pick<Plan, 'steps' | 'changes' | 'guards' | 'options'> {
  /** The files' limits that the steps in the hash exceed. */
  readonly limitsCovered: readonly ExceededLimit[];
  readonly sinks: Readonly<Record<string, readonly string[]>>;
}

/** Returns the digest of steps, values, guards and sinks. Neither time nor passing facts (see `Marks`) alter the digest. */
export function planHashOf(plan: Hashed): string {
  const { due, noHistory, exclude } = plan.options;
  // Without `--due`, a due change needs no consent yet.
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

/** Returns the content of the files' guards, without source ranges and repeats. */
function guardMeanings(guards: Plan['guards']): readonly string[] {
  const texts = guards
    .filter(({ from }) => from === 'file')
    .map(({ guard, project, address, value }) => canonicalJson([guard, project, address, value]));
  return [...new Set(texts)].sort(compareText);
}

function givenTexts(consents: readonly NeededConsent[]): readonly string[] {
  const given = consents.flatMap((one) => (one.given === null ? [] : [`${consentText(one)}${mannerOf(one)}`]));
  return [...new Set(given)].sort(compareText);
}

/** Says how a consent was given, because `max_drops` counts only drops by pattern, and drops by declaration have no idle limit. */
function mannerOf({ word, given }: NeededConsent): string {
  if (given === 'file') return ' by declaration';
  return word === DROP && given === 'pattern' ? ' by pattern' : '';
}

function stepMeaning({ action, address, body, expects, method, needs, path }: Step): Json {
  return { action, address, body, expects: lastingOf(expects), method, needs, path };
}

/** Returns the expectation without passing facts (see `Marks`), because a change of these must not alter the hash. */
function lastingOf(expects: Expectation): JsonObject {
  if (expects.state === 'absent') return planJson.write(expects, 'PlanExpectation');
  const { stake, ...rest } = expects;
  const { lasting, restsOn } = expects.fingerprint;
  const shown = stake === undefined ? {} : { stake: [stake.usedAt, stake.version, tenths(stake.bytes)] };
  return { ...planJson.write(rest, 'PlanExpectation'), ...shown, fingerprint: { lasting, rests_on: restsOn } };
}

/** Rounds a size to steps of 10 %, so that the plan's hash stays the same while the size grows only a little. */
function tenths(bytes: number | null): number | null {
  return bytes === null ? null : Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1.1));
}

function stepIdsOf({ action, address, resourceId }: Change): StepId[] {
  if (action === 'replace') return [`create:${address}`, `delete:${address}`, `revoke:${address}`];
  return [`${action}:${address}`, `${action}:${address}#${resourceId ?? ''}`];
}
