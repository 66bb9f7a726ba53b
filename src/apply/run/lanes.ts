// Queues the writes of each project, and limits the writes of all projects together.
import { assert } from '../../base/assert.ts';
import { createLine, type Line } from '../../base/time/on-abort.ts';

/** A position in a queue, kept until the reply; in a busy project, until the operations have ended. */
export interface Pass {
  alone(): boolean;
  /** Reports that the service accepted the write; the queue then allows twice as many writes at once as were accepted so far. */
  accepted(): void;
  /** Reports that the project was busy; from then on it takes one write at a time. */
  refusedAsBusy(): void;
  /** Leaves the queue and enters it again at its original position. Rejects with the signal's reason. */
  turnAgain(signal: AbortSignal): Promise<void>;
  /** Leaves the queue; does nothing if it has already left. */
  leave(): void;
}

export interface LaneId {
  readonly name: string;
  /** True if the queue takes one write at a time from the start. */
  readonly isNarrow: boolean;
}

export interface Lanes {
  /** Waits for admission, the lowest turn first, then in order of arrival. Rejects with the signal's reason. */
  enter(lane: LaneId, turn: number, signal: AbortSignal): Promise<Pass>;
  /** Runs `work` in one of the slots that all queues share. The queue that was entered first goes first, so that its writes share a reading. */
  inSlot<T>(lane: LaneId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** More than any run has entries: a priority is the turn times this number plus the order of arrival, so the turn decides first. */
const MOST_ENTRIES = 2 ** 32;

interface Lane {
  /** The position of this queue in the order in which the queues were first entered. */
  readonly rank: number;
  readonly queue: Queue;
  accepted: number;
  isBusy: boolean;
}

/** While the client delays requests, a quarter of the slots suffices: with more, the state read for a write is too old when it is sent. */
const PACED_PART = 4;

/** `parallelism`: the most writes in flight at once. `isPaced`: true while the client delays requests. */
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
      // Enters again before it leaves, so that no later step overtakes this step.
      const turn = lane.queue.enter(place, signal);
      leave();
      await turn;
      isInside = true;
    },
  };
}

interface Queue extends Pick<Line, 'enter' | 'admit'> {
  leave(): void;
}

function createQueue(width: () => number): Queue {
  let inside = 0;
  const { enter, admit } = createLine(
    () => inside < width(),
    () => inside++,
  );
  return {
    enter,
    admit,
    leave() {
      assert(inside > 0, 'a queue was left twice');
      inside--;
      admit();
    },
  };
}
