// The hash by which a plan is recognised when it is made anew, and by which is told what became different.
import { canonicalJson, compareText, digestOfText, type Json, type JsonObject } from '../../base/json.ts';
import { consentText, DROP, type NeededConsent } from '../../model/outcome/consent.ts';
import type { Change, Expectation, Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { guardMeanings } from '../guard/guards-in-force.ts';
import type { LiftedLimit } from '../guard/limits.ts';
import { expectationToJson } from './change-json.ts';

export interface Hashed extends Pick<Plan, 'steps' | 'changes' | 'guards' | 'options'> {
  readonly limitsLifted: readonly LiftedLimit[];
  /** Where secrets go, by address. */
  readonly sinks: Readonly<Record<string, readonly string[]>>;
}

/** What a hash covers, in the order of its parts; in words for whoever gave another one. */
export const HASHED_PARTS = [
  'the steps',
  'the values before and after',
  'the guards of the files and what lifts them',
  'where secrets go',
  'the logs and consents that it rests on',
] as const;

/** Hexadecimal digits that tell of one part. */
const PART_DIGITS = 3;
const DIGITS = 64;
const PREFIX = 'sha256:';

/** What the digits of a part may amount to. */
const WEIGHTS: number = 16 ** PART_DIGITS;

/**
 * Digest of what would be done, under which guards, and where secrets go; not of the clock, nor of runtime noise. It begins with
 * that of all (196 bits), and ends with a few digits of each part: so that two hashes alone tell what differs. Those of the consents are a
 * sum: whoever seeks the ones that a hash rests on adds, and writes no text.
 */
export function planHashOf(plan: Hashed): string {
  const { noHistory } = plan.options;
  const given = givenTexts(consentsAsked(plan.changes, plan.options));
  const parts = [...partsOf(plan), given.length === 0 ? noHistory : [noHistory, given]].map(canonicalJson);
  const tails = [...parts.slice(0, -1).map(digitsOf), hexDigits(weightOf([canonicalJson(noHistory), ...given]))];
  const all = hexOf(`[${parts.join(',')}]`);
  return `${PREFIX}${all.slice(0, DIGITS - tails.length * PART_DIGITS)}${tails.join('')}`;
}

function digitsOf(text: string): string {
  return hexOf(text).slice(0, PART_DIGITS);
}

function weightOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + parseInt(digitsOf(text), 16), 0);
}

function hexDigits(weight: number): string {
  return (weight % WEIGHTS).toString(16).padStart(PART_DIGITS, '0');
}

/** The parts by which two hashes of this version differ; empty where that cannot be told. */
export function differingParts(one: string, other: string): readonly string[] {
  return HASHED_PARTS.filter((_, at) => tailOf(one, at) !== tailOf(other, at));
}

/** Tells of further consents whether a hash can be of a plan that rests on them, and on those `asked` that are given: false where it is of none. */
export function mayRestOn(
  hash: string,
  { noHistory }: Pick<Plan['options'], 'noHistory'>,
  asked: readonly NeededConsent[],
): (given: readonly NeededConsent[]) => boolean {
  const before = weightOf([canonicalJson(noHistory), ...givenTexts(asked)]);
  const tail = tailOf(hash, HASHED_PARTS.length - 1);
  const weights = new Map<NeededConsent, number>();
  const weighed = (one: NeededConsent): number => {
    const weight = weights.get(one) ?? weightOf(givenTexts([one]));
    weights.set(one, weight);
    return weight;
  };
  return (given) => hexDigits(given.reduce((sum, one) => sum + weighed(one), before)) === tail;
}

function tailOf(hash: string, part: number): string {
  const from = PREFIX.length + DIGITS - (HASHED_PARTS.length - part) * PART_DIGITS;
  return hash.slice(from, from + PART_DIGITS);
}

function hexOf(text: string): string {
  return digestOfText(text).slice(PREFIX.length);
}

/** All but what it rests on. */
function partsOf({ steps, changes, guards, sinks, limitsLifted }: Hashed): readonly unknown[] {
  const ids = new Set(steps.map(({ id }) => id));
  const running = changes.filter((change) => change.action !== 'none' && stepIdsOf(change).some((id) => ids.has(id)));
  const lifted = limitsLifted
    .map(({ limit, project, addresses }) => canonicalJson([limit, project, addresses]))
    .sort(compareText);
  return [
    [...steps].sort((a, b) => compareText(a.id, b.id)).map(stepMeaning),
    running
      .map(({ address, after, before, resourceId }) => ({ address, after, before, resourceId }))
      .sort((a, b) => compareText(a.address, b.address) || compareText(a.resourceId ?? '', b.resourceId ?? '')),
    // Where nothing is lifted the hash is what it has always been.
    lifted.length === 0 ? guardMeanings(guards) : [guardMeanings(guards), ...lifted],
    sinks,
  ];
}

/** All consents, given or missing, to what is asked for: what only the clock brings has none yet. */
export function consentsAsked(
  changes: readonly Change[],
  { due }: Pick<Plan['options'], 'due'>,
): readonly NeededConsent[] {
  return changes.flatMap((change) => (change.due && !due ? [] : (change.consents ?? [])));
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
  const json = expectationToJson(expects);
  if (expects.state === 'absent') return json;
  const { lasting, restsOn } = expects.fingerprint;
  return { ...json, fingerprint: { lasting, rests_on: restsOn } };
}

/** Ids under which a change's own step may stand in the plan. */
function stepIdsOf({ action, address, resourceId }: Change): StepId[] {
  if (action === 'replace') return [`create:${address}`, `delete:${address}`, `revoke:${address}`];
  return [`${action}:${address}`, `${action}:${address}#${resourceId ?? ''}`];
}
