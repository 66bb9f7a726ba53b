// Count limits of safety blocks: when one is exceeded, nothing of the plan runs.
import type { SafetyLimits } from '../../model/desired.ts';
import type { ExceededLimit } from '../../model/outcome/plan.ts';
import { removes } from '../diff/draft.ts';
import type { Draft } from '../diff/draft.ts';
import { isAllowed } from './guards.ts';
import type { PlanInput } from '../input.ts';
import { selectionOf } from '../selection.ts';

/** From this many managed resources on, a share of them means something. */
const PERCENT_FROM = 10;

/** `all` are counted as managed resources; `runnable` are the changes that would run. */
export function exceededLimits(all: readonly Draft[], runnable: readonly Draft[], input: PlanInput): ExceededLimit[] {
  const counted = runnable.filter((draft) => !isAllowed(draft, input.allow) && !draft.consented);
  const selects = selectionOf(input);
  // Also what could not be read or planned: else the share of the others would grow with it.
  const declared = input.desired.resources.filter(({ address }) => selects([address]));
  return input.desired.safety.flatMap((block) => {
    const covers = ({ scope }: Pick<Draft, 'scope'>): boolean =>
      block.project === null || block.project === scope.label;
    const within = counted.filter(covers);
    const deletes = within.filter(({ change }) => removes(change));
    const restarts = within.filter(({ restarts: does, change }) => does && !removes(change));
    const changes = within.filter(({ change }) => change.action !== 'create');
    const missing = new Set(all.filter(({ live }) => live === null).map(({ change }) => change.address));
    const expected = declared.filter(
      ({ scope, address }) => [null, scope].includes(block.project) && !missing.has(address),
    );
    const managed = new Set([
      ...expected.map(({ address }) => address),
      ...all.filter((draft) => covers(draft) && draft.live !== null).map(({ change }) => change.address),
    ]).size;
    return [
      ...exceeded(block, 'max_deletes', block.maxDeletes, deletes),
      ...exceeded(block, 'max_restarts', block.maxRestarts, restarts),
      ...exceededShare(block, managed, changes),
    ];
  });
}

function exceeded(
  block: SafetyLimits,
  limit: ExceededLimit['limit'],
  allowed: number | null,
  drafts: readonly Draft[],
): ExceededLimit[] {
  const addresses = addressesOf(drafts);
  if (allowed === null || drafts.length <= allowed) return [];
  return [{ limit, project: block.project, allowed, planned: drafts.length, addresses }];
}

function exceededShare(block: SafetyLimits, managed: number, drafts: readonly Draft[]): ExceededLimit[] {
  const addresses = addressesOf(drafts);
  if (block.maxChangePercent === null || managed < PERCENT_FROM) return [];
  if (addresses.length * 100 <= block.maxChangePercent * managed) return [];
  const planned = Math.round((addresses.length * 1000) / managed) / 10;
  return [{ limit: 'max_change_percent', project: block.project, allowed: block.maxChangePercent, planned, addresses }];
}

function addressesOf(drafts: readonly Draft[]): string[] {
  return [...new Set(drafts.map(({ change }) => change.address))].sort();
}
