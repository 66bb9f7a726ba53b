// Does the work of operations on Postgres: such an operation ends only when its change is done.
import { messageOf } from '../../base/error-code.ts';
import type { Engine, Works } from '../resources/engine/engine.ts';
import { advanceOperation } from '../resources/operation/life.ts';
import type { OperationRecord } from '../resources/operation/record.ts';
import type { Fleet } from './compute/fleet.ts';

type Work = (fleet: Fleet, operation: OperationRecord) => Promise<unknown>;

const ensureBranch: Work = (fleet, { branchId = '' }) => fleet.timelines.ensure(branchId);
const byAction: Readonly<Record<string, Work>> = {
  create_timeline: ensureBranch,
  create_branch: ensureBranch,
  start_compute: (fleet, { endpointId = '' }) => fleet.start(endpointId),
  suspend_compute: (fleet, { endpointId = '' }) => fleet.stop(endpointId),
  apply_config: (fleet, { endpointId = '', effect }) => fleet.configure(endpointId, effect === 'reconnect'),
  delete_timeline: (fleet) => fleet.timelines.collect(),
};

export interface OpenWorks extends Works {
  close(): Promise<void>;
}

interface Begun {
  readonly done: Promise<void>;
  outcome?: { readonly failure?: string };
}

export function openWorks(engine: Engine, fleet: Fleet, address: string, lastUseMs: Works['lastUseMs']): OpenWorks {
  const begun = new Map<string, Begun>();
  let isClosed = false;
  let isAwake = false;
  let shelved: number | undefined;
  let collected: Promise<unknown> = Promise.resolve();

  const finish = (operationId: string): void => {
    if (!isClosed) engine.transact((atMs) => advanceOperation(engine, operationId, atMs));
  };
  const begin = (operation: OperationRecord, work: Work): void => {
    const mine: Begun = {
      done: work(fleet, operation).then(
        () => void (mine.outcome = {}),
        (error: unknown) => void (mine.outcome = { failure: messageOf(error) }),
      ),
    };
    begun.set(operation.id, mine);
    void mine.done.then(() => finish(operation.id));
  };
  const look = (): void => {
    isAwake = false;
    if (isClosed) return;
    const { operations, computes, shelf } = engine.live;
    for (const id of begun.keys()) if (!operations.has(id)) begun.delete(id);
    for (const operation of operations.values()) {
      const work = workOf(operation);
      if (work !== undefined && !begun.has(operation.id)) begin(operation, work);
    }
    const gone = fleet.ids().filter((id) => !computes.has(id));
    const stopped = gone.map((id) => fleet.stop(id));
    if (shelf.size === shelved) return;
    shelved = shelf.size;
    // A failure is ignored: the next start collects again.
    collected = Promise.all([collected, ...stopped])
      .then(() => fleet.timelines.collect())
      .catch(() => undefined);
  };
  return {
    address,
    lastUseMs,
    committed: () => {
      if (isAwake || isClosed) return;
      isAwake = true;
      queueMicrotask(look);
    },
    isPending: (operation) => workOf(operation) !== undefined && begun.get(operation.id)?.outcome === undefined,
    failureOf: ({ id }) => begun.get(id)?.outcome?.failure,
    close: async () => {
      isClosed = true;
      await Promise.all([collected, ...Array.from(begun.values(), ({ done }) => done)]);
    },
  };
}

/** The work of an operation that runs and will succeed; undefined when there is none. */
function workOf(operation: OperationRecord): Work | undefined {
  const { status, endsMs, outcome, failuresCount, action } = operation;
  if (status !== 'running' || endsMs === undefined || !outcome.applied) return undefined;
  if ((outcome.failures ?? 0) > failuresCount) return undefined;
  return Object.hasOwn(byAction, action) ? byAction[action] : undefined;
}
