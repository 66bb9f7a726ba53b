// Queues the writes of each project, and limits the writes of all projects together.
import { assert } from '../../base/assert.ts';
import { onAbort } from '../../base/time/on-abort.ts';

/** The place of a step in its queue, kept until the reply to its write; if `alone()`, until the operations of the write have ended. */
export interface Pass {
  alone(): boolean;
  /** Runs `work` when one more write may be in flight. The queue that was entered first goes first, so that its writes share a reading. */
  inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Reports that the service accepted the write; the queue then allows twice as many writes at once as were accepted so far. */
  accepted(): void;
  /** Reports that the project was busy; the queue then takes one write at a time. */
  refusedAsBusy(): void;
  /** Leaves the queue and enters it again at its original position. Rejects with the signal's reason. */
  turnAgain(signal: AbortSignal): Promise<void>;
  /** Runs `work` before all waiting writes, while no other write of the queue is under way; then takes its turn again. */
  exclusively<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Leaves the queue; does nothing if it has already left. */
  leave(): void;
}

export interface LaneId {
  readonly name: string;
  /** True if the queue takes one write at a time from the start. */
  readonly isNarrow: boolean;
}

export interface Lanes {
  /** Waits until the queue admits the step: the lowest turn first, then in order of arrival. Rejects with the signal's reason. */
  enter(lane: LaneId, turn: number, signal: AbortSignal): Promise<Pass>;
}

/** More than the calls of `enter` in any run. `place` is the turn times this number plus the order of arrival, so the turn decides first. */
const MOST_ENTRIES = 2 ** 32;

interface Lane {
  /** The position of this queue in the order in which the queues were first entered. */
  readonly rank: number;
  readonly queue: Queue;
  accepted: number;
  isBusy: boolean;
}

/** Creates the queues. `parallelism`: the most writes in flight at once. */
export function createLanes(parallelism: number): Lanes {
  const lanes = new Map<string, Lane>();
  const slots = createQueue(() => parallelism);
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
      return passOf(lane, place, slots);
    },
  };
}

function passOf(lane: Lane, place: number, slots: Queue): Pass {
  const { queue } = lane;
  let isInside = true;
  const leave = (): void => {
    if (isInside) queue.leave();
    isInside = false;
  };
  // Enters again before it leaves, so that no later step overtakes this step.
  const turnAgain = async (signal: AbortSignal): Promise<void> => {
    const turn = queue.enter(place, signal);
    leave();
    await turn;
    isInside = true;
  };
  return {
    leave,
    alone: () => lane.isBusy,
    async inSlot(signal, work) {
      await slots.enter(lane.rank, signal);
      return work().finally(() => slots.leave());
    },
    accepted() {
      lane.accepted++;
      queue.admit();
    },
    refusedAsBusy() {
      lane.isBusy = true;
    },
    turnAgain,
    async exclusively(signal, work) {
      const working = queue.enter(-Infinity, signal, true).then(async () => work().finally(() => queue.leave()));
      const turn = turnAgain(signal);
      await Promise.allSettled([working, turn]);
      await turn;
      return working;
    },
  };
}

interface Queue {
  /** Waits for admission, the lowest `place` first. With `isAlone`, waits until nobody is inside, and then keeps others out until `leave`. */
  enter(place: number, signal: AbortSignal, isAlone?: boolean): Promise<void>;
  leave(): void;
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
