// Roles and databases of a branch as they are stored, as the API shows them, and as they were at an earlier time.
import { isoTime } from '../../../base/time/clock.ts';
import type { Secret } from '../../../base/secret.ts';

export interface RoleRecord {
  readonly name: string;
  readonly isProtected: boolean;
  /** Absent where the project keeps none, or where the role cannot log in. */
  readonly password?: Secret;
  /** Verifier that Postgres keeps for a password that we do not store. */
  readonly verifier?: string;
  readonly noLogin?: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** Since when this branch has it like this, where that is not its last change. */
  readonly sinceMs?: number;
}

export interface DatabaseRecord {
  readonly id: number;
  readonly name: string;
  readonly ownerName: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly sinceMs?: number;
}

/** Contents of a branch until then. */
export type Past<T> = T & { readonly untilMs: number };

export interface Contents {
  readonly roles: readonly RoleRecord[];
  readonly databases: readonly DatabaseRecord[];
}

/** Contents with those that were there before, as far back as the history is kept. */
export interface ContentsWithPast extends Contents {
  readonly past?: { readonly roles: readonly Past<RoleRecord>[]; readonly databases: readonly Past<DatabaseRecord>[] };
}

type Item = RoleRecord | DatabaseRecord;

function sinceMs(item: Item): number {
  return item.sinceMs ?? item.updatedMs;
}

/** The contents as they were at a time. */
export function contentsAt({ roles, databases, past }: ContentsWithPast, atMs: number): Contents {
  const then = <T extends Item>(now: readonly T[], gone: readonly Past<T>[] = []): T[] => [
    ...now.filter((item) => sinceMs(item) <= atMs),
    ...gone.filter((item) => sinceMs(item) <= atMs && atMs < item.untilMs).map(withoutEnd),
  ];
  return { roles: then(roles, past?.roles), databases: then(databases, past?.databases) };
}

function withoutEnd<T extends object>(item: Past<T>): T {
  const { untilMs: _until, ...rest } = item;
  return rest as unknown as T;
}

/** `before` with other contents from now on; what is gone or changed stays in its past from `keptSinceMs` on. */
export function changedContents<T extends ContentsWithPast>(
  before: T,
  after: Contents,
  { atMs, keptSinceMs }: { readonly atMs: number; readonly keptSinceMs: number },
): T {
  const ended = <I extends Item>(was: readonly I[], is: readonly I[], gone: readonly Past<I>[] = []): Past<I>[] => [
    ...gone.filter((item) => item.untilMs > keptSinceMs),
    ...was.filter((item) => !is.includes(item)).map((item) => ({ ...item, untilMs: atMs })),
  ];
  const past = {
    roles: ended(before.roles, after.roles, before.past?.roles),
    databases: ended(before.databases, after.databases, before.past?.databases),
  };
  return { ...before, roles: after.roles, databases: after.databases, past };
}

export function presentRole(role: RoleRecord, branchId: string): Record<string, unknown> {
  return {
    branch_id: branchId,
    name: role.name,
    protected: role.isProtected,
    authentication_method: role.noLogin === true ? 'no_login' : 'password',
    created_at: isoTime(role.createdMs),
    updated_at: isoTime(role.updatedMs),
  };
}

export function presentDatabase(database: DatabaseRecord, branchId: string): Record<string, unknown> {
  return {
    id: database.id,
    branch_id: branchId,
    name: database.name,
    owner_name: database.ownerName,
    created_at: isoTime(database.createdMs),
    updated_at: isoTime(database.updatedMs),
  };
}
