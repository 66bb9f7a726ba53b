// How many writes of one project may be under way, and how many of all projects together.
import { assert } from '../../base/assert.ts';
import { onAbort } from '../../base/time/on-abort.ts';

/** A place in a queue of writes. It is kept from before a write until the answer, in a busy project until its operations have ended. */
export interface Pass {
  /** True while the project takes one write at a time: then the pass is kept until the operations have ended. */
  alone(): boolean;
  /** The service took the write: twice as many as it has taken may be under way from now on. */
  accepted(): void;
  /** The project was busy: one at a time from now on. */
  refusedAsBusy(): void;
  /** Gives the place back and waits for it again, where it stood in line at first. Rejects with the signal's reason. */
  turnAgain(signal: AbortSignal): Promise<void>;
  /** Gives the place back; harmless when it was given back before. */
  leave(): void;
}

export interface LaneId {
  readonly name: string;
  /** One write at a time, from the first on. */
  readonly isNarrow: boolean;
}

export interface Lanes {
  /** Waits for a place: the lowest turn goes first, and of equal ones who came first. Rejects with the signal's reason. */
  enter(lane: LaneId, turn: number, signal: AbortSignal): Promise<Pass>;
  /** Runs `work` while no write of the lane is under way; goes before all who wait. */
  exclusively<T>(lane: LaneId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Runs `work` in a slot that all lanes share. The lane that was entered first goes first: one look serves the writes of a project. */
  inSlot<T>(lane: LaneId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** More than enter in one run: within one turn who came first goes first. */
const MOST_ENTRIES = 2 ** 32;

interface Lane {
  /** Its place in the order in which lanes were first entered. */
  readonly rank: number;
  readonly queue: Queue;
  accepted: number;
  isBusy: boolean;
}

/** While requests wait for their turns, this part of the slots keeps them busy: more would only open lanes whose looks go stale. */
const PACED_PART = 4;

/** Lanes that together let `parallelism` writes be in flight. */
export function createLanes(parallelism: number, isPaced: () => boolean = () => false): Lanes {
  const lanes = new Map<string, Lane>();
  const slots = createQueue(() => (isPaced() ? Math.ceil(parallelism / PACED_PART) : parallelism));
  let entries = 0;
  const laneOf = ({ name, isNarrow }: LaneId): Lane => {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const width = (): number => (lane.isBusy ? 1 : Math.min(parallelism, Math.max(1, 2 * lane.accepted)));
    const lane = { rank: lanes.size, queue: createQueue(width), accepted: 0, isBusy: isNarrow };
    lanes.set(name, lane);
    return lane;
  };
  return {
    async enter(id, turn, signal) {
      const lane = laneOf(id);
      const place = turn * MOST_ENTRIES + ++entries;
      await lane.queue.enter(place, signal);
      return passOf(lane, place);
    },
    async exclusively(id, signal, work) {
      const { queue } = laneOf(id);
      await queue.enter(-Infinity, signal, true);
      return work().finally(() => queue.leave());
    },
    async inSlot(id, signal, work) {
      await slots.enter(laneOf(id).rank, signal);
      return work().finally(() => slots.leave());
    },
  };
}

function passOf(lane: Lane, place: number): Pass {
  let isInside = true;
  const leave = (): void => {
    if (isInside) lane.queue.leave();
    isInside = false;
  };
  return {
    leave,
    alone: () => lane.isBusy,
    accepted() {
      lane.accepted++;
      lane.queue.admit();
    },
    refusedAsBusy() {
      lane.isBusy = true;
    },
    async turnAgain(signal) {
      // In line again before the place is given back: nobody who came later slips in.
      const turn = lane.queue.enter(place, signal);
      leave();
      await turn;
      isInside = true;
    },
  };
}

interface Queue {
  /** The lowest place goes first, of equal ones who came first; `isAlone` waits until all have left, and nobody enters meanwhile. */
  enter(place: number, signal: AbortSignal, isAlone?: boolean): Promise<void>;
  leave(): void;
  /** Lets in as many as the width allows now. */
  admit(): void;
}

interface Waiter {
  readonly place: number;
  readonly isAlone: boolean;
  readonly admit: () => void;
}

function createQueue(width: () => number): Queue {
  const line: Waiter[] = [];
  let inside = 0;
  let isTaken = false;
  const admit = (): void => {
    for (let next = line[0]; next !== undefined && !isTaken; next = line[0]) {
      if (inside >= (next.isAlone ? 1 : width())) return;
      line.shift();
      inside++;
      isTaken = next.isAlone;
      next.admit();
    }
  };
  return {
    admit,
    async enter(place, signal, isAlone = false) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const stopListening = onAbort(signal, () => {
          line.splice(line.indexOf(waiter), 1);
          reject(signal.reason as Error);
          admit();
        });
        const waiter: Waiter = {
          place,
          isAlone,
          admit: () => {
            stopListening();
            resolve();
          },
        };
        line.splice(line.findLastIndex((one) => one.place <= place) + 1, 0, waiter);
        admit();
      });
    },
    leave() {
      assert(inside > 0, 'a queue was left twice');
      inside--;
      isTaken = false;
      admit();
    },
  };
}
