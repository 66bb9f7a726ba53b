// A plan of what was read already, in which nobody asks for anything: nothing is sent.
import { kinds, type Kind } from '../../kinds/index.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { PlanInput } from '../../plan/input.ts';
import { makePlan } from '../../plan/make-plan.ts';

/** `of`: the kinds that were read. */
export function inputOf(
  read: Pick<PlanInput, 'baseUrl' | 'desired' | 'live' | 'nowMs'>,
  of: readonly Kind[] = kinds,
): PlanInput {
  const asked = { consent: 'reviewed', allow: [], due: false, target: [], exclude: [] } as const;
  return { ...read, ...asked, kinds: of };
}

export function planOf(...read: Parameters<typeof inputOf>): Plan {
  return makePlan(inputOf(...read));
}
