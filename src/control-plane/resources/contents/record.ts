// Roles and databases of a branch: their records, history and form in replies; also password verifiers of Postgres.
import type { Secret } from '../../../base/secret.ts';
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { Random } from '../../../base/random.ts';
import { present, without, type Fields } from '../../core/fields.ts';

export interface RoleRecord {
  readonly name: string;
  readonly isProtected: boolean;
  /** Absent when the project stores no passwords, or when the role cannot log in. */
  readonly password?: Secret;
  /** The form in which Postgres checks the password, if the password itself is not stored. */
  readonly verifier?: string;
  readonly noLogin?: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** When a copy or restore brought the record to this branch; absent once the branch has changed the record. */
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

export type Past<T> = T & { readonly untilMs: number };

export interface Contents {
  readonly roles: readonly RoleRecord[];
  readonly databases: readonly DatabaseRecord[];
}

export interface ContentsWithPast extends Contents {
  readonly past?: { readonly roles: readonly Past<RoleRecord>[]; readonly databases: readonly Past<DatabaseRecord>[] };
}

type Item = RoleRecord | DatabaseRecord;

function sinceMs(item: Item): number {
  return item.sinceMs ?? item.updatedMs;
}

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

/** `before` with new contents. Its history keeps removed and changed items that ended after `keptSinceMs`. */
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

const roleFields: Fields<RoleRecord> = {
  name: 'name',
  protected: 'isProtected',
  created_at: 'createdMs',
  updated_at: 'updatedMs',
};

const databaseFields: Fields<DatabaseRecord> = {
  id: 'id',
  name: 'name',
  owner_name: 'ownerName',
  created_at: 'createdMs',
  updated_at: 'updatedMs',
};

const ownTimes = ['created_at', 'updated_at'] as const;

/** The fields of seed data. They have no times, because the contents are as old as their branch. */
export const roleSeed: Fields<RoleRecord> = { ...without(roleFields, ...ownTimes), no_login: 'noLogin' };
export const databaseSeed: Fields<DatabaseRecord> = without(databaseFields, ...ownTimes);

export function presentRole(role: RoleRecord, branchId: string): Record<string, unknown> {
  const authentication = role.noLogin === true ? 'no_login' : 'password';
  return { branch_id: branchId, ...present(roleFields, role), authentication_method: authentication };
}

export function presentDatabase(database: DatabaseRecord, branchId: string): Record<string, unknown> {
  return { branch_id: branchId, ...present(databaseFields, database) };
}

const ITERATIONS = 4096;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export function newVerifier(password: string, random: Random): string {
  return verifierOf(password, { salt: Buffer.from(random.bytes(SALT_BYTES)), iterations: ITERATIONS });
}

export function isVerifierOf(verifier: string | null, password: string): boolean {
  const parts = /^SCRAM-SHA-256\$(\d{1,7}):([\w+/=]+)\$/.exec(verifier ?? '');
  if (parts === null) return false;
  const [, iterations, salt = ''] = parts;
  return verifierOf(password, { salt: Buffer.from(salt, 'base64'), iterations: Number(iterations) }) === verifier;
}

function verifierOf(
  password: string,
  { salt, iterations }: { readonly salt: Buffer; readonly iterations: number },
): string {
  const salted = pbkdf2Sync(password, salt, iterations, HASH_BYTES, 'sha256');
  const sign = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(sign('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${sign('Server Key').toString('base64')}`;
}
