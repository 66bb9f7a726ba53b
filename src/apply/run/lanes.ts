// Write lanes: how many writes of one project may be under way, and how many of all projects together.
import { assert } from '../../base/assert.ts';
import { onAbort } from '../../base/time/on-abort.ts';

/** A place in a lane. It is kept from before a write until the write is answered, in a busy lane until its operations have ended. */
export interface Pass {
  /** True when the lane takes one write at a time: then the pass is kept until the operations have ended. */
  alone(): boolean;
  /** The service took the write: the lane widens from one to two to as many as there are. */
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
  /** Waits for a place in the lane: the lowest turn goes first, and of equal ones who came first. Rejects with the signal's reason. */
  enter(lane: LaneId, turn: number, signal: AbortSignal): Promise<Pass>;
  /** Runs `work` while no write of the lane is under way; goes before all who wait. */
  exclusively<T>(lane: LaneId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one of the slots that all lanes share. The lane that was entered first goes first, the narrow ones somewhat
   * earlier: the writes of a project stay together, so that one look serves them, and one all their operations. `ahead` runs
   * before, for a few more than there are slots, unless the pace of requests holds writes back.
   */
  inSlot<Turn, T>(lane: LaneId, signal: AbortSignal, use: SlotUse<Turn, T>): Promise<T>;
}

export interface SlotUse<Turn, T> {
  readonly ahead: () => Promise<void>;
  /** The turn of its request, or a wait for it; meanwhile nobody else enters a slot. */
  readonly turn: () => Turn | Promise<Turn>;
  readonly work: (turn: Turn) => Promise<T>;
}

/** A place in line: the lowest goes first, of equal ones who came first. */
type Ticket = () => number;

interface Waiter {
  readonly ticket: Ticket;
  readonly admit: () => void;
}

/** Accepted writes after which a lane takes as many as may be in flight. */
const WIDE_AFTER = 3;
/** A lane that is still narrow goes before as many wide ones: its first writes are answered by the time that it is next. */
const LEAD = 4;
/** The same while the pace holds writes back: they are far apart then, and a lane that is begun long before its turn is looked at twice. */
const LEAD_IN_PACE = 1;
/** More than enter in one run: within one turn who came first goes first. */
const MOST_ENTRIES = 2 ** 32;
/** Writes that get ready beside those in their slots, as a share of these. */
const AHEAD_SHARE = 1 / 2;

/** Lanes that together let `parallelism` writes be in flight. */
export function createLanes(parallelism: number): Lanes {
  const lanes = new Map<string, Lane>();
  const slots = createQueue(() => parallelism);
  /** One write at a time waits for a slot and for the turn of its request; the next one is chosen once that one has both. */
  const gate = createQueue(() => 1, takeLowest);
  const preparing = createQueue(() => parallelism + Math.ceil(parallelism * AHEAD_SHARE));
  /** The pace of requests holds writes back: the last one had to wait for its turn. */
  let isPaced = false;
  let tickets = 0;
  const laneOf = ({ name, isNarrow }: LaneId): Lane => {
    const lane = lanes.get(name) ?? createLane(lanes.size, parallelism, isNarrow);
    lanes.set(name, lane);
    return lane;
  };
  const enterSlot = async <Turn>(
    ticket: Ticket,
    signal: AbortSignal,
    use: Pick<SlotUse<Turn, unknown>, 'turn'>,
  ): Promise<Turn> =>
    within(gate, ticket, signal, async () => {
      await slots.enter(ticket, signal);
      try {
        const turn = use.turn();
        isPaced = turn instanceof Promise;
        return await turn;
      } catch (error) {
        slots.leave();
        throw error;
      }
    });
  return {
    async enter(id, turn, signal) {
      const lane = laneOf(id);
      const place = turn * MOST_ENTRIES + ++tickets;
      const ticket = (): number => place;
      await lane.queue.enter(ticket, signal);
      return createPass(lane, ticket);
    },
    async exclusively(id, signal, work) {
      const { queue } = laneOf(id);
      await queue.enterAlone(signal);
      try {
        return await work();
      } finally {
        queue.leaveAlone();
      }
    },
    async inSlot<Turn, T>(id: LaneId, signal: AbortSignal, use: SlotUse<Turn, T>): Promise<T> {
      const lane = laneOf(id);
      const leadOf = (): number => (isPaced ? LEAD_IN_PACE : LEAD);
      const ticket = (): number => (lane.accepted < WIDE_AFTER ? lane.rank - leadOf() : lane.rank);
      const enterAndWork = async (): Promise<T> => {
        const turn = await enterSlot(ticket, signal, use);
        return use.work(turn).finally(() => slots.leave());
      };
      if (isPaced) return enterAndWork();
      return within(preparing, ticket, signal, async () => {
        await use.ahead();
        return enterAndWork();
      });
    },
  };
}

async function within<T>(queue: Queue, ticket: Ticket, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await queue.enter(ticket, signal);
  try {
    return await work();
  } finally {
    queue.leave();
  }
}

interface Lane {
  /** Its place in the order in which lanes were first entered. */
  readonly rank: number;
  readonly queue: Queue;
  accepted: number;
  busy: boolean;
}

function createLane(rank: number, parallelism: number, isNarrow: boolean): Lane {
  const lane = { rank, accepted: 0, busy: isNarrow };
  const width = (): number => {
    if (lane.busy || lane.accepted === 0) return 1;
    return lane.accepted < WIDE_AFTER ? Math.min(2, parallelism) : parallelism;
  };
  return Object.assign(lane, { queue: createQueue(width) });
}

function createPass(lane: Lane, ticket: Ticket): Pass {
  let inside = true;
  return {
    alone: () => lane.busy,
    accepted() {
      lane.accepted++;
      lane.queue.pump();
    },
    refusedAsBusy() {
      lane.busy = true;
    },
    async turnAgain(signal) {
      // In line again before the place is given back: nobody who came later slips in.
      const turn = lane.queue.enter(ticket, signal);
      if (inside) lane.queue.leave();
      inside = false;
      await turn;
      inside = true;
    },
    leave() {
      if (inside) lane.queue.leave();
      inside = false;
    },
  };
}

interface Queue {
  enter(ticket: Ticket, signal: AbortSignal): Promise<void>;
  leave(): void;
  enterAlone(signal: AbortSignal): Promise<void>;
  leaveAlone(): void;
  pump(): void;
}

/**
 * The lowest ticket goes first, `width` at once; one who must be alone goes before all, once all have left. `take` finds the lowest where
 * tickets change while they wait: else the line is in their order.
 */
function createQueue(width: () => number, take = (line: Waiter[]): Waiter | undefined => line.shift()): Queue {
  const waiting: Waiter[] = [];
  const loners: Waiter[] = [];
  let inside = 0;
  let isAlone = false;

  const pump = (): void => {
    if (isAlone) return;
    if (loners.length > 0) {
      if (inside > 0) return;
      isAlone = true;
      loners.shift()?.admit();
      return;
    }
    while (inside < width() && waiting.length > 0) {
      inside++;
      take(waiting)?.admit();
    }
  };
  const wait = async (line: Waiter[], ticket: Ticket, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        line.splice(line.indexOf(waiter), 1);
        reject(signal.reason as Error);
        pump();
      });
      const waiter: Waiter = {
        ticket,
        admit: () => {
          stopListening();
          resolve();
        },
      };
      insert(line, waiter);
      pump();
    });
  };
  return {
    pump,
    enter: async (ticket, signal) => wait(waiting, ticket, signal),
    leave() {
      assert(inside > 0, 'a lane was left twice');
      inside--;
      pump();
    },
    enterAlone: async (signal) => wait(loners, () => 0, signal),
    leaveAlone() {
      isAlone = false;
      pump();
    },
  };
}

function insert(line: Waiter[], waiter: Waiter): void {
  const ticket = waiter.ticket();
  let at = line.length;
  while (at > 0 && (line[at - 1]?.ticket() ?? 0) > ticket) at--;
  line.splice(at, 0, waiter);
}

function takeLowest(line: Waiter[]): Waiter | undefined {
  let first = 0;
  line.forEach(({ ticket }, at) => {
    if (ticket() < (line[first]?.ticket() ?? 0)) first = at;
  });
  return line.splice(first, 1)[0];
}
