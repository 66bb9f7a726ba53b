// A run over a scripted service: its lists, its log and its waits answer as told, in virtual time.
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { ApiFailure, type FailureFacts } from '../../../src/client/failure.ts';
import type { ApiClient } from '../../../src/client/types.ts';
import type { WaitOptions, WaitOutcome } from '../../../src/client/waiter.ts';
import type { LiveResource, OperationRecord } from '../../../src/model/live.ts';
import type { OperationTable } from '../../../src/model/operations/operation.ts';
import type { Plan, Step } from '../../../src/model/outcome/plan.ts';
import { World } from '../../../src/apply/judge/world.ts';
import { createLanes } from '../../../src/apply/run/lanes.ts';
import type { ExecutableKind, Halt, Happening, Run, StepEnd } from '../../../src/apply/run/run.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export const ENDPOINT: OperationTable = {
  subjectOf: ({ resourceId }) => resourceId,
  names: 'itself',
  starts: { create: ['start_compute'], update: ['apply_config'], delete: ['suspend_compute'] },
  last: 'suspend_compute',
};

export function failure(message: string, facts: Partial<FailureFacts> = {}): ApiFailure {
  return new ApiFailure(message, { failureClass: 'refused', method: 'GET', path: '/', ...facts });
}

export function operation(part: Partial<OperationRecord> = {}): OperationRecord {
  return {
    id: 'op-1',
    action: 'apply_config',
    status: 'running',
    projectId: 'shop-1',
    branchId: null,
    resourceId: 'ep-1',
    failuresCount: 0,
    error: null,
    retryAtMs: null,
    createdAtMs: null,
    updatedAtMs: null,
    ...part,
  };
}

export function resource(id: string, spec: JsonObject = {}): LiveResource {
  return { kind: 'compute', id, projectId: 'shop-1', spec, observed: {}, createdAtMs: 0 };
}

/** The target of the update before and after it. */
export const BEFORE: LiveResource = resource('ep-1', { disabled: false });
export const AFTER: LiveResource = resource('ep-1', { disabled: true });
/** The time at the start of a scripted run. */
export const NOW: number = Date.UTC(2026, 0, 1);

/** Answers by throwing. */
export const refusing = (error: Error) => (): never => {
  throw error;
};

const UPDATE: Step = {
  id: 'update:shop/primary',
  address: 'shop/primary',
  kind: 'compute',
  action: 'update',
  method: 'PATCH',
  path: '/projects/shop-1/endpoints/ep-1',
  projectId: 'shop-1',
  body: { endpoint: { disabled: true } },
  options: {},
  needs: [],
  expects: {
    state: 'present',
    id: 'ep-1',
    attributes: { disabled: false },
    fingerprint: { lasting: {}, passing: {}, restsOn: [] },
    joins: null,
  },
  achieves: { disabled: true },
};

/** An update of a compute, with `part` in place of its own members. */
export function stepOf(part: Partial<Step> = {}): Step {
  return { ...UPDATE, ...part };
}

export const CREATION: Partial<Step> = {
  action: 'create',
  method: 'POST',
  path: '/projects/shop-1/endpoints',
  expects: { state: 'absent', joins: { where: {}, known: [] } },
};
export const REMOVAL: Partial<Step> = { action: 'delete', method: 'DELETE', achieves: null };

type Answer<T> = (atMs: number) => T;

export interface Script {
  readonly kind?: Partial<ExecutableKind>;
  /** The list of the scope at a time; throws what its reading rejects with. */
  readonly list?: Answer<readonly LiveResource[]>;
  /** The operation log of the project at a time. */
  readonly log?: Answer<readonly OperationRecord[]>;
  /** The end of a wait for operations, and whether the project becomes quiet. */
  readonly wait?: (operations: readonly OperationRecord[], options: WaitOptions) => WaitOutcome;
  readonly quiet?: (options: WaitOptions) => boolean;
  /** What the n-th write, from 1, does: it throws what it rejects with. */
  readonly write?: (nth: number) => void;
  /** Why a refused write is not repeated, or null. */
  readonly pause?: () => string | null;
  /** How long a write waits for its turn. */
  readonly turnMs?: number;
  /** How long the reading of a list takes. */
  readonly listMs?: number;
  readonly run?: Partial<Run>;
}

export interface ScriptedRun {
  readonly run: Run;
  readonly clock: VirtualClock;
  readonly events: readonly Happening[];
  readonly halts: readonly Halt[];
  readonly reached: readonly string[];
  readonly noted: readonly string[];
  /** When each list and each log was read. */
  readonly reads: readonly { readonly what: string; readonly atMs: number }[];
  readonly writes: readonly string[];
  readonly stop: Readonly<Record<'admission' | 'finishing' | 'waits' | 'requests', AbortController>>;
}

const wire = ({ id, action, status, resourceId, createdAtMs, projectId }: OperationRecord): Json => ({
  id,
  action,
  status,
  project_id: projectId,
  failures_count: 0,
  ...(resourceId === null ? {} : { endpoint_id: resourceId }),
  ...(createdAtMs === null ? {} : { created_at: new Date(createdAtMs).toISOString() }),
});

/** A kind whose operations name the resource, and whose replies name no operation. */
export const KIND: Partial<ExecutableKind> = {
  kind: 'compute',
  attributes: {},
  operations: ENDPOINT,
  fingerprint: () => ({ lasting: {}, passing: {} }),
  recognise: () => 'slot',
  outcome: () => ({ id: 'ep-1', operations: null, secret: null, record: {} }),
};

/** With a kind that differs in this. */
export const kind = (part: Partial<ExecutableKind>): Script => ({ kind: { ...KIND, ...part } });

export const DONE: StepEnd = { end: 'done', id: 'ep-1' };
export const unknown = (reason: string, timedOut = false): StepEnd => ({ end: 'unknown', reason, timedOut });

export function scriptedRun(script: Script = {}): ScriptedRun {
  const clock = new VirtualClock();
  const [events, halts, reached, noted, writes]: [Happening[], Halt[], string[], string[], string[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  const reads: { what: string; atMs: number }[] = [];
  const stop = {
    admission: new AbortController(),
    finishing: new AbortController(),
    waits: new AbortController(),
    requests: new AbortController(),
  };
  const {
    kind = KIND,
    list = () => [],
    log = () => [],
    wait,
    quiet,
    write,
    pause = () => null,
    turnMs = 0,
    listMs = 0,
  } = script;
  const read = <T>(what: string, answer: Answer<T>): T => {
    reads.push({ what, atMs: clock.monotonicMs() });
    return answer(clock.monotonicMs());
  };
  const kinds = new Map([
    [
      'compute',
      {
        ...kind,
        list: async (_: unknown, _below: unknown, signal: AbortSignal) => {
          const resources = read('list', list);
          signal.throwIfAborted();
          if (listMs > 0) await clock.sleep(listMs, signal);
          return resources;
        },
      } as unknown as ExecutableKind,
    ],
  ]);
  const client = {
    get: async (path: string) => Promise.resolve({ operations: read(path, log).map(wire) }),
    serverTime: () => clock.nowMs(),
    clockDoubt: () => null,
    usesCredential: () => false,
    turn: async (signal: AbortSignal) => clock.sleep(turnMs, signal),
    write: async (method: string, path: string) => {
      writes.push(`${method} ${path}`);
      return Promise.resolve(write?.(writes.length) ?? {});
    },
    pauseAfter: async () => Promise.resolve(pause()),
  } as unknown as ApiClient;
  const run: Run = {
    plan: { upkeep: [], windows: [], changes: [], steps: [] } as unknown as Plan,
    kinds,
    clock,
    client,
    waiter: {
      settled: async (operations, options) =>
        Promise.resolve(wait?.(operations, options) ?? { end: 'finished', operations }),
      quiet: async (_, options) => Promise.resolve(quiet?.(options) ?? true),
    },
    journal: {
      intent: async ({ id }, known, secret) => {
        noted.push(`intent ${id} ${known.join()}${secret ? ' secret' : ''}`.trim());
        return Promise.resolve();
      },
      note: async ({ id }, state) => {
        noted.push(`${state} ${id}`);
        return Promise.resolve();
      },
      close: async () => Promise.resolve(),
    },
    runId: 'run-1',
    openSinks: () => [],
    stepTimeoutMs: 60_000,
    runDeadlineMs: Infinity,
    emit: (event) => events.push(event),
    reach: (point) => reached.push(point),
    onSecret: () => undefined,
    onMade: (step, id) => noted.push(`made ${step.id} ${id}`),
    world: new World({ kinds, reader: client, clock }),
    lanes: createLanes(10),
    turnOf: () => 0,
    signals: {
      admission: stop.admission.signal,
      finishing: stop.finishing.signal,
      waits: stop.waits.signal,
      stores: stop.requests.signal,
      requests: stop.requests.signal,
    },
    progress: () => ({ done: 1, total: 2 }),
    halt: (why) => halts.push(why),
    claims: new Set(),
    uncertain: new Set(),
    carriedOut: new Set(),
    made: new Map(),
    madeIds: new Map(),
    inHand: new Map(),
    ...script.run,
  };
  return { run, clock, events, halts, reached, noted, reads, writes, stop };
}
