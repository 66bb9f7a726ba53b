// The rules that branches obey: names, limits by plan, protection, expiry, deletion, and how far back their history goes.
import { isoTime } from '../../../base/time/clock.ts';
import type { Engine } from '../engine/engine.ts';
import { plans } from '../engine/switches.ts';
import { Refusal, badRequest, limitExceeded, notModelled, quoted } from '../../core/refusal.ts';
import { oldestFirst, findProject } from '../find.ts';
import type { BranchRecord } from './record.ts';
import { parseInstantMs } from '../../../base/time/instant.ts';
import type { ProjectRecord } from '../project/record.ts';

const DAY_MS = 86_400_000;
const LONGEST_TTL_MS = 30 * DAY_MS;

export function requireFreeName(engine: Engine, projectId: string, name: string, except?: string): void {
  const other = engine.live.branches.of.get(projectId).find((one) => one.name === name && one.id !== except);
  if (other === undefined) return;
  const message = `branch with the same name already exists; branch_id:"${other.id}"`;
  throw new Refusal(engine.switches.conflictStatus, message, { code: 'BRANCH_ALREADY_EXISTS' });
}

/** Refuses a new branch beyond the limit of the pricing plan. `root` says that the new branch has no parent. */
export function requireRoomForBranch(engine: Engine, projectId: string, root: boolean): void {
  const { branches, rootBranches } = plans[engine.switches.plan];
  if (engine.live.branches.of.count(projectId) >= branches)
    throw limitExceeded('branches', branches, 'BRANCHES_LIMIT_EXCEEDED');
  if (root && countOf(engine, projectId, ({ parentId }) => parentId === undefined) >= rootBranches)
    throw limitExceeded('root branches', rootBranches, 'ROOT_BRANCHES_LIMIT_EXCEEDED');
}

export function requireRoomForProtected(engine: Engine, projectId: string): void {
  const { protectedBranches: most } = plans[engine.switches.plan];
  if (countOf(engine, projectId, ({ isProtected }) => isProtected) < most) return;
  const { protectedLimitStatus: status } = engine.switches;
  throw limitExceeded('protected branches', most, 'BRANCHES_PROTECTED_LIMIT_EXCEEDED', status);
}

function countOf(engine: Engine, projectId: string, isMeant: (branch: BranchRecord) => boolean): number {
  return engine.live.branches.of.get(projectId).filter(isMeant).length;
}

/** The expiry of a branch in whole seconds. Refuses a past time, and one more than 30 days ahead. */
export function expiryOf(engine: Engine, text: string, atMs: number): { expiresMs: number; ttlSeconds: number } {
  const expiresMs = Math.floor(requireTime('expires_at', text) / 1000) * 1000;
  if (expiresMs <= atMs) throw badExpiry(engine, `expires_at is in the past; value:"${isoTime(expiresMs)}"`);
  if (expiresMs > atMs + LONGEST_TTL_MS)
    throw badExpiry(engine, `expires_at is more than 30 days ahead; value:"${isoTime(expiresMs)}"`);
  return { expiresMs, ttlSeconds: Math.max(1, Math.round((expiresMs - atMs) / 1000)) };
}

/** Refuses an expiry for a branch that must not expire: the default branch, a protected branch, or a parent. */
export function requireMayExpire(engine: Engine, branch: BranchRecord): void {
  if (branch.expiresMs === undefined) return;
  const why = lastingAs(engine, branch);
  if (why !== undefined) throw badExpiry(engine, `${why} cannot expire; expires_at of branch_id:"${branch.id}"`);
}

export function badExpiry(engine: Engine, message: string): Refusal {
  return new Refusal(engine.switches.expiryStatus, message);
}

export function requireDeletable(engine: Engine, branch: BranchRecord): void {
  const isRoot = firstRootOf(engine, branch.projectId)?.id === branch.id;
  const why = lastingAs(engine, branch, isRoot);
  if (why !== undefined)
    throw new Refusal(engine.switches.refusedDelete, `cannot delete ${why}; branch_id:"${branch.id}"`);
}

function lastingAs(engine: Engine, branch: BranchRecord, isRoot: boolean = false): string | undefined {
  if (branch.isDefault) return 'the default branch';
  if (branch.isProtected) return 'a protected branch';
  if (isRoot) return 'the root branch of the project';
  return engine.live.branches.children.count(branch.id) > 0 ? 'a branch that has children' : undefined;
}

/** The branch marked as first root. If none is marked, as in seed data, the oldest root that is not schema-only. */
export function firstRootOf(engine: Engine, projectId: string): BranchRecord | undefined {
  const branches = oldestFirst(engine.live.branches.of.get(projectId));
  return (
    branches.find(({ isFirstRoot }) => isFirstRoot === true) ??
    branches.find(({ parentId, initSource }) => parentId === undefined && initSource === undefined)
  );
}

const INIT_SOURCES = ['parent-data', 'schema-only'];
const OTHER_SOURCES = ['parent-schema', 'import'];

export function requireInitSource(source: string | undefined): void {
  if (source === undefined || INIT_SOURCES.includes(source)) return;
  if (OTHER_SOURCES.includes(source)) throw notModelled(`branch.init_source "${source}"`);
  throw badRequest(`init_source is one of ${INIT_SOURCES.join(', ')}; value:${quoted(source)}`);
}

/** Refuses branches that Postgres servers here cannot make: from an earlier time, or with the schema only. */
export function requireFromNow(momentMs: number | undefined, initSource?: string): void {
  if (momentMs !== undefined)
    throw notModelled('a branch as of an earlier time or LSN, with Postgres behind the computes,');
  if (initSource === 'schema-only')
    throw notModelled('branch.init_source "schema-only", with Postgres behind the computes,');
}

const FIRST_PLACE = 0x14ee150;
const HALF = 2 ** 32;

/** The log position (LSN) at a time. The log grows by one byte per millisecond, so that a position gives the time. */
export function lsnAt(project: ProjectRecord, atMs: number): string {
  const place = FIRST_PLACE + Math.max(0, Math.floor(atMs - project.createdMs));
  const hex = (part: number): string => part.toString(16).toUpperCase();
  return `${hex(Math.floor(place / HALF))}/${hex(place % HALF)}`;
}

/** The latest time that a date can hold. */
const LATEST_MS = 8.64e15;

function timeOfLsn(project: ProjectRecord, lsn: string): number {
  const [high = '0', low = '0'] = lsn.split('/');
  const ms = project.createdMs + Number.parseInt(high, 16) * HALF + Number.parseInt(low, 16) - FIRST_PLACE;
  return Math.min(ms, LATEST_MS);
}

export function askedMoment(
  project: ProjectRecord,
  names: { readonly lsn: string; readonly timestamp: string },
  asked: Readonly<Record<string, unknown>>,
): number | undefined {
  const [lsn, timestamp] = [asked[names.lsn], asked[names.timestamp]];
  if (lsn !== undefined && timestamp !== undefined)
    throw badRequest(`${names.lsn} and ${names.timestamp} cannot both be given`);
  if (typeof lsn === 'string') return timeOfLsn(project, lsn);
  return typeof timestamp === 'string' ? requireTime(names.timestamp, timestamp) : undefined;
}

function requireTime(member: string, text: string): number {
  const ms = parseInstantMs(text);
  if (ms === undefined) throw badRequest(`${member} is not a time; value:${quoted(text)}`);
  return ms;
}

/** Refuses a moment without history: before the branch began, outside the history window, or in the future. */
export function requireInHistory(engine: Engine, branch: BranchRecord, momentMs: number, atMs: number): void {
  const project = findProject(engine, branch.projectId);
  const fromMs = Math.max(branch.createdMs, atMs - project.historyRetentionSeconds * 1000);
  if (momentMs <= atMs && momentMs >= fromMs) return;
  throw new Refusal(
    engine.switches.momentStatus,
    `the branch has no history of that moment; branch_id:"${branch.id}", asked:"${isoTime(momentMs)}", ` +
      `kept from:"${isoTime(fromMs)}"`,
  );
}
