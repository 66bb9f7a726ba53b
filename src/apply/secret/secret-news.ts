// What becomes of the secrets that a run makes: told at once, for whoever ends the run before it can say it itself.
import type { StepId } from '../../model/outcome/plan.ts';
import type { SecretLeft } from '../../model/outcome/result.ts';

/** `open`: it is made, and kept nowhere yet, or not to be kept · `stored`: in all its places · `gone`: what holds it was removed again. */
export interface SecretNews {
  readonly step: StepId;
  readonly fate: 'open' | 'stored' | 'gone';
  /** What is left if nobody removes it. */
  readonly what: SecretLeft;
}
