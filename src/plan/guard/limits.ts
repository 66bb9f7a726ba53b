// Checks the count limits of safety blocks; an exceeded limit blocks the whole plan.
import type { Address } from '../../model/address.ts';
import { covers, type SafetyLimits } from '../../model/desired.ts';
import { DROP } from '../../model/outcome/impact.ts';
import type { ExceededLimit } from '../../model/outcome/plan.ts';
import { removes, type Draft } from '../diff/draft.ts';
import { isAllowed } from './consents.ts';
import type { PlanInput } from '../input.ts';
import { aboveOf, drops, isLimited } from './protection.ts';
import { isDisruptive } from './windows.ts';
import { selectionOf } from '../selection.ts';

/** Below this many managed resources, a percentage is no useful limit. */
const PERCENT_FROM = 10;

export const LIMITS: ReadonlySet<string> = new Set<ExceededLimit['limit']>([
  'max_deletes',
  'max_drops',
  'max_restarts',
  'max_change_percent',
]);

/** Returns the limits that the changes in `runnable` exceed; the drafts in `all` show which resources are managed. */
export function exceededLimits(
  all: readonly Draft[],
  runnable: readonly Draft[],
  input: PlanInput,
): readonly ExceededLimit[] {
  const selects = selectionOf(input);
  const missing = new Set(all.filter(({ live }) => live === null).map(({ change }) => change.address));
  // Unread resources count as managed, too: without them, the same changes would be a larger percentage.
  const expected = input.desired.resources.filter(({ address }) => selects([address]) && !missing.has(address));
  const single = input.desired.safety.flatMap((block) => {
    // An allowance that a review gave does not lift a limit of the operator.
    const allow = input.allow.filter(({ byReview }) => block.isOperators !== true || byReview !== true);
    const within = runnable.filter(
      (draft) => covers(block, draft.scope.label) && !draft.consented && !isAllowed(draft, allow),
    );
    const deletes = within.filter(({ change }) => removes(change));
    const restarts = within.filter((draft) => interrupts(draft) && !removes(draft.change));
    const changes = within.filter(({ change }) => change.action !== 'create');
    const managed = new Set([
      ...expected.flatMap(({ scope, address }) => (covers(block, scope) ? [address] : [])),
      ...addressesOf(all.filter(({ scope, live }) => covers(block, scope.label) && live !== null)),
    ]).size;
    return [
      ...exceeded(block, 'max_deletes', block.maxDeletes, deletes),
      ...exceeded(block, 'max_restarts', block.maxRestarts, firstBelowEachParent(restarts)),
      ...exceededShare(block, managed, changes),
    ];
  });
  return [...single, ...exceededDrops(runnable, input.desired.safety)];
}

/** True for a change that restarts its resource, and for a disruptive change of a kind with consent types. */
function interrupts({ restarts, change }: Draft): boolean {
  return restarts || (change.consents !== undefined && isDisruptive(change));
}

/** Keeps one change for each parent: changes below one parent run back to back and interrupt clients once. */
function firstBelowEachParent(drafts: readonly Draft[]): readonly Draft[] {
  const seen = new Set<Address>();
  return drafts.filter(({ change, scope }) => {
    const place = scope.parent?.address;
    if (change.consents === undefined || place === undefined) return true;
    return !seen.has(place) && seen.add(place);
  });
}

/** Default of `max_drops`: how many drops allowances with a pattern may cover. */
export const MOST_DROPS = 1;

/** Returns the exceeded limits of drops. A resource that is deleted with its parent does not count by itself. */
function exceededDrops(runnable: readonly Draft[], safety: readonly SafetyLimits[]): readonly ExceededLimit[] {
  const going = new Set(runnable.flatMap(({ change }) => (drops(change) ? [change.address] : [])));
  const counted = runnable.filter(
    ({ change }) =>
      isLimited(change) &&
      (change.consents ?? []).some(({ word, given }) => word === DROP && given === 'pattern') &&
      !aboveOf(change.address).some((above) => going.has(above)),
  );
  const said = safety.filter(({ maxDrops }) => maxDrops !== undefined);
  const isIn = (block: SafetyLimits, { scope }: Draft): boolean => covers(block, scope.label);
  const unsaid = counted.filter((draft) => !said.some((block) => isIn(block, draft)));
  return [
    ...said.flatMap((block) => {
      const within = counted.filter((draft) => isIn(block, draft));
      return exceeded(block, 'max_drops', block.maxDrops ?? MOST_DROPS, within);
    }),
    ...exceeded({ project: null }, 'max_drops', MOST_DROPS, unsaid),
  ];
}

function exceeded(
  block: Pick<SafetyLimits, 'project'>,
  limit: ExceededLimit['limit'],
  allowed: number | null,
  counted: readonly Draft[],
): ExceededLimit[] {
  const addresses = addressesOf(counted);
  if (allowed === null || counted.length <= allowed) return [];
  return [{ limit, project: block.project, allowed, planned: counted.length, addresses }];
}

function exceededShare(block: SafetyLimits, managed: number, below: readonly Draft[]): ExceededLimit[] {
  const addresses = addressesOf(below);
  if (block.maxChangePercent === null || managed < PERCENT_FROM) return [];
  if (addresses.length * 100 <= block.maxChangePercent * managed) return [];
  const planned = Math.round((addresses.length * 1000) / managed) / 10;
  return [{ limit: 'max_change_percent', project: block.project, allowed: block.maxChangePercent, planned, addresses }];
}

function addressesOf(drafts: readonly Draft[]): string[] {
  return [...new Set(drafts.map(({ change }) => change.address))].sort();
}
