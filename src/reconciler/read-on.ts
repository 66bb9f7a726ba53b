// Reads operation logs further back where their newest part does not tell whether the last change of a managed resource failed.
import { givenUpTogether, inParallel } from '../apply/in-parallel.ts';
import { isToRead } from '../apply/known-reading.ts';
import { readHistoryUntil } from '../apply/operation-log.ts';
import { unreadLogBecause, type ReadLiveResult } from '../apply/read-live.ts';
import { readerOf } from '../client/read-only.ts';
import { kinds } from '../kinds/index.ts';
import { LAST_CHANGE_UNKNOWN, type Diagnostic } from '../model/diagnostic.ts';
import type { LiveProject, LiveResource, OperationHistory, OperationRecord, Unread } from '../model/live.ts';
import type { Plan } from '../model/plan.ts';
import { groupBy } from '../plan/scope.ts';
import type { Line } from './connect.ts';
import type { PlanRequest } from './types.ts';

const READS_AT_ONCE = 32;

/** The reading with the logs that had to be read further; null where all is told already. */
export async function readOn(
  line: Line,
  request: PlanRequest,
  { plan, reading }: { readonly plan: Plan; readonly reading: ReadLiveResult },
): Promise<ReadLiveResult | null> {
  const { histories: asked = 'needed', known = null, signal = new AbortController().signal } = request;
  const { live } = reading;
  if (asked === 'needed') return null;
  const isOpen = ({ id }: LiveProject): boolean => live.histories.get(id)?.complete === false && isToRead(known, id);
  const open = live.projects.filter(isOpen);
  const managedOf = open.length === 0 ? null : managedByProject(plan, live.resources);
  const questions = open.flatMap((project): Question[] => {
    const managed = managedOf?.get(project.id) ?? [];
    return isAnswered(managed, live.histories.get(project.id)?.operations ?? []) ? [] : [{ project, managed }];
  });
  if (questions.length === 0) return null;
  const histories = new Map(live.histories);
  const unread: Unread[] = [];
  await givenUpTogether(signal, async (together) =>
    inParallel(questions, READS_AT_ONCE, async ({ project: { id, label }, managed }) => {
      try {
        histories.set(id, await furtherOf(line, id, managed, together));
      } catch (error) {
        unread.push(unreadLogBecause(error, label, id));
      }
    }),
  );
  const untold = questions.flatMap(({ project: { id }, managed }) => {
    const log = histories.get(id);
    return log === undefined || log.complete ? [] : unanswered(managed, log.operations).map(untoldBy(plan, log));
  });
  return {
    ...reading,
    live: { ...live, histories, unread: [...live.unread, ...unread] },
    diagnostics: [...reading.diagnostics, ...untold],
  };
}

/** A log that was read as far back as it is read at all, and does not tell. Its project goes on: nobody could ever read further. */
function untoldBy({ changes }: Plan, { operations }: OperationHistory): (resource: LiveResource) => Diagnostic {
  return ({ id, projectId }) => {
    const change = changes.find((one) => one.resourceId === id && one.projectId === projectId);
    return {
      severity: 'warning',
      code: LAST_CHANGE_UNKNOWN,
      message: `whether its last change failed is not known: it is not among the last ${operations.length} operations of its project`,
      hint: 'trueup compares what is live all the same.',
      ...(change === undefined ? {} : { address: change.address }),
    };
  };
}

/** What is to be known of a project: the last change of each of these. */
interface Question {
  readonly project: LiveProject;
  readonly managed: readonly LiveResource[];
}

async function furtherOf(
  line: Line,
  projectId: string,
  managed: readonly LiveResource[],
  signal: AbortSignal,
): Promise<OperationHistory> {
  return readHistoryUntil(readerOf(line.client), projectId, (operations) => isAnswered(managed, operations), signal);
}

function managedByProject({ changes }: Plan, live: readonly LiveResource[]): ReadonlyMap<string, LiveResource[]> {
  const managed = changes.filter(({ origin }) => origin !== 'prune');
  const ids = new Set(managed.map(({ resourceId, projectId }) => `${projectId ?? ''} ${resourceId ?? ''}`));
  const isManaged = ({ id, projectId }: LiveResource): boolean => ids.has(`${projectId ?? ''} ${id}`);
  return groupBy(live.filter(isManaged), ({ projectId }) => projectId ?? '');
}

/** True when the last change of each is among the operations, or they reach back to before it was made. */
function isAnswered(managed: readonly LiveResource[], operations: readonly OperationRecord[]): boolean {
  return unanswered(managed, operations).length === 0;
}

function unanswered(managed: readonly LiveResource[], operations: readonly OperationRecord[]): readonly LiveResource[] {
  const told = new Set(operations.filter(isChange).map(({ resourceId }) => resourceId));
  const oldestMs = operations.reduce((least, { createdAtMs }) => Math.min(least, createdAtMs ?? Infinity), Infinity);
  return managed.filter(({ id, createdAtMs }) => !told.has(id) && (createdAtMs === null || oldestMs >= createdAtMs));
}

function isChange(operation: OperationRecord): boolean {
  return kinds.some(({ rules }) => rules.scope === 'project' && rules.explains?.(operation, 'update') === true);
}
