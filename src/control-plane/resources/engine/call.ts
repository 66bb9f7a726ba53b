// A request as its handler sees it: input, key, time and named resources; also locks and ledger entries.
import { defined } from '../../../base/picked.ts';
import { isoTime } from '../../../base/time/clock.ts';
import type { BranchRecord } from '../branch/record.ts';
import type { ComputeRecord } from '../compute/record.ts';
import type { DatabaseRecord, RoleRecord } from '../contents/record.ts';
import type { KeyRecord } from '../key/record.ts';
import type { ProjectRecord } from '../project/record.ts';
import type { LedgerEntry } from '../../core/store.ts';
import type { Engine } from './engine.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Operations } from '../../../api/index.ts';

export interface Call {
  readonly engine: Engine;
  readonly atMs: number;
  readonly key?: KeyRecord;
  readonly requestId: string;
  readonly verb: string;
  readonly path: string;
}

export type Noted = Pick<LedgerEntry, 'kind' | 'id' | 'before' | 'after' | 'lost'> & {
  readonly projectId?: string;
  readonly operations?: readonly { readonly id: string }[];
  readonly restarted?: boolean;
  readonly droppedConnections?: boolean;
};

export function noteChange(call: Call, noted: Noted): void {
  const { engine } = call;
  const { operations = [], lost = [], ...rest } = noted;
  const seq = engine.meta.nextLedgerSeq;
  engine.setMeta({ nextLedgerSeq: seq + 1 });
  engine.note({
    seq,
    atMs: call.atMs,
    at: isoTime(call.atMs),
    ...defined({ actor: call.key?.id }),
    requestId: call.requestId,
    verb: call.verb,
    path: call.path,
    restarted: false,
    droppedConnections: false,
    ...rest,
    operations: operations.map(({ id }) => id),
    ...(lost.length === 0 ? {} : { lost }),
  });
}

/** Resources that a write changes, in addition to its project. */
export interface Changed {
  readonly computeIds?: readonly string[];
  readonly branchId?: string;
}

/** Refuses with 423 while conflicting operations are open. Nothing has been done, so the client may try again. */
export function requireUnlocked(engine: Engine, projectId: string, changed: Changed = {}): void {
  if (isLocked(engine, projectId, changed))
    throw new Refusal(
      423,
      'project already has running conflicting operations, scheduling of new ones is prohibited; ' +
        `project_id:${JSON.stringify(projectId)}`,
      { headers: retryAfterHeader(engine, 1) },
    );
}

export function isLocked(engine: Engine, projectId: string, { computeIds = [], branchId }: Changed): boolean {
  if (engine.faults.isLocked(projectId)) return true;
  const { locking } = engine.switches;
  const { operations } = engine.live;
  if (locking === 'off') return false;
  if (locking === 'project') return operations.of.count(projectId) > 0;
  if (computeIds.some((id) => operations.on.count(id) > 0)) return true;
  if (branchId === undefined) return false;
  return operations.onBranch.get(branchId).some(({ alongside }) => alongside !== true);
}

export function retryAfterHeader(engine: Engine, seconds: number): Readonly<Record<string, string>> {
  const { retryAfter } = engine.switches;
  if (retryAfter === 'absent') return {};
  if (retryAfter === 'seconds') return { 'Retry-After': String(Math.ceil(seconds)) };
  return { 'Retry-After': new Date(Math.ceil(engine.atMs / 1000 + seconds) * 1000).toUTCString() };
}

/** The checked input of a request: its parameters by name, and `body`. */
export type Input = Readonly<Record<string, unknown>>;

export type OperationId = keyof Operations;

/** The resources that a path can name, as they are before the handler changes them. */
export interface Found {
  readonly project: ProjectRecord;
  readonly branch: BranchRecord;
  readonly compute: ComputeRecord;
  readonly role: RoleRecord;
  readonly database: DatabaseRecord;
}

/** The path parameters that name each resource. */
interface NamedBy {
  readonly project: { readonly project_id: string };
  readonly branch: { readonly branch_id: string };
  readonly compute: { readonly endpoint_id: string };
  readonly role: { readonly branch_id: string; readonly role_name: string };
  readonly database: { readonly branch_id: string; readonly database_name: string };
}

/** Operations whose path names a deleted resource, which is not among the live ones. */
type OfDeleted = 'recoverProject' | 'recoverProjectBranch';

export type CallOf<I extends OperationId> = Call &
  (I extends OfDeleted
    ? unknown
    : Pick<Found, { [K in keyof Found]: Operations[I] extends NamedBy[K] ? K : never }[keyof Found]>);

/** Handles a request in one transaction. Returns the body of the reply, or undefined for none. */
export type Handler<I extends OperationId> = (call: CallOf<I>, input: Operations[I]) => unknown;
export type Handlers = { readonly [I in OperationId]: Handler<I> };

export type ReplyBody = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
