// Reads the operations of a project. Decides how each operation that trueup waits for ended, or when to poll the operation next.
import type { Operation, OperationList, OperationReply } from '../api/index.ts';
import { millisecondsOf } from '../base/time/clock.ts';
import { inert } from '../base/text/inert.ts';
import type { OperationHistory, OperationRecord } from '../model/live.ts';
import { ApiFailure } from './failure.ts';
import { readPages } from './pages.ts';
import type { Reader } from './types.ts';
import { isOvertaken, standingOf } from '../model/operations/operation.ts';
import { END_MARGIN_MS, FIRST_LOOK_MS, LOG_LAG_MS, LOOK_STEP_SHARE } from '../model/operations/timing.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

interface LogQuery {
  readonly projectId: string;
  readonly signal: AbortSignal;
  readonly limit: number;
  readonly maxPages?: number;
  readonly isEnough?: (operations: readonly OperationRecord[]) => boolean;
}

/** Reads the newest part of a project's operation log (api-rules 7.4), and sorts it newest first in case the service did not. */
export async function readOperationLog(reader: Reader, query: LogQuery): Promise<OperationHistory> {
  const { projectId, isEnough = () => false, ...bounds } = query;
  const recordsOf = (operations: readonly Operation[]): OperationRecord[] =>
    operations.map((operation) => toOperationRecord(operation, projectId));
  const { items, complete } = await readPages<OperationList, Operation>(reader, {
    path: `/projects/${projectId}/operations`,
    shape: 'OperationList',
    itemsOf: (page) => page.operations,
    problemOf: ({ operations }) => strangerAmong(operations, projectId),
    shortEnds: true,
    isEnough: (operations) => isEnough(recordsOf(operations)),
    ...bounds,
  });
  const operations = recordsOf(items);
  operations.sort((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0));
  return { operations, complete };
}

function isOf(projectId: string, operation: Operation): boolean {
  return operation.project_id === undefined || operation.project_id === projectId;
}

/** Returns a problem if the log lists an operation of another project, because it may then lack operations of this project; else null. */
function strangerAmong(operations: readonly Operation[], projectId: string): string | null {
  const stranger = operations.find((operation) => !isOf(projectId, operation));
  return stranger === undefined ? null : `lists the operation "${inert(stranger.id, 80)}" of another project`;
}

export function toOperationRecord(operation: Operation, projectId: string): OperationRecord {
  return {
    id: operation.id,
    action: operation.action,
    status: operation.status,
    projectId,
    branchId: operation.branch_id ?? null,
    resourceId: operation.endpoint_id ?? null,
    failuresCount: operation.failures_count ?? 0,
    error: operation.error ?? null,
    retryAtMs: millisecondsOf(operation.retry_at),
    createdAtMs: millisecondsOf(operation.created_at),
    updatedAtMs: millisecondsOf(operation.updated_at),
  };
}

/** The most pages of the log that a poll reads. Awaited operations that these pages lack are read one by one. */
const PAGES_MAX = 3;
const PAGE_MIN = 30;
const PAGE_MAX = 500;

export interface ProjectLook {
  /** Newest first. */
  readonly operations: readonly OperationRecord[];
  readonly sightings: ReadonlyMap<string, Sighting>;
}

interface LookQuery {
  readonly projectId: string;
  readonly awaited: readonly string[];
  readonly signal: AbortSignal;
}

/** Reads the newest pages of the log, and by their own route the awaited operations that these pages lack. Rejects if the log cannot be read. */
export async function lookAtProject(reader: Reader, query: LookQuery): Promise<ProjectLook> {
  const { projectId, awaited, signal } = query;
  const { operations } = await readOperationLog(reader, {
    projectId,
    signal,
    limit: Math.min(PAGE_MAX, Math.max(PAGE_MIN, awaited.length * 2 + 10)),
    maxPages: PAGES_MAX,
    isEnough: (seen) => {
      const ids = new Set(seen.map(({ id }) => id));
      return awaited.every((id) => ids.has(id));
    },
  });
  const sightings = new Map<string, Sighting>(operations.map((operation) => [operation.id, operation]));
  const missing = awaited.filter((id) => !sightings.has(id));
  await Promise.all(missing.map(async (id) => sightings.set(id, await fetchOne(reader, { projectId, id, signal }))));
  return { operations, sightings };
}

/** Reads one operation; returns `unseen` without a request if the id is not safe in a path. */
async function fetchOne(
  reader: Reader,
  { projectId, id, signal }: { projectId: string; id: string; signal: AbortSignal },
): Promise<Sighting> {
  if (!ID.test(id)) return 'unseen';
  try {
    const path = `/projects/${projectId}/operations/${id}`;
    const { operation } = await reader.get<OperationReply>(path, 'OperationReply', { signal });
    return operation.id === id && isOf(projectId, operation) ? toOperationRecord(operation, projectId) : 'unseen';
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    if (failure.status === 404) return 'absent';
    // After a refusal, every later poll would be refused too, so the wait ends; other failures may pass.
    if (failure.failureClass === 'refused') throw failure;
    return 'unseen';
  }
}

const NEWEST = 100;
/** The largest page that the service returns. */
const PAGE_SIZE = 1000;
const MOST_ENTRIES = 5000;
/** Enough pages for `MOST_ENTRIES`, even if the service returns only 30 a page. */
const MAX_PAGES = 167;

export async function readNewest(reader: Reader, projectId: string, signal: AbortSignal): Promise<OperationHistory> {
  return readOperationLog(reader, { projectId, signal, limit: NEWEST, maxPages: 1 });
}

export type IsEnough = (operations: readonly OperationRecord[]) => boolean;

export async function readHistoryUntil(
  reader: Reader,
  projectId: string,
  isEnough: IsEnough,
  signal: AbortSignal,
): Promise<OperationHistory> {
  return readOperationLog(reader, {
    projectId,
    signal,
    limit: PAGE_SIZE,
    maxPages: MAX_PAGES,
    isEnough: (operations) => operations.length >= MOST_ENTRIES || isEnough(operations),
  });
}

/** If an open operation seems older than this, trueup assumes that the clocks differ, and ignores the service's date. */
const BELIEVABLE_AGE_MS = 600_000;

export interface WatchedOperation {
  readonly id: string;
  readonly action: string;
  /** Monotonic time when the operation started; if that is not known, when trueup began to watch it. */
  readonly startedMs: number;
  readonly watchedMs: number;
  record: OperationRecord;
  end: 'finished' | 'failed' | 'vanished' | null;
  /** Monotonic time when the last poll began; null before the first. */
  lookedMs: number | null;
  failedSinceMs: number | null;
  absentSinceMs: number | null;
}

/** `absent`: the service does not know the operation · `unseen`: proves nothing, for example because the request failed. */
export type Sighting = OperationRecord | 'absent' | 'unseen';

export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
  /** The least time between the two polls that prove a failure. */
  readonly failedGapMs: number;
}

export function isOpen({ end }: WatchedOperation): boolean {
  return end === null;
}

/** Begins to watch an operation. If its record has no believable date, the operation counts as started now. */
export function watchOf(
  record: OperationRecord,
  { monotonicMs, wallMs }: Omit<Moment, 'failedGapMs'>,
): WatchedOperation {
  const ageMs = record.createdAtMs === null ? 0 : wallMs - record.createdAtMs;
  const isBelievable = ageMs >= 0 && ageMs <= BELIEVABLE_AGE_MS;
  return {
    id: record.id,
    action: record.action,
    startedMs: monotonicMs - (isBelievable ? ageMs : 0),
    watchedMs: monotonicMs,
    record,
    end: null,
    lookedMs: null,
    failedSinceMs: null,
    absentSinceMs: null,
  };
}

/**
 * Records what a poll showed. The service may retry an operation with the status `failed`, so its `end` is `failed` only after two such polls, at
 * least `failedGapMs` apart, without a coming retry. With an unknown status, `end` is `finished` if a newer operation of the resource succeeded.
 */
export function sight(
  operation: WatchedOperation,
  sighting: Sighting,
  { monotonicMs, wallMs, failedGapMs }: Moment,
  log: readonly OperationRecord[] = [],
): void {
  if (operation.end !== null || sighting === 'unseen') return;
  if (sighting === 'absent') {
    operation.absentSinceMs ??= monotonicMs;
    if (monotonicMs - operation.absentSinceMs >= LOG_LAG_MS) operation.end = 'vanished';
    return;
  }
  operation.absentSinceMs = null;
  operation.record = sighting;
  const standing = standingOf(sighting);
  const willBeRetried = sighting.retryAtMs !== null && sighting.retryAtMs > wallMs;
  if (standing === 'succeeded' || (standing === null && isOvertaken(sighting, log))) operation.end = 'finished';
  else if (standing === 'over') operation.end = 'failed';
  else if (standing !== 'failed' || willBeRetried) operation.failedSinceMs = null;
  else if (operation.failedSinceMs === null) operation.failedSinceMs = monotonicMs;
  else if (monotonicMs - operation.failedSinceMs >= failedGapMs) operation.end = 'failed';
}

export interface ScheduleSetting {
  readonly durations: Durations;
  readonly pollIntervalMs: number;
  readonly failedGapMs: number;
}

export class Durations {
  readonly #usual = new Map<string, number>();
  readonly #scouts = new Map<string, WatchedOperation>();

  usualMs(action: string): number | undefined {
    return this.#usual.get(action);
  }

  /** True for the scout of an action: the one open operation that trueup polls early to learn the duration of all operations of this action. */
  isScout(operation: WatchedOperation): boolean {
    const scout = this.#scouts.get(operation.action);
    if (scout?.end === null) return scout === operation;
    this.#scouts.set(operation.action, operation);
    return true;
  }

  /** Learns the duration of each action from a log, newest first. True if a duration is new or shorter now, so polls may be due earlier. */
  learn(log: readonly OperationRecord[]): boolean {
    const newest = new Map<string, number>();
    for (const { action, status, createdAtMs, updatedAtMs } of log) {
      const tookMs = (updatedAtMs ?? Number.NaN) - (createdAtMs ?? Number.NaN);
      if (status === 'finished' && tookMs >= 0 && !newest.has(action)) newest.set(action, tookMs);
    }
    const isSooner = [...newest].some(([action, tookMs]) => tookMs < (this.#usual.get(action) ?? Infinity));
    for (const [action, tookMs] of newest) this.#usual.set(action, tookMs);
    return isSooner;
  }
}

export function dueMs(operation: WatchedOperation, setting: ScheduleSetting): number {
  const { lookedMs, watchedMs, failedSinceMs } = operation;
  const latestMs = (lookedMs ?? watchedMs) + setting.pollIntervalMs;
  const wantedMs = failedSinceMs === null ? openDueMs(operation, setting) : failedSinceMs + setting.failedGapMs;
  return Math.min(wantedMs, latestMs);
}

function openDueMs(operation: WatchedOperation, { durations }: ScheduleSetting): number {
  const { action, startedMs, lookedMs } = operation;
  const usualMs = durations.usualMs(action);
  const endMs = startedMs + (usualMs ?? -Infinity);
  if (lookedMs === null && usualMs === undefined)
    return durations.isScout(operation) ? startedMs + FIRST_LOOK_MS : Infinity;
  if (lookedMs === null || lookedMs < endMs) return endMs + END_MARGIN_MS;
  return lookedMs + Math.max(FIRST_LOOK_MS, (lookedMs - startedMs) * LOOK_STEP_SHARE);
}
