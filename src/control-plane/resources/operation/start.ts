// The birth of operations: a chain of steps for one resource, each waiting for the one before.
import type { Engine } from '../engine/engine.ts';
import { newUuid } from '../engine/naming.ts';
import { DEFAULT_FATE, type Fate } from './fate.ts';
import type { ComputeConfig, ComputeRecord } from '../compute/record.ts';
import type { OperationRecord } from './record.ts';

/** Subject of the operations. */
export interface Subject {
  readonly projectId: string;
  readonly branchId?: string;
  readonly endpointId?: string;
}

export function subjectOf({ projectId, branchId, id: endpointId }: ComputeRecord): Subject {
  return { projectId, branchId, endpointId };
}

export interface Step {
  readonly action: string;
  /** Name of its effect when it ends well; `none` for nothing. */
  readonly effect: string;
  /** Subject of this step where it differs from that of the chain. */
  readonly subject?: Subject;
}

export interface StartOptions {
  /** Does not wait for open operations of the same compute, and none waits for it. */
  readonly alongside?: boolean;
  /** Configuration that comes back when the first step is not applied. */
  readonly revert?: ComputeConfig;
}

/** Starts a chain: the first step runs at once unless its compute is busy, the others are scheduling. */
export function startOperations(
  engine: Engine,
  atMs: number,
  subject: Subject,
  steps: readonly Step[],
  options: StartOptions = {},
): OperationRecord[] {
  const started: OperationRecord[] = [];
  const beside: OperationRecord[] = [];
  let after = options.alongside === true ? undefined : lastOpenOn(engine, subject.endpointId)?.seq;
  const chain = engine.state.meta.nextOperationSeq;
  for (const step of steps) {
    const about = step.subject ?? subject;
    const fate = engine.faults.fateOf({ action: step.action, atMs, ...about });
    const operation = newOperation(engine, atMs, about, step, { after, chain, fate, ...options });
    const revert = started.length === 0 && options.revert !== undefined ? { revert: options.revert } : {};
    started.push({ ...operation, ...revert });
    after = operation.seq;
    if (fate.beside !== undefined) beside.push(ownOperation(engine, atMs, about, fate.beside));
  }
  for (const operation of [...started, ...beside]) {
    engine.state.put('operations', operation);
    engine.watch('operations', operation.id);
  }
  return started;
}

/** An operation that the control plane starts of its own accord (an injected fault): it changes nothing. */
function ownOperation(engine: Engine, atMs: number, subject: Subject, action: string): OperationRecord {
  const chain = engine.state.meta.nextOperationSeq;
  const place = { after: undefined, chain, fate: DEFAULT_FATE, alongside: true };
  return newOperation(engine, atMs, subject, { action, effect: 'none' }, place);
}

/** Position of an operation in its chain, and its effect. */
interface Place {
  readonly after: number | undefined;
  readonly chain: number;
  readonly fate: Fate;
  readonly alongside?: boolean;
}

function newOperation(engine: Engine, atMs: number, subject: Subject, step: Step, place: Place): OperationRecord {
  const seq = engine.state.meta.nextOperationSeq;
  engine.state.setMeta({ nextOperationSeq: seq + 1 });
  const { min, max } = engine.operationMs;
  const { fate } = place;
  const durationMs = fate.durationMs ?? Math.round(min + engine.random.next() * (max - min));
  const running = place.after === undefined && fate.neverStarts !== true;
  return {
    seq,
    id: newUuid(engine.random),
    projectId: subject.projectId,
    ...(subject.branchId === undefined ? {} : { branchId: subject.branchId }),
    ...(subject.endpointId === undefined ? {} : { endpointId: subject.endpointId }),
    action: step.action,
    status: running ? 'running' : 'scheduling',
    failuresCount: 0,
    createdMs: atMs,
    updatedMs: atMs,
    durationMs,
    ...(place.after === undefined ? {} : { after: place.after }),
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

function lastOpenOn(engine: Engine, endpointId: string | undefined): OperationRecord | undefined {
  let last: OperationRecord | undefined;
  if (endpointId === undefined) return undefined;
  for (const operation of engine.live.operations.on.get(endpointId))
    if (operation.alongside !== true && (last === undefined || operation.seq > last.seq)) last = operation;
  return last;
}
