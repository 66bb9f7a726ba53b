// How to connect to a branch: the connection string for a compute, database and role, its psql line, and the password when it is asked for.
import type { Branch, Endpoint } from '../../../../api/index.ts';
import { Secret } from '../../../../base/secret.ts';
import { fieldsOf, type Field } from '../../page/fields.ts';
import { tokenField } from '../../page/layout.ts';
import { copyBox, html, type Markup } from '../../page/parts.ts';
import { leadOn } from '../../action.ts';
import { computesOf, databasesOf, get, rolesOf, type Viewer } from '../../view.ts';
import type { FormVisit, Page, Visit } from '../../visit.ts';
import { typeWords } from '../../words.ts';
import { placeOf } from '../trails.ts';
import { backToBranch, subjectOf } from './branch-actions.ts';

/** Target of a connection string. */
interface Chosen {
  readonly compute: string;
  readonly database: string;
  readonly role: string;
  readonly pooled: boolean;
}

interface Choices {
  readonly computes: readonly Endpoint[];
  readonly databases: readonly string[];
  readonly roles: readonly string[];
  readonly chosen: Chosen;
}

/** Possible targets, and the requested one; by default the primary, the first database and its owner. */
function choicesOf(visit: Visit, branch: Branch, asked: URLSearchParams): Choices | undefined {
  const all = computesOf(visit, branch.project_id).filter(({ branch_id: id }) => id === branch.id);
  const computes = [...all].sort((a, b) => Number(b.type === 'read_write') - Number(a.type === 'read_write'));
  const databases = databasesOf(visit, branch);
  const names = databases.map(({ name }) => name);
  const logins = rolesOf(visit, branch).filter((role) => role.authentication_method !== 'no_login');
  const roles = logins.map(({ name }) => name);
  const among = (all: readonly string[], name: string, first: string | undefined = all[0]): string | undefined =>
    all.find((each) => each === asked.get(name)) ?? first;
  const compute = among(
    computes.map(({ id }) => id),
    'compute',
  );
  const database = among(names, 'database');
  const owner = databases.find(({ name }) => name === database)?.owner_name;
  const role = among(
    roles,
    'role',
    roles.find((name) => name === owner),
  );
  if (compute === undefined || database === undefined || role === undefined) return undefined;
  const chosen = { compute, database, role, pooled: asked.has('pooled') };
  return { computes, databases: names, roles, chosen };
}

/** The connection string, which has the password in it. */
function uriOf(viewer: Viewer, branch: Branch, { compute, database, role, pooled }: Chosen): Secret {
  const query = { endpoint_id: compute, database_name: database, role_name: role, pooled: String(pooled) };
  return new Secret((get(viewer, ['projects', branch.project_id, 'connection_uri'], query) as { uri: string }).uri);
}

function withoutPassword(uri: Secret): string {
  return uri.reveal().replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@');
}

/** The line that a compute's page has where psql would get there: for its first database, as the owner of that. */
export function psqlLine(viewer: Viewer, branch: Branch, compute: string): string | undefined {
  const [database] = databasesOf(viewer, branch);
  if (viewer.controlPlane.engine.works === undefined || database === undefined) return undefined;
  const chosen = { compute, database: database.name, role: database.owner_name, pooled: false };
  return lineOf(withoutPassword(uriOf(viewer, branch, chosen)));
}

/** To be pasted into a shell; psql asks for the password. */
function lineOf(uri: string): string {
  return `psql '${uri.replaceAll("'", '%27')}'`;
}

export function connectPage(visit: Visit): Page {
  const { project, branch } = subjectOf(visit);
  const choices = choicesOf(visit, branch, visit.url.searchParams);
  const body =
    choices === undefined
      ? html`<p class="empty">
          A connection needs a compute, a database, and a role that can log in: this branch does not have all three.
        </p>`
      : html`${form(visit, choices)} ${strings(visit, branch, choices.chosen)}`;
  return {
    title: `Connect to ${branch.name}`,
    current: 'projects',
    main: html`${placeOf(project, branch).trail}
      <div class="narrow panel">
        <h1>Connect to ${branch.name}</h1>
        ${body}
      </div>`,
  };
}

function form(visit: Visit, { computes, databases, roles, chosen }: Choices): Markup {
  const named = (name: string): readonly [string, string] => [name, name];
  const fields: readonly Field[] = [
    {
      kind: 'choice',
      name: 'compute',
      label: 'Compute',
      value: chosen.compute,
      options: computes.map((compute) => [compute.id, `${compute.id} (${typeWords(compute)})`] as const),
    },
    { kind: 'choice', name: 'database', label: 'Database', value: chosen.database, options: databases.map(named) },
    { kind: 'choice', name: 'role', label: 'Role', value: chosen.role, options: roles.map(named) },
    { kind: 'tick', name: 'pooled', label: 'Through the pooler', value: chosen.pooled },
  ];
  return html`<form method="get" action="${visit.url.pathname}">
    ${fieldsOf(fields)}
    <div class="buttons"><button id="choose">Show connection string</button></div>
  </form>`;
}

function strings(visit: Visit, branch: Branch, chosen: Chosen): Markup {
  const uri = withoutPassword(uriOf(visit, branch, chosen));
  const hasPostgres = visit.controlPlane.engine.works !== undefined;
  return html`<h2>Connection string</h2>
    ${copyBox('uri', 'Connection string', uri)}
    ${
      hasPostgres
        ? html`<h2>psql</h2>
            ${copyBox('psql', 'psql line', lineOf(uri))}`
        : null
    }
    <p class="faint">
      ${
        hasPostgres
          ? 'psql asks for the password.'
          : html`No Postgres runs behind these computes: start the server with <code class="whole">--postgres</code>,
              and this string leads to one.`
      }
    </p>
    <form method="post" action="${visit.url.pathname}">
      ${tokenField(visit.session)} <input type="hidden" name="compute" value="${chosen.compute}" />
      <input type="hidden" name="database" value="${chosen.database}" />
      <input type="hidden" name="role" value="${chosen.role}" />
      ${chosen.pooled ? html`<input type="hidden" name="pooled" value="yes" />` : null}
      <button id="reveal">Show it with the password</button>
    </form>`;
}

/** Shows the connection string with its password, once. */
export function revealConnection(visit: FormVisit): Response {
  const { branch } = subjectOf(visit);
  const choices = choicesOf(visit, branch, visit.form);
  const path = `${backToBranch(visit)}/connect`;
  if (choices === undefined) return leadOn(visit, { path });
  const value = uriOf(visit, branch, choices.chosen).reveal();
  return leadOn(visit, { path, told: { title: 'Connection string with password', value } });
}
