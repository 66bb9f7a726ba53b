// Resets the roles of the control plane in a cluster, and installs the function that reads passwords for poolers.
import { isVerifierOf, newVerifier } from '../../resources/contents/record.ts';
import { ADMIN, POOLER, SUPERUSER_GROUP, type Machine } from '../machine/machine.ts';
import { identifier, literal, withSql, type Connect, type Sql } from './client.ts';

export interface Guarding {
  readonly sql: Sql;
  readonly connect: Connect;
  readonly machine: Machine;
  /** True with logical replication: roles may then replicate, which lets them load any library of the machine. */
  readonly replicates: boolean;
}

/** Roles that may read and write files of the machine and run programs on it. */
const MACHINE_ROLES = "('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')";
const CLOSED_BY_ITSELF = 16;

/** Before Postgres 16, CREATEROLE can grant any role but superusers, so these roles become superusers without login. */
const CLOSE_MACHINE = `
  FOR one IN SELECT roleid::regrole AS role, member::regrole AS member FROM pg_auth_members
    JOIN pg_authid ON pg_authid.oid = roleid WHERE NOT rolsuper AND rolname IN ${MACHINE_ROLES}
  LOOP
    EXECUTE format('REVOKE %s FROM %s', one.role, one.member);
  END LOOP;
  UPDATE pg_authid SET rolsuper = true WHERE NOT rolsuper AND rolname IN ${MACHINE_ROLES};`;

function rolesScript({ machine, replicates }: Guarding): string {
  return `DO $$
DECLARE one record;
BEGIN
  FOR one IN SELECT oid::regrole AS role FROM pg_authid
    WHERE rolsuper AND rolname <> '${ADMIN}' AND rolname NOT IN ${MACHINE_ROLES}
  LOOP
    EXECUTE format('ALTER ROLE %s NOSUPERUSER', one.role);
  END LOOP;
  FOR one IN SELECT oid::regrole AS role FROM pg_authid WHERE rolreplication AND NOT rolsuper AND NOT ${replicates}
  LOOP
    EXECUTE format('ALTER ROLE %s NOREPLICATION', one.role);
  END LOOP;
  FOR one IN SELECT name FROM unnest(ARRAY['${SUPERUSER_GROUP}', '${POOLER}']) AS name
    WHERE name NOT IN (SELECT rolname FROM pg_authid)
  LOOP
    EXECUTE format('CREATE ROLE %I', one.name);
  END LOOP;${machine.programs.major < CLOSED_BY_ITSELF ? CLOSE_MACHINE : ''}
END $$;
ALTER ROLE ${SUPERUSER_GROUP} NOLOGIN CREATEDB CREATEROLE BYPASSRLS NOREPLICATION;
GRANT pg_read_all_data, pg_write_all_data, pg_monitor, pg_signal_backend TO ${SUPERUSER_GROUP};
ALTER ROLE ${POOLER} LOGIN NOINHERIT NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION CONNECTION LIMIT -1 VALID UNTIL 'infinity';
DELETE FROM pg_db_role_setting WHERE setrole = '${POOLER}'::regrole;
${POOLER_SETTINGS}`;
}

/** Settings of the pooler role in each database; they override those that the database's owner has made. */
const POOLER_SETTINGS = `
ALTER ROLE ${POOLER} SET search_path = pg_catalog, pg_temp;
ALTER ROLE ${POOLER} SET role = none;
ALTER ROLE ${POOLER} SET statement_timeout = 0;
ALTER ROLE ${POOLER} SET idle_session_timeout = 0;
ALTER ROLE ${POOLER} SET default_transaction_read_only = off;`;

/** The function that reads a role's password, in the one schema where no other role can create objects. */
export const LOOK_UP = 'pg_catalog.trueup_role';
const LOOK_UP_SCRIPT = `
CREATE OR REPLACE FUNCTION ${LOOK_UP}(name) RETURNS TABLE (rolname name, rolpassword text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS 'SELECT rolname, rolpassword FROM pg_catalog.pg_authid WHERE rolname = $1 AND rolcanlogin AND NOT rolsuper';
REVOKE ALL ON FUNCTION ${LOOK_UP}(name) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${LOOK_UP}(name) TO ${POOLER};`;

/** Resets the roles of the control plane, whatever users did to them. Installs the function LOOK_UP in every database. */
export async function guardCluster(guarding: Guarding): Promise<void> {
  const { sql, connect, machine } = guarding;
  await sql.query(rolesScript(guarding));
  const [pooler] = await sql.query<{ readonly password: string | null; readonly isReady: boolean | null }>(
    `SELECT rolpassword AS password, has_function_privilege(oid, to_regprocedure('${LOOK_UP}(name)'), 'EXECUTE') AS "isReady"
     FROM pg_authid WHERE rolname = $1`,
    [POOLER],
  );
  if (!isVerifierOf(pooler?.password ?? null, machine.poolerPassword))
    await sql.query(`ALTER ROLE ${POOLER} PASSWORD ${literal(newVerifier(machine.poolerPassword, machine.random))}`);
  if (pooler?.isReady === true) return;
  // New databases copy the function from the templates. Existing ones get it here, last the one that `isReady` checks.
  await inEachDatabase({ sql, connect }, async (inside) => void (await inside.query(LOOK_UP_SCRIPT)));
}

export interface FoundDatabase {
  readonly oid: number;
  readonly name: string;
  readonly owner: string;
  readonly ownerIsSuperuser: boolean;
  readonly isOpen: boolean;
}

export function findDatabases(sql: Sql): Promise<FoundDatabase[]> {
  return sql.query<FoundDatabase>(
    `SELECT pg_database.oid, datname AS name, rolname AS owner, rolsuper AS "ownerIsSuperuser", datallowconn AS "isOpen"
     FROM pg_database JOIN pg_authid ON pg_authid.oid = datdba ORDER BY datname = 'postgres', datname`,
  );
}

export async function inEachDatabase(
  { sql, connect }: Pick<Guarding, 'sql' | 'connect'>,
  work: (inside: Sql, database: FoundDatabase) => Promise<void>,
): Promise<void> {
  for (const database of await findDatabases(sql)) {
    const allow = (isOpen: boolean): Promise<unknown> =>
      sql.query(`ALTER DATABASE ${identifier(database.name)} WITH ALLOW_CONNECTIONS ${isOpen}`);
    if (!database.isOpen) await allow(true);
    try {
      await withSql(connect(database.name), (inside) => work(inside, database));
    } finally {
      if (!database.isOpen) await allow(false);
    }
  }
}

/** Ends the connections to one database, or to all of them, except those of the control plane. */
export async function endConnections(sql: Sql, database?: string): Promise<void> {
  await sql.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE usename <> $1 AND ($2::text IS NULL OR datname = $2)`,
    [ADMIN, database ?? null],
  );
}
