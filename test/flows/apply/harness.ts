// A run of the executor against the real control plane, in virtual time: world in, events and ledger out.
import {
  createControlPlane,
  type ControlPlane,
  type ControlPlaneOptions,
  type FaultPlan,
  type FaultRule,
} from '../../../src/control-plane/index.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { bareInput } from '../../unit/plan/support/world.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { createApiClient } from '../../../src/client/api-client.ts';
import { handlerTransport } from '../../../src/client/http/handler-transport.ts';
import { createOperationWaiter, type OperationWaiter } from '../../../src/client/waiter.ts';
import { createRequestBudget } from '../../../src/client/pace.ts';
import type { ApiClient, HttpRequest } from '../../../src/client/types.ts';
import { execute, type ExecuteInput } from '../../../src/apply/execute.ts';
import type { ExecutableKind, ExecutionReport } from '../../../src/apply/run/run.ts';
import type { SecretSink } from '../../../src/apply/sinks/sink.ts';
import { noJournal } from '../../../src/apply/journal/journal.ts';
import { RunningResult } from '../../../src/apply/run/result.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Fingerprint, Plan, Step } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import type { ExchangeFault } from '../../../src/control-plane/faults/plan.ts';
import { apiKey } from '../../../src/kinds/index.ts';
import { compute } from '../../../src/kinds/compute/compute.ts';

/** What a run of `plan` came to after these events. */
export function resultOf(plan: Pick<Plan, 'planHash' | 'steps' | 'summary'>, events: readonly ApplyEvent[]): RunResult {
  const result = new RunningResult(plan);
  for (const event of events) result.add(event);
  return result.now();
}

export const SHOP = 'spring-example-302709';
export const MAIN = 'br-wispy-meadow-118737';
export const STAGING = 'br-calm-sea-220011';
export const DEV = 'br-old-river-991122';
export const PRIMARY = 'ep-cool-darkness-123456';

const BASE_URL = 'http://127.0.0.1/api/v2';
/** Of a step that was planned upon nothing but attributes. */
export const UNMARKED: Fingerprint = { lasting: {}, passing: {}, restsOn: [] };

export const KEYS = apiKey;
export const COMPUTE = compute;

/** A place for a secret that takes whatever it is given. */
export const place: SecretSink = {
  label: 'memory',
  forget: async () => Promise.resolve(),
  check: async () => ({ state: 'absent', holds: null, reason: null }),
  reserve: async () => ({
    store: async () => undefined,
    revert: async () => undefined,
    release: async () => undefined,
  }),
};

/** Another answer than the service's own, which then has done nothing. */
export const answered = (status: number, body?: string): ExchangeFault => ({
  kind: 'reply',
  commit: false,
  status,
  ...(body === undefined ? {} : { body }),
});

export interface Rig {
  readonly clock: VirtualClock;
  readonly plane: ControlPlane;
  readonly client: ApiClient;
  readonly waiter: OperationWaiter;
  /** Every request in order, `METHOD /path`. */
  readonly wire: string[];
  readonly list: (projectId?: string) => Promise<readonly LiveResource[]>;
}

export function createRig(options: ControlPlaneOptions = {}): Rig {
  const clock = new VirtualClock();
  const random = seededRandom(7);
  const plane = createControlPlane({
    clock,
    random,
    operationMs: { min: 1000, max: 1000 },
    switches: { availabilityChecks: 'off' },
    ...options,
  });
  const wire: string[] = [];
  const transport = handlerTransport((request) => plane.handle(request), { baseUrl: BASE_URL, clock });
  const { rootKey } = plane;
  if (rootKey === undefined) throw new Error('a new store has a key');
  const client = createApiClient({
    send: async (request: HttpRequest) => {
      wire.push(`${request.method} ${request.path.split('?')[0] ?? ''}`);
      return transport(request);
    },
    baseUrl: BASE_URL,
    credential: rootKey,
    clock,
    random,
    budget: createRequestBudget({ clock, requestsPerMinute: Infinity }),
    userAgent: 'test',
  });
  const waiter = createOperationWaiter({ reader: client, clock });
  const list = async (projectId = SHOP): Promise<readonly LiveResource[]> =>
    compute.list(client, { projectId }, new AbortController().signal);
  return { clock, plane, client, waiter, wire, list };
}

/** The same, whose primary has run for ten seconds. */
export async function runningRig(options: ControlPlaneOptions = {}): Promise<Rig> {
  const rig = createRig(options);
  rig.plane.truth.connect(PRIMARY);
  await rig.clock.advance(10_000);
  return rig;
}

export interface RunOptions extends Partial<Omit<ExecuteInput, 'plan' | 'emit' | 'kinds'>> {
  readonly kinds?: readonly ExecutableKind[];
  readonly emit?: (event: ApplyEvent) => void;
  readonly faults?: FaultPlan | readonly FaultRule[];
  readonly changes?: Plan['changes'];
  readonly windows?: Plan['windows'];
}

export interface Outcome {
  readonly report: ExecutionReport;
  readonly events: readonly ApplyEvent[];
  readonly result: RunResult;
  /** Outcome by step id. */
  readonly ends: Readonly<Record<string, string>>;
  /** Mutations that the service committed, as `VERB kind`. */
  readonly ledger: readonly string[];
  /** Writes that were sent. */
  readonly writes: readonly string[];
}

export async function runSteps(rig: Rig, steps: readonly Step[], options: RunOptions = {}): Promise<Outcome> {
  const events: ApplyEvent[] = [];
  const {
    faults = [],
    changes = [],
    windows = [],
    emit = (event) => events.push(event),
    kinds = [COMPUTE, KEYS],
    ...rest
  } = options;
  const plan = { ...planOf(steps), changes, windows };
  const before = rig.plane.ledger().length;
  return rig.clock.run(
    (async () => {
      rig.wire.length = 0;
      rig.plane.setFaults('length' in faults ? { rules: faults } : faults);
      const report = await execute({
        plan,
        planAgain: null,
        kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
        client: rig.client,
        waiter: rig.waiter,
        clock: rig.clock,
        journal: noJournal,
        runId: 'run-1',
        openSinks: () => [],
        stop: { soft: new AbortController().signal, hard: new AbortController().signal },
        parallelism: 10,
        stepTimeoutMs: 600_000,
        runDeadlineMs: Infinity,
        reach: () => undefined,
        onSecret: () => undefined,
        onMade: () => undefined,
        emit: (event) => emit({ atMs: rig.clock.nowMs(), ...event }),
        ...rest,
      });
      const { counts } = resultOf(plan, events);
      const ended = { type: 'run_finished', atMs: 0, status: 'incomplete', counts, requests: 0, seconds: 0 } as const;
      const result = resultOf(plan, [...events, ended]);
      return {
        report,
        events,
        result,
        ends: Object.fromEntries(result.steps.map(({ id, outcome }) => [id, outcome])),
        ledger: rig.plane
          .ledger()
          .slice(before)
          .map(({ verb, kind }) => `${verb} ${kind}`),
        writes: rig.wire.filter((line) => !line.startsWith('GET')),
      };
    })(),
  );
}

export function planOf(steps: readonly Step[]): Plan {
  return { ...makePlan(bareInput({})), baseUrl: BASE_URL, steps, planHash: 'sha256:0' };
}

const PATH = `/projects/${SHOP}/endpoints`;

function step(partial: Partial<Step> & Pick<Step, 'id' | 'action' | 'method' | 'expects' | 'achieves'>): Step {
  return {
    address: `shop/${partial.id}`,
    kind: 'compute',
    projectId: SHOP,
    path: PATH,
    body: null,
    needs: [],
    options: {},
    ...partial,
  };
}

/** As it was planned upon. */
const present = (id: string, attributes: JsonObject): Step['expects'] => ({
  state: 'present',
  id,
  attributes,
  fingerprint: UNMARKED,
  joins: null,
});

export function createStep(
  id: string,
  spec: JsonObject & { readonly branch_id: string; readonly type: string },
  known: readonly string[] = [],
  needs: readonly string[] = [],
): Step {
  return step({
    id,
    action: 'create',
    method: 'POST',
    body: { endpoint: spec },
    expects: { state: 'absent', joins: { where: { branch_id: spec.branch_id, type: spec.type }, known } },
    achieves: spec,
    needs,
  });
}

export function updateStep(id: string, of: string, before: JsonObject, after: JsonObject, needs: string[] = []): Step {
  return step({
    id,
    action: 'update',
    method: 'PATCH',
    path: `${PATH}/${of}`,
    body: { endpoint: after },
    expects: present(of, before),
    achieves: after,
    needs,
  });
}

export function deleteStep(id: string, target: string, attributes: JsonObject, needs: string[] = []): Step {
  return step({
    id,
    action: 'delete',
    method: 'DELETE',
    path: `${PATH}/${target}`,
    expects: present(target, attributes),
    achieves: null,
    needs,
  });
}

export function restartStep(id: string, target: string, attributes: JsonObject, needs: string[] = []): Step {
  return step({
    id,
    action: 'restart',
    method: 'POST',
    path: `${PATH}/${target}/restart`,
    expects: present(target, attributes),
    achieves: attributes,
    needs,
  });
}

/** A new key of the account beside those known. */
export function keyStep(name: string, known: readonly string[] = []): Step {
  return step({
    id: `create:api_keys/${name}`,
    address: `api_keys/${name}`,
    kind: KEYS.kind,
    action: 'create',
    projectId: null,
    method: 'POST',
    path: '/api_keys',
    body: { key_name: name },
    expects: { state: 'absent', joins: { where: { name }, known } },
    achieves: { name },
  });
}

export function revokeStep(id: string, name: string, fingerprint: Fingerprint = UNMARKED): Step {
  return step({
    id: `revoke:api_keys/${name}`,
    address: `api_keys/${name}`,
    kind: KEYS.kind,
    action: 'revoke',
    projectId: null,
    method: 'DELETE',
    path: `/api_keys/${id}`,
    expects: { state: 'present', id, attributes: { name }, fingerprint, joins: null },
    achieves: null,
  });
}

/** Live keys of that name, as the service lists them. */
export async function keysNamed(rig: Rig, name: string): Promise<readonly LiveResource[]> {
  const keys = await rig.clock.run(KEYS.list(rig.client, { projectId: null }, new AbortController().signal));
  return keys.filter(({ spec }) => spec['name'] === name);
}
