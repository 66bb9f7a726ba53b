// A small scripted service of operations in virtual time, with the oddities of a log: late, missing, doubled, unordered.
import { json, worldOf, type TestWorld } from './world.ts';

/** A status from `atMs` after its creation on. */
export interface Phase {
  readonly atMs: number;
  readonly status: string;
  readonly failures?: number;
  /** Milliseconds after its creation. */
  readonly retryAtMs?: number;
}

export interface ScriptedOperation {
  readonly id: string;
  readonly projectId: string;
  readonly action: string;
  readonly createdMs: number;
  readonly phases: readonly Phase[];
  /** Shown in the list only from this age on. */
  readonly listedAfterMs?: number;
  /** Found by its id only from, and until, this age. */
  readonly foundAfterMs?: number;
  readonly foundUntilMs?: number;
  /** The project that the service says it belongs to. */
  readonly claimedProjectId?: string;
}

type Answerer = (path: string, query: URLSearchParams) => Response | Promise<Response> | null;

export class OperationService {
  readonly world: TestWorld;
  readonly requests: { readonly path: string; readonly atMs: number }[] = [];
  /** Answers instead of the service, when it returns something. */
  intercept: Answerer = () => null;
  /** Changes the order or number of the entries of a page. */
  twist: <T>(entries: T[]) => T[] = (entries) => entries;
  latencyMs = 0;
  readonly #operations: ScriptedOperation[] = [];

  constructor() {
    this.world = worldOf((request) => this.#answer(request));
  }

  get nowMs(): number {
    return this.world.clock.monotonicMs();
  }

  /** Starts an operation now that finishes after `durationMs`, or goes through the phases given. */
  start(id: string, script: number | readonly Phase[], more: Partial<ScriptedOperation> = {}): ScriptedOperation {
    const phases: readonly Phase[] =
      typeof script === 'number'
        ? [
            { atMs: 0, status: 'running' },
            { atMs: script, status: 'finished' },
          ]
        : script;
    const operation = { id, projectId: 'p1', action: 'start', createdMs: this.nowMs, phases, ...more };
    this.#operations.push(operation);
    return operation;
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace('/api/v2', '');
    this.requests.push({ path, atMs: this.nowMs });
    if (this.latencyMs > 0) await this.world.clock.sleep(this.latencyMs);
    const instead = this.intercept(path, url.searchParams);
    if (instead !== null) return instead;
    const [, , projectId = '', , id] = path.split('/');
    return id === undefined ? this.#list(projectId, url.searchParams) : this.#one(projectId, id);
  }

  #list(projectId: string, query: URLSearchParams): Response {
    const shown = this.#operations
      .filter(
        (operation) => operation.projectId === projectId && this.#age(operation) >= (operation.listedAfterMs ?? 0),
      )
      .toReversed()
      .map((operation) => this.#present(operation));
    const from = Number(query.get('cursor') ?? 0);
    const limit = Number(query.get('limit') ?? 100);
    const page = this.twist(shown).slice(from, from + limit);
    return json({ operations: page, pagination: { cursor: String(from + limit) } });
  }

  #one(projectId: string, id: string): Response {
    const operation = this.#operations.find((other) => other.id === id && other.projectId === projectId);
    const age = operation === undefined ? -1 : this.#age(operation);
    const isFound =
      age >= (operation?.foundAfterMs ?? 0) && age < (operation?.foundUntilMs ?? Number.POSITIVE_INFINITY);
    if (operation === undefined || !isFound) return json({ message: 'operation not found' }, 404);
    return json({ operation: this.#present(operation) });
  }

  #age(operation: ScriptedOperation): number {
    return this.nowMs - operation.createdMs;
  }

  #present(operation: ScriptedOperation): Record<string, unknown> {
    const epochMs = this.world.clock.nowMs() - this.nowMs + operation.createdMs;
    const phase = operation.phases.findLast(({ atMs }) => atMs <= this.#age(operation)) ?? {
      atMs: 0,
      status: 'running',
    };
    return {
      id: operation.id,
      project_id: operation.claimedProjectId ?? operation.projectId,
      endpoint_id: 'ep-a-b-1',
      action: operation.action,
      status: phase.status,
      failures_count: phase.failures ?? 0,
      ...(phase.retryAtMs === undefined ? {} : { retry_at: new Date(epochMs + phase.retryAtMs).toISOString() }),
      created_at: new Date(epochMs).toISOString(),
      updated_at: new Date(epochMs + phase.atMs).toISOString(),
    };
  }
}
