// The intent of one request in the journal: noted while the request waits for its slot, so that no slot waits for the disk. Where it waits
// for the pace of requests, it is noted when it has its turn.
import type { FailureClass } from '../../client/types.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { NOTED_AHEAD_MS } from '../journal/orphans.ts';
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
  #known: readonly ResourceId[];
  #askedMs = -Infinity;
  #isNoted = false;
  #isSent = false;

  /** `known` are the ids that were in the pool before. */
  constructor(run: Run, step: Step, known: readonly ResourceId[]) {
    this.#run = run;
    this.#step = step;
    this.#known = known;
  }

  /** Another look has shown these ids in the pool. */
  async seen(known: readonly ResourceId[]): Promise<void> {
    if (known.join() === this.#known.join()) return;
    await this.drop();
    this.#known = known;
  }

  /** The request is about to have its slot. An intent to make a secret is noted no sooner than it is sent: what it may have made is revoked by it. */
  async ahead(): Promise<void> {
    const {
      use: { clock },
      known: { foresight },
    } = this.#run;
    this.#askedMs = clock.monotonicMs();
    if (!foresight.isGood || this.#repeat === 'secret') return;
    await this.#note();
  }

  /** The request is about to be sent: its intent is on the disk then, and no older than a later run reckons. */
  async now(): Promise<void> {
    const {
      use: { clock },
      known: { foresight },
    } = this.#run;
    foresight.isGood = clock.monotonicMs() - this.#askedMs <= NOTED_AHEAD_MS;
    if (this.#isNoted && foresight.isGood) return;
    void this.drop();
    await this.#note();
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

  get #repeat(): string {
    return kindOf(this.#run, this.#step).remote.repeat(this.#step);
  }

  async #note(): Promise<void> {
    const repeat = this.#repeat;
    // A new secret in the place of an old one: until it is stored, nobody knows which one is in places.
    const isRemade = repeat === 'converging' && remakesSecret(this.#run, this.#step);
    if (repeat === 'converging' && !isRemade) return;
    this.#isNoted = true;
    await this.#run.use.journal.intent(this.#step, this.#known, repeat === 'secret' || isRemade);
  }
}
