// The life of an operation: it starts, may fail and be retried, ends, and has its effect.
import { defined } from '../../../base/picked.ts';
import type { Engine } from '../engine/engine.ts';
import { newUuid } from '../engine/naming.ts';
import { advanceDueMs, DEFAULT_FATE, type Fate, type OperationRecord, isSuccess } from './record.ts';
import type { ComputeRecord } from '../compute/record.ts';

export type Subject = Pick<OperationRecord, 'projectId' | 'branchId' | 'endpointId'>;

export function subjectOf({ projectId, branchId, id: endpointId }: ComputeRecord): Subject {
  return { projectId, branchId, endpointId };
}

export interface Step {
  readonly action: string;
  readonly effect: string;
  readonly subject?: Subject;
}

/** Starts a chain of operations. The first runs at once, unless its compute is busy; the others wait in scheduling. */
export function startOperations(
  engine: Engine,
  atMs: number,
  subject: Subject,
  steps: readonly Step[],
  options: Pick<OperationRecord, 'alongside' | 'revert'> = {},
): OperationRecord[] {
  const started: OperationRecord[] = [];
  const beside: OperationRecord[] = [];
  const open = engine.live.operations.on.get(subject.endpointId ?? '').filter(({ alongside }) => alongside !== true);
  open.sort(bySeq);
  let after = options.alongside === true ? undefined : open.at(-1)?.seq;
  const chain = engine.meta.nextOperationSeq;
  for (const step of steps) {
    const about = step.subject ?? subject;
    const fate = engine.faults.fateOf({ action: step.action, atMs, ...about });
    const operation = newOperation(engine, atMs, about, step, { after, chain, fate, ...options });
    const revert = started.length === 0 && options.revert !== undefined ? { revert: options.revert } : {};
    started.push({ ...operation, ...revert });
    after = operation.seq;
    if (fate.beside === undefined) continue;
    // The injected fault `beside` adds an operation of the control plane's own, which changes nothing.
    const place = { after: undefined, chain: engine.meta.nextOperationSeq, fate: DEFAULT_FATE, alongside: true };
    beside.push(newOperation(engine, atMs, about, { action: fate.beside, effect: 'none' }, place));
  }
  for (const operation of [...started, ...beside]) engine.put('operations', operation);
  return started;
}

interface Place {
  readonly after: number | undefined;
  readonly chain: number;
  readonly fate: Fate;
  readonly alongside?: boolean;
}

function newOperation(engine: Engine, atMs: number, subject: Subject, step: Step, place: Place): OperationRecord {
  const seq = engine.meta.nextOperationSeq;
  engine.setMeta({ nextOperationSeq: seq + 1 });
  const { min, max } = engine.operationMs;
  const { fate } = place;
  const durationMs = fate.durationMs ?? Math.round(min + engine.random.next() * (max - min));
  const running = place.after === undefined && fate.neverStarts !== true;
  return {
    seq,
    id: newUuid(engine.random),
    projectId: subject.projectId,
    ...defined({ branchId: subject.branchId, endpointId: subject.endpointId }),
    action: step.action,
    status: running ? 'running' : 'scheduling',
    failuresCount: 0,
    createdMs: atMs,
    updatedMs: atMs,
    durationMs,
    ...defined({ after: place.after }),
    ...(running && fate.neverEnds !== true ? { endsMs: atMs + durationMs } : {}),
    open: true,
    chain: place.chain,
    effect: step.effect,
    outcome: fate.outcome,
    ...(place.alongside === true ? { alongside: true } : {}),
    ...(fate.neverStarts === true ? { stuck: 'scheduling' } : fate.neverEnds === true ? { stuck: 'running' } : {}),
    ...(fate.hidden === true ? { hidden: true } : {}),
  };
}

/** An index loses the order of a record that a cancelled transaction removed. */
function bySeq(a: OperationRecord, b: OperationRecord): number {
  return a.seq - b.seq;
}

export function advanceOperation(engine: Engine, operationId: string, atMs: number): void {
  const operation = engine.live.operations.get(operationId);
  const dueMs = operation === undefined ? undefined : advanceDueMs(operation);
  if (operation === undefined || dueMs === undefined || dueMs > atMs) return;
  if (operation.retryMs !== undefined) startAttempt(engine, operation, atMs);
  // While the operation's work on Postgres is in progress, nothing happens: the end of the work ends the attempt.
  else if (engine.works?.isPending(operation) !== true) endAttempt(engine, operation, atMs);
}

function startAttempt(engine: Engine, operation: OperationRecord, atMs: number): void {
  if (operation.stuck === 'scheduling') return;
  const { retryMs: _retry, error: _error, ...rest } = operation;
  const ends = operation.stuck === 'running' ? {} : { endsMs: atMs + operation.durationMs };
  engine.put('operations', { ...rest, status: 'running', updatedMs: atMs, ...ends });
}

function endAttempt(engine: Engine, operation: OperationRecord, atMs: number): void {
  const { outcome } = operation;
  if ((outcome.failures ?? 0) > operation.failuresCount)
    return engine.put('operations', {
      ...operation,
      status: 'failed',
      error: outcome.error ?? 'the attempt failed and will be repeated',
      failuresCount: operation.failuresCount + 1,
      retryMs: atMs + (outcome.retryAfterMs ?? 1000),
      updatedMs: atMs,
    });
  const error = engine.works?.failureOf(operation);
  if (error !== undefined)
    return endOperation(engine, { ...operation, outcome: { status: 'failed', applied: false, error } }, atMs);
  const { flap } = outcome;
  const { flapped = 0 } = operation;
  if (flap === undefined || flap.times <= flapped) return endOperation(engine, operation, atMs);
  const seeming = { status: flap.status, flapped: flapped + 1, retryMs: atMs + flap.everyMs, updatedMs: atMs };
  engine.put('operations', { ...operation, ...seeming });
}

function endOperation(engine: Engine, operation: OperationRecord, atMs: number): void {
  const { outcome } = operation;
  const unsuccessful = !isSuccess(outcome.status);
  const { endsMs: _ends, retryMs: _retry, ...rest } = operation;
  engine.put('operations', {
    ...rest,
    status: outcome.status,
    ...defined({ error: outcome.error }),
    failuresCount: operation.failuresCount + (outcome.status === 'failed' ? 1 : 0),
    updatedMs: atMs,
    open: false,
  });
  if (outcome.applied) engine.behaviour.effects[operation.effect]?.(engine, operation, atMs);
  else engine.behaviour.undone(engine, operation, atMs);
  const cancels = unsuccessful && engine.switches.afterFailure === 'cancel_rest';
  const successors = engine.live.operations.of.get(operation.projectId).filter(({ after }) => after === operation.seq);
  for (const waiting of successors.sort(bySeq)) {
    if (cancels && waiting.chain === operation.chain)
      endOperation(engine, { ...waiting, outcome: { status: 'cancelled', applied: false } }, atMs);
    else startAttempt(engine, waiting, atMs);
  }
  engine.behaviour.ended(engine, operation, atMs);
}
