// What the operation logs say of steps that were answered without an operation: one that runs is waited for, one that failed is told.
import { readHistory } from '../../apply/read/operation-log.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { OperationRecord } from '../../model/live.ts';
import { hasFailed, isBusy } from '../../model/operations/status.ts';
import { mayHaveStarted, showsChanges, type OperatedOn } from '../../model/operations/table.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { readOrNull } from '../../client/failure.ts';
import { readerOf } from '../../client/types.ts';
import type { ApplyParts } from '../parts.ts';
import { kindOf } from '../../kinds/index.ts';
import { unreportedIds } from '../reading/settle.ts';

export interface UnreportedOperations {
  readonly running: readonly OperationRecord[];
  /** Addresses of what `running` acts on. */
  readonly open: readonly Address[];
  /** Addresses of which the newest operation failed, or is not known. */
  readonly failed: readonly Address[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One newest page of the log for each project in which such a step was done; nothing is read where there is none. */
export async function unreportedOperations(
  { session }: ApplyParts,
  { steps }: Plan,
  result: RunResult,
  signal: AbortSignal,
): Promise<UnreportedOperations> {
  const unreported = unreportedIds(result);
  const addresses = new Set(unreported.values());
  const asked = steps.filter(
    ({ kind, address, projectId }) => addresses.has(address) && projectId !== null && showsChanges(kindOf(kind).remote),
  );
  const projects = [...new Set(asked.flatMap(({ projectId }) => projectId ?? []))];
  const logs = new Map(
    await Promise.all(projects.map(async (id) => [id, await newestOf(readerOf(session.client), id, signal)] as const)),
  );
  const newest = asked.map(({ kind, address, projectId, expects }) => {
    const id = expects.state === 'present' ? expects.id : null;
    const log = logs.get(projectId ?? '') ?? null;
    return {
      address,
      isKnown: log !== null,
      operation: log?.find((one) => id !== null && isChangeOf(kind, { id }, one)),
    };
  });
  const running = newest.filter(({ operation }) => operation !== undefined && isBusy(operation));
  const unread = newest.filter(({ isKnown }) => !isKnown);
  const failed = newest.filter(({ operation }) => operation !== undefined && hasFailed(operation));
  return {
    running: running.flatMap(({ operation }) => operation ?? []),
    open: running.map(({ address }) => address),
    failed: [...failed, ...unread].map(({ address }) => address),
    diagnostics: [
      ...failed.map(({ address, operation }) =>
        problem(
          address,
          `the service accepted the request, but ${operation?.action} ${operation?.id} ended as ${operation?.status}`,
        ),
      ),
      ...unread.map(({ address }) =>
        problem(
          address,
          'the outcome is not known: the reply named no operation, and the operation log could not be read',
        ),
      ),
    ],
  };
}

function isChangeOf(kind: Step['kind'], of: OperatedOn, operation: OperationRecord): boolean {
  const { operations: table } = kindOf(kind).remote;
  return table !== undefined && mayHaveStarted(table, 'update', of, operation);
}

/** Newest first; null when it cannot be read. */
async function newestOf(
  reader: Parameters<typeof readHistory>[0],
  projectId: string,
  signal: AbortSignal,
): Promise<readonly OperationRecord[] | null> {
  return (await readOrNull(readHistory(reader, projectId, { sinceMs: null }, signal)))?.operations ?? null;
}

function problem(address: Address, message: string): Diagnostic {
  return {
    severity: 'error',
    code: 'operation_failed',
    message,
    hint: 'Run trueup apply again: it sends the change again.',
    address,
  };
}
