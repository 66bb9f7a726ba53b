// Reads operations of a project: its log, a single operation, or those that a wait asks for.
import type { Operation, OperationList, OperationReply } from '../../api/index.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { inert } from '../../base/text/inert.ts';
import type { OperationHistory, OperationRecord } from '../../model/live.ts';
import { ApiFailure } from '../failure.ts';
import { readPages } from '../pages.ts';
import type { Reader } from '../types.ts';
import type { Sighting } from './watched-operation.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

interface LogQuery {
  readonly projectId: string;
  readonly signal: AbortSignal;
  readonly limit: number;
  readonly maxPages?: number;
  readonly maxItems?: number;
  readonly isEnough?: (operations: readonly OperationRecord[]) => boolean;
}

/** Reads the newest part of the log, newest first, whatever the order of the service (api-rules 7.4). */
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

/** The problem of a log with an operation of another project: it may also lack operations of this project. */
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

/** The maximum number of pages: awaited operations are among the newest. Operations beyond these pages are read one by one. */
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

/** Reads the log, and awaited operations beyond it by their own route. `absent`: neither shows the operation. Rejects if the log cannot be read. */
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

/** Reads one operation; `unseen` without a request if its id is not safe in a path. */
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
    // A refusal would also meet every later poll, so it ends the wait; other failures may pass.
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
    maxItems: MOST_ENTRIES,
    isEnough,
  });
}
