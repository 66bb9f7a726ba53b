// The tail of a run: nothing is left to be written, and operations are still waited for. Tells which projects can be read back.
import type { Clock } from '../base/clock.ts';
import type { Step, StepId } from '../model/plan.ts';

/** For so long before the last step ends a list counts as read back. */
export const READ_BACK_FRESH_MS = 10_000;

/** Told of a project when all its steps have ended well and the last write of the whole run is answered. */
export type ProjectOver = (projectId: string) => void;

interface Ending {
  readonly isWell: boolean;
  readonly elapsedMs: number;
}

/** Follows the steps of a run; a project in which one does not end well is never told of. */
export class Tail {
  readonly #clock: Clock;
  readonly #tell: ProjectOver;
  readonly #unwritten: Set<StepId>;
  /** Steps that have not ended well, by project. */
  readonly #open = new Map<string, number>();
  /** Projects that are over and were not told of yet. */
  #over: string[] = [];
  #longestMs = 0;
  #writtenMs = 0;

  constructor(clock: Clock, steps: readonly Step[], tell: ProjectOver) {
    this.#clock = clock;
    this.#tell = tell;
    this.#unwritten = new Set(steps.map(({ id }) => id));
    for (const { projectId } of steps)
      if (projectId !== null) this.#open.set(projectId, (this.#open.get(projectId) ?? 0) + 1);
  }

  /** The step writes nothing any more. */
  written({ id }: Step): void {
    if (this.#unwritten.delete(id)) this.#writtenMs = this.#clock.monotonicMs();
    if (this.#unwritten.size > 0 || this.#over.length === 0) return;
    // The rest is expected to take no longer than the longest step did: what would be too old by then is read later.
    if (this.#writtenMs + this.#longestMs > this.#clock.monotonicMs() + READ_BACK_FRESH_MS) return;
    const over = this.#over;
    this.#over = [];
    for (const projectId of over) this.#tell(projectId);
  }

  ended(step: Step, { isWell, elapsedMs }: Ending): void {
    const { projectId } = step;
    this.#longestMs = Math.max(this.#longestMs, elapsedMs);
    if (isWell && projectId !== null) {
      const open = (this.#open.get(projectId) ?? 0) - 1;
      this.#open.set(projectId, open);
      if (open === 0) this.#over.push(projectId);
    }
    this.written(step);
  }
}
