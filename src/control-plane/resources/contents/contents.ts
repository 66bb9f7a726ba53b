// Shared by roles and databases: rules for names, and changes, which the branch's primary applies by operations.
import { defined } from '../../../base/picked.ts';
import { noteChange, requireUnlocked, type Call, type Noted, type ReplyBody } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { Refusal, badRequest, quoted } from '../../core/refusal.ts';
import type { BranchRecord } from '../branch/record.ts';
import { APPLY, SUSPEND, isRunning, primaryOf } from '../compute/rules.ts';
import type { ComputeRecord } from '../compute/record.ts';
import { findProject } from '../find.ts';
import { presentOperation, type OperationRecord } from '../operation/record.ts';
import { startOperations, type Step } from '../operation/life.ts';
import { touchProject } from '../project/background.ts';
import { changedContents, type Contents } from './record.ts';

/** `items` without `before`, and with `after` at the end. */
export function exchanged<T>(items: readonly T[], before: T | undefined, after: T | undefined): readonly T[] {
  const others = items.filter((item) => item !== before);
  return after === undefined ? others : [...others, after];
}

/** A new item without `before`, a removed one without `after`. */
export interface ItemChange<T> {
  readonly before?: T;
  readonly after?: T;
  readonly drops?: boolean;
}

interface ContentsChange<T> extends ItemChange<T>, Pick<Noted, 'lost'> {
  readonly kind: 'role' | 'database';
  readonly contents: Contents;
  readonly present: (item: T, branchId: string) => ReplyBody;
}

export function changeContents<T extends { readonly name: string }>(
  call: Call,
  branch: BranchRecord,
  { kind, contents, present, before, after, drops = false, lost }: ContentsChange<T>,
): ReplyBody {
  const { engine, atMs } = call;
  const { projectId, id: branchId } = branch;
  const primary = primaryOf(engine, branchId);
  requireUnlocked(engine, projectId, { branchId, computeIds: primary === undefined ? [] : [primary.id] });
  touchProject(engine, projectId, atMs);
  const keptSinceMs = atMs - findProject(engine, projectId).historyRetentionSeconds * 1000;
  engine.put('branches', { ...changedContents(branch, contents, { atMs, keptSinceMs }), updatedMs: atMs });
  const operations = applyConfig(call, branch, primary, drops);
  const droppedConnections = drops && primary !== undefined && isRunning(primary);
  const show = (item: T | undefined): ReplyBody | null => (item === undefined ? null : present(item, branchId));
  const noted = { before: show(before), after: show(after), operations, droppedConnections, ...defined({ lost }) };
  noteChange(call, { kind, id: (after ?? before)?.name ?? '', projectId, ...noted });
  return { [kind]: show(after ?? before), operations: operations.map(presentOperation) };
}

/** Starts apply_config on the primary, and suspends an idle primary afterwards. Without a primary, a switch decides. */
function applyConfig(
  { engine, atMs }: Call,
  { projectId, id: branchId }: BranchRecord,
  primary: ComputeRecord | undefined,
  drops: boolean,
): OperationRecord[] {
  if (primary === undefined && engine.switches.contentsWithoutCompute === 'no_operation') return [];
  const apply = drops ? { ...APPLY, effect: 'reconnect' } : APPLY;
  const steps: Step[] = primary === undefined || isRunning(primary) ? [apply] : [apply, SUSPEND];
  const endpoint = primary === undefined ? {} : { endpointId: primary.id };
  return startOperations(engine, atMs, { projectId, branchId, ...endpoint }, steps);
}

const MAX_NAME_BYTES = 63;

/** Refuses a reserved name, and a name that Postgres or a URL path cannot hold. */
export function requireName(what: 'role' | 'database', name: string, isReserved: boolean): void {
  const place = `; ${what}_name:${quoted(name)}`;
  if (name === '' || Buffer.byteLength(name) > MAX_NAME_BYTES || /\0|^\.{1,2}$/.test(name))
    throw badRequest(`the name of a ${what} has 1 to ${MAX_NAME_BYTES} bytes and is not a path of dots${place}`);
  if (isReserved) throw badRequest(`the name of the ${what} is reserved${place}`);
}

type Named = readonly { readonly name: string }[];

export function requireFree(engine: Engine, what: 'role' | 'database', name: string, items: Named): void {
  if (!items.some((item) => item.name === name)) return;
  const code = `${what.toUpperCase()}_ALREADY_EXISTS`;
  throw new Refusal(engine.switches.conflictStatus, `a ${what} with this name exists`, { code });
}

const MOST = 500;

export function requireRoom(what: 'role' | 'database', items: Named): void {
  const code = `${what.toUpperCase()}S_LIMIT_EXCEEDED`;
  if (items.length >= MOST) throw new Refusal(422, `a branch has ${MOST} ${what}s at most`, { code });
}
