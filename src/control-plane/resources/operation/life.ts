// The life of an operation after its birth: it starts when its turn comes, fails, is tried again, ends, and has its effect.
import type { Behaviour, Engine } from '../engine/engine.ts';
import type { Flap } from './fate.ts';
import { isSuccess, type OperationRecord } from './record.ts';

export const operationBehaviour: Partial<Behaviour> = {
  timers: { advance: advanceOperation },
};

/** Moves an operation on when its time has come: a new attempt starts, or the attempt under way ends. */
function advanceOperation(engine: Engine, operationId: string, atMs: number): void {
  const operation = engine.live.operations.get(operationId);
  if (operation === undefined) return;
  if (operation.status === 'running') {
    if (operation.endsMs === undefined || operation.endsMs > atMs) return;
    // Real work under way; its end moves the operation on.
    if (engine.works?.isPending(operation) !== true) endAttempt(engine, operation, atMs);
  } else if (operation.retryMs !== undefined && operation.retryMs <= atMs) {
    startAttempt(engine, operation, atMs);
  }
}

function startAttempt(engine: Engine, operation: OperationRecord, atMs: number): void {
  if (operation.stuck === 'scheduling') return;
  const { retryMs: _retry, error: _error, ...rest } = operation;
  const ends = operation.stuck === 'running' ? {} : { endsMs: atMs + operation.durationMs };
  const started = { ...rest, status: 'running', updatedMs: atMs, ...ends };
  engine.state.put('operations', started);
  engine.watch('operations', started.id);
}

function endAttempt(engine: Engine, operation: OperationRecord, atMs: number): void {
  const { outcome } = operation;
  if ((outcome.failures ?? 0) > operation.failuresCount) {
    const failed = {
      ...operation,
      status: 'failed',
      error: outcome.error ?? 'the attempt failed and will be repeated',
      failuresCount: operation.failuresCount + 1,
      retryMs: atMs + (outcome.retryAfterMs ?? 1000),
      updatedMs: atMs,
    };
    engine.state.put('operations', failed);
    return engine.watch('operations', failed.id);
  }
  const error = engine.works?.failureOf(operation);
  if (error !== undefined)
    return endOperation(engine, { ...operation, outcome: { status: 'failed', applied: false, error } }, atMs);
  const { flap } = outcome;
  if (flap !== undefined && flap.times > (operation.flapped ?? 0)) return seemEnded(engine, operation, flap, atMs);
  endOperation(engine, operation, atMs);
}

/** Shows a status as if the operation had ended, and has a new attempt follow. */
function seemEnded(engine: Engine, operation: OperationRecord, flap: Flap, atMs: number): void {
  const flapped = (operation.flapped ?? 0) + 1;
  const seeming = { ...operation, status: flap.status, flapped, retryMs: atMs + flap.everyMs, updatedMs: atMs };
  engine.state.put('operations', seeming);
  engine.watch('operations', seeming.id);
}

/** Ends the operation with its outcome, and gives the turn to those that waited for it. */
function endOperation(engine: Engine, operation: OperationRecord, atMs: number): void {
  const { outcome } = operation;
  const unsuccessful = !isSuccess(outcome.status);
  const { endsMs: _ends, retryMs: _retry, ...rest } = operation;
  engine.state.put('operations', {
    ...rest,
    status: outcome.status,
    ...(outcome.error === undefined ? {} : { error: outcome.error }),
    failuresCount: operation.failuresCount + (outcome.status === 'failed' ? 1 : 0),
    updatedMs: atMs,
    open: false,
  });
  if (outcome.applied) engine.behaviour.effects[operation.effect]?.(engine, operation, atMs);
  else for (const undo of engine.behaviour.undone) undo(engine, operation, atMs);
  const cancels = unsuccessful && engine.switches.afterFailure === 'cancel_rest';
  for (const waiting of successors(engine, operation)) {
    if (cancels && waiting.chain === operation.chain)
      endOperation(engine, { ...waiting, outcome: { status: 'cancelled', applied: false } }, atMs);
    else startAttempt(engine, waiting, atMs);
  }
  for (const tell of engine.behaviour.ended) tell(engine, operation, atMs);
}

function successors(engine: Engine, operation: OperationRecord): OperationRecord[] {
  return [...engine.live.operations.of.get(operation.projectId)]
    .filter((other) => other.after === operation.seq)
    .sort((a, b) => a.seq - b.seq);
}
