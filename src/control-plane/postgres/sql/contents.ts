// Changes the roles and databases of a Postgres by SQL until they equal those of its branch.
import type { Random } from '../../../base/random.ts';
import type { MadeRecord } from '../../resources/branch/record.ts';
import {
  type Contents,
  type DatabaseRecord,
  type RoleRecord,
  isVerifierOf,
  newVerifier,
} from '../../resources/contents/record.ts';
import { SUPERUSER_GROUP } from '../machine/machine.ts';
import { identifier, literal, type Sql } from './client.ts';
import { endConnections, findDatabases, inEachDatabase, type FoundDatabase, type Guarding } from './guard.ts';

interface Bringing extends Guarding {
  /** Roles and databases that the API made. Only these are renamed or dropped, never those that users made by SQL. */
  readonly made: readonly MadeRecord[];
}

interface FoundRole {
  readonly oid: number;
  readonly name: string;
  readonly password: string | null;
  readonly attributes: string;
}

/** Creates, changes, renames and drops roles and databases until they are those of the branch. Returns them with their oids. */
export async function bringContents(bringing: Bringing, wanted: Contents): Promise<MadeRecord[]> {
  await bringRoles(bringing, wanted.roles);
  await bringDatabases(bringing, wanted.databases);
  await dropRoles(bringing, wanted);
  const [roles, databases] = [await findRoles(bringing.sql), await findDatabases(bringing.sql)];
  return namesOf(wanted).flatMap((item) => {
    const there = (item.kind === 'role' ? roles : databases).find(({ name }) => name === item.name);
    return there === undefined ? [] : [{ ...item, oid: there.oid }];
  });
}

/** The wanted roles and databases, without their oids, which are known only after the creation. */
export function namesOf({ roles, databases }: Contents): MadeRecord[] {
  return [
    ...roles.map(({ name }) => ({ kind: 'role' as const, key: name, name })),
    ...databases.map((database) => ({ kind: 'database' as const, key: keyOf(database), name: database.name })),
  ];
}

function keyOf({ id, createdMs }: DatabaseRecord): string {
  return `${id}:${createdMs}`;
}

/** Finds a created object by its oid, which a rename keeps, or by its name while its oid is unknown. */
function whatBecameOf<T extends { readonly oid: number; readonly name: string }>(
  made: MadeRecord | undefined,
  found: readonly T[],
): T | undefined {
  if (made === undefined) return undefined;
  return found.find(({ oid, name }) => (made.oid === undefined ? name === made.name : oid === made.oid));
}

function findRoles(sql: Sql): Promise<FoundRole[]> {
  return sql.query<FoundRole>(
    `SELECT oid, rolname AS name, rolpassword AS password, format('%s %s %s %s %s %s', rolcanlogin, rolcreatedb, rolcreaterole,
       rolbypassrls, rolreplication, EXISTS (SELECT FROM pg_auth_members WHERE member = pg_authid.oid
         AND roleid = '${SUPERUSER_GROUP}'::regrole)) AS attributes
     FROM pg_authid`,
  );
}

async function bringRoles({ sql, machine, replicates }: Bringing, wanted: readonly RoleRecord[]): Promise<void> {
  const found = await findRoles(sql);
  for (const role of wanted) {
    const there = found.find(({ name }) => name === role.name);
    const name = identifier(role.name);
    const canLogin = role.noLogin !== true;
    if (there === undefined) await sql.query(`CREATE ROLE ${name}`);
    if (there?.attributes !== `${canLogin ? 't' : 'f'} t t t ${replicates ? 't' : 'f'} t`) {
      const attributes = `${canLogin ? 'LOGIN' : 'NOLOGIN'} ${replicates ? 'REPLICATION' : 'NOREPLICATION'}`;
      await sql.query(`ALTER ROLE ${name} ${attributes} CREATEDB CREATEROLE BYPASSRLS`);
      await sql.query(`GRANT ${SUPERUSER_GROUP} TO ${name}`);
    }
    const verifier = verifierFor(role, there?.password ?? null, machine.random);
    if (verifier !== undefined) await sql.query(`ALTER ROLE ${name} PASSWORD ${literal(verifier)}`);
  }
}

function verifierFor(role: RoleRecord, there: string | null, random: Random): string | undefined {
  if (role.verifier !== undefined) return role.verifier === there ? undefined : role.verifier;
  const password = role.password?.reveal();
  return password === undefined || isVerifierOf(there, password) ? undefined : newVerifier(password, random);
}

async function bringDatabases({ sql, made }: Bringing, wanted: readonly DatabaseRecord[]): Promise<void> {
  const found = await findDatabases(sql);
  const noted = made.filter(({ kind }) => kind === 'database');
  const keys = new Set(wanted.map(keyOf));
  for (const item of noted) {
    const there = keys.has(item.key) ? undefined : whatBecameOf(item, found);
    if (there === undefined || there.ownerIsSuperuser) continue;
    await whileShut(sql, there.name, (name) => sql.query(`DROP DATABASE ${name} WITH (FORCE)`));
    found.splice(found.indexOf(there), 1);
  }
  for (const database of wanted) {
    const item = noted.find(({ key }) => key === keyOf(database));
    const there = whatBecameOf(item, found) ?? found.find(({ name }) => name === database.name);
    await bringDatabase(sql, there, database);
  }
}

async function bringDatabase(sql: Sql, there: FoundDatabase | undefined, wanted: DatabaseRecord): Promise<void> {
  const [name, owner] = [identifier(wanted.name), identifier(wanted.ownerName)];
  if (there === undefined) await sql.query(`CREATE DATABASE ${name} OWNER ${owner}`);
  else {
    if (there.name !== wanted.name)
      await whileShut(sql, there.name, async (from) => {
        await sql.query(`ALTER DATABASE ${from} RENAME TO ${name}`);
        await sql.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
      });
    if (there.owner !== wanted.ownerName) await sql.query(`ALTER DATABASE ${name} OWNER TO ${owner}`);
  }
  await sql.query(`GRANT ALL ON DATABASE ${name} TO ${SUPERUSER_GROUP}`);
}

/** Shuts the database during the work, which must drop or reopen the database. If the work fails, reopens the database. */
async function whileShut(sql: Sql, database: string, work: (name: string) => Promise<unknown>): Promise<void> {
  const name = identifier(database);
  await sql.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false IS_TEMPLATE false`);
  try {
    await endConnections(sql, database);
    await work(name);
  } catch (error) {
    await sql.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    throw error;
  }
}

/** Drops roles that the branch no longer has. No superuser gets their functions, which would then run as superuser. */
async function dropRoles({ sql, connect, made }: Bringing, wanted: Contents): Promise<void> {
  const names = new Set(wanted.roles.map(({ name }) => name));
  const noted = made.filter(({ kind, key }) => kind === 'role' && !names.has(key));
  for (const item of noted) {
    const there = whatBecameOf(item, await findRoles(sql));
    if (there === undefined || names.has(there.name)) continue;
    const role = identifier(there.name);
    await sql.query(`ALTER ROLE ${role} NOLOGIN`);
    // Ends all connections, because sessions of other roles may still act as this role (SET ROLE).
    await endConnections(sql);
    await sql.query(`REASSIGN OWNED BY ${role} TO ${SUPERUSER_GROUP}`);
    await inEachDatabase({ sql, connect }, async (inside, { owner, ownerIsSuperuser }) => {
      await inside.query(`REASSIGN OWNED BY ${role} TO ${ownerIsSuperuser ? SUPERUSER_GROUP : identifier(owner)}`);
      await inside.query(`DROP OWNED BY ${role}`);
    });
    await sql.query(`DROP ROLE ${role}`);
  }
}
