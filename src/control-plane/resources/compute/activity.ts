// Recent activity of a compute: its states and its open connections, noted as they change and kept in memory for an hour.
import type { Engine } from '../engine/engine.ts';
import type { ComputeRecord, ComputeState } from './record.ts';

/** From this moment on, until the next one. */
export interface Moment {
  readonly atMs: number;
  readonly state: ComputeState;
  /** At its end, and the most that there were at a time. */
  readonly connections: number;
  readonly most: number;
}

const KEPT_MS = 3_600_000;
/** Changes of connections within so long count as one moment. */
const GRAIN_MS = 5000;

const NOTES = new WeakMap<Engine, Map<string, Moment[]>>();

function notesOf(engine: Engine): Map<string, Moment[]> {
  const notes = NOTES.get(engine) ?? new Map<string, Moment[]>();
  NOTES.set(engine, notes);
  return notes;
}

export interface Happened {
  readonly before: ComputeRecord;
  readonly after: ComputeRecord;
  readonly atMs: number;
  /** Open from now on. */
  readonly connections: number;
}

/** Notes that a compute came up or went down, or that a connection was opened or closed. */
export function noteActivity(engine: Engine, { before, after, atMs, connections }: Happened): void {
  const notes = notesOf(engine);
  const moments = notes.get(after.id) ?? [firstMoment(before)];
  const last = moments.at(-1);
  const state = after.currentState;
  if (last?.state === state && last.connections === connections) return;
  const known = moments.findLastIndex((moment) => moment.atMs <= atMs - KEPT_MS);
  if (known > 0) moments.splice(0, known);
  if (last?.state === state && atMs - last.atMs < GRAIN_MS && moments.length > 1)
    moments[moments.length - 1] = { ...last, connections, most: Math.max(last.most, connections) };
  else moments.push({ atMs, state, connections, most: connections });
  notes.set(after.id, moments);
}

export function forgetActivity(engine: Engine, computeId: string): void {
  notesOf(engine).delete(computeId);
}

/** The last hour, oldest first; the first moment may lie before it. */
export function activityOf(engine: Engine, compute: ComputeRecord): readonly Moment[] {
  const moments = notesOf(engine).get(compute.id) ?? [firstMoment(compute)];
  // A state that was put in its place as a whole, by a reset, leaves no note.
  return moments.at(-1)?.state === compute.currentState ? moments : [...moments, firstMoment(compute)];
}

/** From the record itself: the time since which the state has lasted. */
function firstMoment({ currentState: state, createdMs, ...compute }: ComputeRecord): Moment {
  const { startedMs, lastActiveMs, suspendedMs } = compute;
  const atMs = (state === 'active' ? (startedMs ?? lastActiveMs) : suspendedMs) ?? createdMs;
  return { atMs, state, connections: 0, most: 0 };
}
