// A secret between its making and its end: what holds it is at risk all that time, and whoever ends the run in between must know.
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { SecretLeft } from '../../model/outcome/result.ts';
import { kindOf } from '../run/run.ts';
import type { Run } from '../run/run.ts';
import type { SecretNews } from './secret-news.ts';

export function tellSecret(run: Run, step: Step, id: ResourceId, fate: SecretNews['fate']): void {
  run.tell.onSecret({ step: step.id, fate, what: leftBehind(run, step, id) });
}

/** What is left if nobody removes it. */
export function leftBehind(run: Run, step: Step, id: ResourceId): SecretLeft {
  const command = kindOf(run, step).remote.undoByHand?.(id, run.use.client.baseUrl, step);
  return { address: step.address, id, ...(command === undefined ? {} : { command }) };
}
