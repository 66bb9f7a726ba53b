// The intent of one request in the journal: noted right before the request is sent.
import type { FailureClass } from '../../client/types.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { kindOf, remakesSecret, type Run } from '../run/run.ts';

/**
 * The note on a request that was refused: nothing was done. Only of one for a secret that is told to come later nobody believes it: what
 * was made all the same works, and nobody has it.
 */
export function notDone(run: Run, step: Step, failure: FailureClass): 'failed' | 'lost' {
  return failure === 'come_later' && kindOf(run, step).remote.repeat(step) === 'secret' ? 'lost' : 'failed';
}

export class IntentNote {
  readonly #run: Run;
  readonly #step: Step;
  #isNoted = false;
  #isSent = false;

  constructor(run: Run, step: Step) {
    this.#run = run;
    this.#step = step;
  }

  /** The request is about to be sent: its intent is on the disk then. `known` are the ids that were in the pool before. */
  async note(known: readonly ResourceId[]): Promise<void> {
    await this.drop();
    const repeat = kindOf(this.#run, this.#step).remote.repeat(this.#step);
    // A new secret in the place of an old one: until it is stored, nobody knows which one is in places.
    const isRemade = repeat === 'converging' && remakesSecret(this.#run, this.#step);
    if (repeat === 'converging' && !isRemade) return;
    this.#isNoted = true;
    await this.#run.use.journal.intent(this.#step, known, repeat === 'secret' || isRemade);
  }

  /** The request goes now. */
  sent(): void {
    this.#isSent = true;
  }

  /** The request is not sent after all, or not once more: a later run has nothing to look for, but see `notDone`. */
  async drop(): Promise<void> {
    if (!this.#isNoted) return;
    this.#isNoted = false;
    const state = this.#isSent ? notDone(this.#run, this.#step, 'come_later') : 'failed';
    await this.#run.use.journal.note(this.#step, state, null);
  }
}
