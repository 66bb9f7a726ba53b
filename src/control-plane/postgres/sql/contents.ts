// Roles and databases in SQL: makes a Postgres have what its branch has, whatever it had before.
import type { Random } from '../../../base/random.ts';
import type { Contents, DatabaseRecord, RoleRecord } from '../../resources/contents/record.ts';
import { ADMIN } from '../machine/machine.ts';
import { SUPERUSER_GROUP } from '../storage/template.ts';
import { identifier, literal, withSql, type Sql } from './client.ts';
import { isVerifierOf, newVerifier } from '../../resources/contents/verifier.ts';

/** What was made on behalf of the API, by what it is there: what users made themselves is left alone. */
interface Made {
  readonly kind: 'role' | 'database';
  readonly key: string;
  /** Its number in Postgres, which a rename leaves as it is. */
  readonly oid: number;
}

interface Found {
  readonly oid: number;
  readonly name: string;
}

interface FoundRole extends Found {
  readonly password: string | null;
  readonly login: boolean;
}

interface FoundDatabase extends Found {
  readonly owner: string;
}

interface Bringing {
  readonly sql: Sql;
  readonly random: Random;
  readonly connect: (database: string) => Promise<Sql>;
}

/**
 * Roles that read and write files of the machine and run programs on it. Before Postgres 16, whoever may make roles may grant every one that
 * is no superuser, to itself as well; so these are superusers, which nobody can log in as. Who had been granted one would be a superuser with
 * it, and loses it before.
 */
const CLOSE_MACHINE = `DO $$
DECLARE granted record;
BEGIN
  FOR granted IN SELECT roleid::regrole AS role, member::regrole AS member FROM pg_auth_members
    JOIN pg_authid ON pg_authid.oid = roleid
    WHERE NOT rolsuper AND rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
  LOOP
    EXECUTE format('REVOKE %s FROM %s', granted.role, granted.member);
  END LOOP;
  UPDATE pg_authid SET rolsuper = true
    WHERE NOT rolsuper AND rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files');
END $$`;
const CLOSED_BY_ITSELF = 16;

/** Keeps roles of the API, and those that they make, from the files and programs of the machine. */
export async function closeMachine(sql: Sql, major: number): Promise<void> {
  if (major < CLOSED_BY_ITSELF) await sql.query(CLOSE_MACHINE);
}

/** Creates, changes, renames and drops roles and databases until they are those of the branch. `connect` opens a further database. */
export async function bringContents(bringing: Bringing, wanted: Contents): Promise<void> {
  const { sql } = bringing;
  const made = await sql.query<Made>('SELECT kind, key, oid FROM trueup.made');
  const of = (kind: Made['kind']): ReadonlyMap<string, number> =>
    new Map(made.filter((each) => each.kind === kind).map(({ key, oid }) => [key, oid]));
  await bringRoles(bringing, wanted.roles);
  await bringDatabases(bringing, wanted.databases, of('database'));
  await dropRoles(bringing, wanted, of('role'));
}

async function bringRoles({ sql, random }: Bringing, wanted: readonly RoleRecord[]): Promise<void> {
  const found = await sql.query<FoundRole>(
    'SELECT oid, rolname AS name, rolpassword AS password, rolcanlogin AS login FROM pg_authid',
  );
  for (const role of wanted) {
    const there = found.find(({ name }) => name === role.name);
    const name = identifier(role.name);
    const login = role.noLogin === true ? 'NOLOGIN' : 'LOGIN';
    if (there === undefined)
      await sql.query(
        `CREATE ROLE ${name} ${login} CREATEDB CREATEROLE BYPASSRLS REPLICATION IN ROLE ${SUPERUSER_GROUP}`,
      );
    else if (there.login === (role.noLogin === true)) await sql.query(`ALTER ROLE ${name} ${login}`);
    const verifier = verifierFor(role, there?.password ?? null, random);
    if (verifier !== undefined) await sql.query(`ALTER ROLE ${name} PASSWORD ${literal(verifier)}`);
    await noteMade(sql, 'role', role.name);
  }
}

/** What is to be written where the password is another one; undefined where it is the same, or nobody knows it. */
function verifierFor(role: RoleRecord, there: string | null, random: Random): string | undefined {
  if (role.verifier !== undefined) return role.verifier === there ? undefined : role.verifier;
  const password = role.password?.reveal();
  return password === undefined || isVerifierOf(there, password) ? undefined : newVerifier(password, random);
}

async function bringDatabases(
  bringing: Bringing,
  wanted: readonly DatabaseRecord[],
  made: ReadonlyMap<string, number>,
): Promise<void> {
  const { sql } = bringing;
  const found = await sql.query<FoundDatabase>(
    'SELECT oid, datname AS name, pg_get_userbyid(datdba) AS owner FROM pg_database',
  );
  const keys = new Set(wanted.map(keyOf));
  for (const [key, oid] of made) {
    if (keys.has(key)) continue;
    const there = found.find((database) => database.oid === oid);
    if (there !== undefined) await sql.query(`DROP DATABASE ${identifier(there.name)} WITH (FORCE)`);
    await sql.query("DELETE FROM trueup.made WHERE kind = 'database' AND key = $1", [key]);
  }
  for (const database of wanted) {
    const oid = made.get(keyOf(database));
    const there = found.find((each) => each.oid === oid) ?? found.find(({ name }) => name === database.name);
    const [name, owner] = [identifier(database.name), identifier(database.ownerName)];
    if (there === undefined) await sql.query(`CREATE DATABASE ${name} OWNER ${owner}`);
    else {
      if (there.name !== database.name) await renameDatabase(sql, there.name, database.name);
      if (there.owner !== database.ownerName) await sql.query(`ALTER DATABASE ${name} OWNER TO ${owner}`);
    }
    if (there?.owner !== database.ownerName) await sql.query(`GRANT ALL ON DATABASE ${name} TO ${SUPERUSER_GROUP}`);
    await noteMade(sql, 'database', keyOf(database), database.name);
  }
}

/** A database is the same one under whatever name. */
function keyOf({ id, createdMs }: DatabaseRecord): string {
  return `${id}:${createdMs}`;
}

/** Under load: nobody comes in, whoever is in is sent away, and the name changes. */
async function renameDatabase(sql: Sql, from: string, to: string): Promise<void> {
  await sql.query(`ALTER DATABASE ${identifier(from)} WITH ALLOW_CONNECTIONS false`);
  try {
    await sql.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [from],
    );
    await sql.query(`ALTER DATABASE ${identifier(from)} RENAME TO ${identifier(to)}`);
  } catch (error) {
    await sql.query(`ALTER DATABASE ${identifier(from)} WITH ALLOW_CONNECTIONS true`);
    throw error;
  }
  await sql.query(`ALTER DATABASE ${identifier(to)} WITH ALLOW_CONNECTIONS true`);
}

/** What a role owned inside a database goes to the owner of that database. */
async function dropRoles(
  { sql, connect }: Bringing,
  wanted: Contents,
  made: ReadonlyMap<string, number>,
): Promise<void> {
  const names = new Set(wanted.roles.map(({ name }) => name));
  for (const [name, oid] of made) {
    if (names.has(name)) continue;
    const [there] = await sql.query<Found>('SELECT rolname AS name FROM pg_authid WHERE oid = $1', [oid]);
    if (there !== undefined) {
      const databases = await sql.query<FoundDatabase>(
        'SELECT datname AS name, pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datallowconn AND NOT datistemplate',
      );
      for (const { name: database, owner } of databases)
        await withSql(connect(database), (inside) => disown(inside, there.name, owner));
      await sql.query(`DROP ROLE ${identifier(there.name)}`);
    }
    await sql.query("DELETE FROM trueup.made WHERE kind = 'role' AND key = $1", [name]);
  }
}

async function disown(sql: Sql, role: string, heir: string): Promise<void> {
  await sql.query(`REASSIGN OWNED BY ${identifier(role)} TO ${identifier(heir)}`);
  await sql.query(`DROP OWNED BY ${identifier(role)}`);
}

async function noteMade(sql: Sql, kind: Made['kind'], key: string, name: string = key): Promise<void> {
  const catalog = kind === 'role' ? 'pg_authid WHERE rolname = $3' : 'pg_database WHERE datname = $3';
  await sql.query(
    `INSERT INTO trueup.made (kind, key, oid) SELECT $1, $2, oid FROM ${catalog}
     ON CONFLICT (kind, key) DO UPDATE SET oid = excluded.oid WHERE made.oid <> excluded.oid`,
    [kind, key, name],
  );
}

/** Ends every connection but those of the control plane. */
export async function endConnections(sql: Sql): Promise<void> {
  await sql.query(
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename <> $1",
    [ADMIN],
  );
}
