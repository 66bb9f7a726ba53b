// Places of capacity one that were held when the run began and are empty now: by the read-back, else by what became of the steps.
import { compareText, type JsonObject } from '../../base/json.ts';
import type { KindName } from '../../model/desired.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step, StepId } from '../../model/outcome/plan.ts';
import type { Vacated } from '../../model/outcome/result.ts';

/** A place of capacity one whose being empty matters to people. */
export interface Place {
  /** As results name it. */
  readonly id: string;
  /** Code of the warning that nobody holds it now. */
  readonly code: string;
  /** That nobody holds it now, in words. */
  readonly emptyWords: string;
}

export type PlaceOf = (of: {
  readonly kind: KindName;
  readonly projectId: string | null;
  readonly spec: JsonObject;
}) => Place | null;

interface Holder {
  readonly projectId: string | null;
  readonly place: Place | null;
  /** A step that takes it away was sent, and how that ended is not known. */
  readonly isLeaving: boolean;
}

interface Held {
  readonly projectId: string | null;
  readonly place: Place;
}

/** The code of a step that the service took, and of which an operation failed: what it changed may be so all the same. */
const TAKEN_AND_FAILED = 'operation_failed';

/** A place, by the id that results name it by, which somebody held only on the way through. */
export interface Passage {
  readonly projectId: string | null;
  readonly id: string;
}

export class Vacancies {
  readonly #placeOf: PlaceOf;
  readonly #steps: ReadonlyMap<StepId, Step>;
  readonly #passages: ReadonlySet<string>;
  /** Places that were held when the run began. */
  readonly #before = new Map<string, Held>();
  /** Who is where, as far as is known. */
  readonly #holders = new Map<string, Holder>();
  /** What the run has removed: a place that is named by it went with it. */
  readonly #gone = new Set<string>();
  /** Resources of which only a step that was needless tells where they stood. */
  readonly #found = new Set<string>();
  /** Places that steps take which were sent, and of which nobody has seen yet how they ended. */
  readonly #taking = new Map<StepId, { readonly projectId: string | null; readonly key: string }>();
  #wasRead: (projectId: string | null) => boolean = () => false;
  #isDone = false;

  /** `live`: what was there when the run began; where that was not read, each step tells of its own resource. */
  constructor(
    placeOf: PlaceOf,
    steps: readonly Step[],
    live: readonly LiveResource[],
    passages: readonly Passage[] = [],
  ) {
    this.#placeOf = placeOf;
    this.#passages = new Set(passages.map(({ projectId, id }) => placeKey(projectId, id)));
    this.#steps = new Map(steps.map((step) => [step.id, step]));
    for (const resource of live) this.#begin(resource.kind, resource.projectId, resource.id, resource.spec);
  }

  add(event: ApplyEvent): void {
    if (!('step' in event) || event.step === null) return;
    const step = this.#steps.get(event.step);
    if (step === undefined) return;
    const isDone = event.type === 'apply_complete' || (event.type === 'step_skipped' && event.satisfied === true);
    if (isDone && step.achieves === null && step.expects.state === 'present')
      this.#gone.add(placeKey(step.projectId, step.expects.id));
    if (event.type === 'apply_start') this.#leave(step);
    else if (event.type === 'apply_complete') this.#arrive(step, event.resourceId);
    else if (event.type === 'step_skipped' && event.satisfied === true) this.#find(step, event.resourceId ?? null);
    else if (event.type === 'apply_errored' && event.diagnostic.code !== TAKEN_AND_FAILED) this.#taking.delete(step.id);
  }

  /** The read-back has shown these; `wasRead` tells of which projects it shows everything. */
  readBack(live: readonly LiveResource[], wasRead: (projectId: string | null) => boolean): void {
    for (const [key, { projectId }] of this.#holders) if (wasRead(projectId)) this.#holders.delete(key);
    for (const [id, { projectId }] of this.#taking) if (wasRead(projectId)) this.#taking.delete(id);
    for (const { kind, projectId, id, spec } of live)
      if (wasRead(projectId))
        this.#holders.set(keyOf(kind, projectId, id), {
          projectId,
          place: this.#placeOf({ kind, projectId, spec }),
          isLeaving: false,
        });
    this.#wasRead = wasRead;
  }

  /** With a project everything in it has gone. */
  #isGone(projectId: string | null): boolean {
    return projectId !== null && this.#gone.has(placeKey(projectId, projectId));
  }

  /** The run has done all that it was to do. */
  done(): void {
    this.#isDone = true;
  }

  /** Sorted by the place. */
  now(): readonly Vacated[] {
    const holders = [...this.#holders.values()].filter(({ place }) => place !== null);
    const held = new Set(holders.flatMap((one) => (one.isLeaving ? [] : [placeKey(one.projectId, one.place?.id)])));
    const leaving = new Set(holders.flatMap((one) => (one.isLeaving ? [placeKey(one.projectId, one.place?.id)] : [])));
    const taking = new Set([...this.#taking.values()].map(({ key }) => key));
    return [...this.#before]
      .filter(([key, { projectId }]) => !held.has(key) && !this.#gone.has(key) && !this.#isGone(projectId))
      .map(([key, one]) => ({
        id: one.place.id,
        diagnostic: {
          severity: 'warning' as const,
          code: one.place.code,
          message: vacatedWords(one, {
            unseen: leaving.has(key) ? 'removes it' : taking.has(key) ? 'brings one' : null,
            wasRead: this.#wasRead(one.projectId),
            isPassage: this.#passages.has(key),
          }),
          hint: !this.#isDone ? GO_ON : this.#passages.has(key) ? PASSED : AS_PLANNED,
        },
      }))
      .sort((a, b) => compareText(a.id, b.id));
  }

  #begin(kind: KindName, projectId: string | null, id: string, spec: JsonObject): void {
    const place = this.#placeOf({ kind, projectId, spec });
    this.#holders.set(keyOf(kind, projectId, id), { projectId, place, isLeaving: false });
    if (place !== null) this.#before.set(placeKey(projectId, place.id), { projectId, place });
  }

  /** The step was needless: where no reading tells otherwise, its resource stood there when the run began. */
  #find(step: Step, made: string | null): void {
    const id = step.expects.state === 'present' ? step.expects.id : made;
    const key = keyOf(step.kind, step.projectId, id ?? '');
    if (!this.#holders.has(key)) this.#found.add(key);
    this.#arrive(step, made);
  }

  #leave({ id, kind, projectId, expects, achieves }: Step): void {
    const after = achieves === null ? null : this.#placeOf({ kind, projectId, spec: achieves });
    if (after !== null) this.#taking.set(id, { projectId, key: placeKey(projectId, after.id) });
    if (expects.state !== 'present') return;
    const key = keyOf(kind, projectId, expects.id);
    if (!this.#holders.has(key)) this.#begin(kind, projectId, expects.id, expects.attributes);
    const holder = this.#holders.get(key);
    if (this.#found.delete(key) && holder !== undefined && holder.place !== null)
      this.#before.set(placeKey(projectId, holder.place.id), { projectId, place: holder.place });
    if (holder !== undefined && holder.place !== null && holder.place.id !== after?.id)
      this.#holders.set(key, { ...holder, isLeaving: true });
  }

  #arrive({ id: stepId, kind, projectId, expects, achieves }: Step, made: string | null): void {
    this.#taking.delete(stepId);
    const id = expects.state === 'present' ? expects.id : made;
    if (id === null) return;
    const key = keyOf(kind, projectId, id);
    if (achieves === null) this.#holders.delete(key);
    else {
      const place = this.#placeOf({ kind, projectId, spec: achieves });
      this.#holders.set(key, { projectId, place, isLeaving: false });
    }
  }
}

function keyOf(kind: KindName, projectId: string | null, id: string): string {
  return JSON.stringify([kind, projectId, id]);
}

function placeKey(projectId: string | null, id: string | undefined): string {
  return JSON.stringify([projectId, id]);
}

const GO_ON = 'Run trueup apply again: it finishes the move. trueup plan shows what is left.';
const AS_PLANNED = 'The plan asked for this. To fill the slot, declare a resource there.';

const PASSED = 'Nothing is missing: it was empty before an interrupted run used it as a temporary slot.';

interface Leaving {
  /** What a step does there that was sent, where it is not known what it left: nobody saw how it ended, or an operation of it failed. */
  readonly unseen: 'removes it' | 'brings one' | null;
  readonly wasRead: boolean;
  readonly isPassage: boolean;
}

function vacatedWords({ place }: Held, { unseen, wasRead, isPassage }: Leaving): string {
  const was = isPassage ? 'had one that was passing through (lifecycle.via)' : 'had one';
  const since = `${place.emptyWords}, and ${was} when this run began`;
  if (unseen !== null) return `possibly, ${since}: the outcome of a step that ${unseen} is not known`;
  return wasRead ? since : `${since} (by the replies of the run; the account was not verified)`;
}
