// A project's operation log as evidence: read as far back as it is needed.
import { readOperationLog } from '../../client/operations/log.ts';
import type { Reader } from '../../client/types.ts';
import type { OperationHistory, OperationRecord } from '../../model/live.ts';

const NEWEST = 100;
/** The most that the service gives in one page. */
const PAGE_SIZE = 1000;
/** So far back a log is read at most, in entries. */
const MOST_ENTRIES = 5000;
/** Enough pages for these entries from a service whose pages hold 30. */
const MAX_PAGES = 167;

/** The newest operations of a project (api-rules 7.4). Rejects with `ApiFailure`. */
export async function readNewest(reader: Reader, projectId: string, signal: AbortSignal): Promise<OperationHistory> {
  return readOperationLog(reader, { projectId, signal, limit: NEWEST, maxPages: 1 });
}

/** True once the operations tell what is asked of a log: no older ones are wanted. */
export type IsEnough = (operations: readonly OperationRecord[]) => boolean;

/** The log from its newest operation on until `isEnough`, within the same bounds. Rejects with `ApiFailure`. */
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
