// The API reference and the page of one operation, which shows a form, sends the request and shows the result.
import { routes, type Replies, type Route } from '../../api/index.ts';
import { Secret } from '../../base/secret.ts';
import { stringifyJson } from '../../base/json.ts';
import { plural } from '../../base/text/words.ts';
import { routeOf } from '../api/routes.ts';
import { Refusal } from '../core/refusal.ts';
import { bodyOf, fieldsMarkup, textOf, valueAt, type Choice } from './form.ts';
import { tokenField } from './page/layout.ts';
import { head, html, section, table, trail, withQuery, type Markup, type Row } from './page/parts.ts';
import { redirect } from './page/respond.ts';
import { ask, branchesOf, pathOfBranch, pathOfCompute, pathOfProject, send, type Values, type Viewer } from './view.ts';
import { showRefused, type FormVisit, type Page, type Visit } from './visit.ts';

export function formPath(id: string, values: Values = {}): string {
  return withQuery(`/requests/${id}`, values);
}

/** Buttons to the labelled operations whose path has exactly these parameters. `tag` and `ofDeleted` narrow the choice. */
export function requestLinks(
  params: Values,
  {
    about = '',
    ofDeleted = false,
    tag,
  }: { readonly about?: string; readonly ofDeleted?: boolean; readonly tag?: string } = {},
): Markup {
  const names = Object.keys(params).sort().join();
  const own = routes.filter(
    (route) =>
      route.label !== undefined &&
      (route.ofDeleted === true) === ofDeleted &&
      (tag === undefined || route.tag === tag) &&
      pathNames(route).sort().join() === names,
  );
  return html`<div class="actions">
    ${own.map(
      ({ id, label = '' }) =>
        html`<a class="button small" id="${[id, ...Object.values(params)].join('-')}" href="${formPath(id, params)}"
          >${label}${about === '' ? null : html`<span class="unseen"> ${about}</span>`}</a
        >`,
    )}
  </div>`;
}

function pathNames({ parameters }: Route): string[] {
  return parameters.filter((one) => one.in === 'path').map(({ name }) => name);
}

/** Fields with known choices: a pattern of the field's name, the operation that lists the choices, and the member with the value. */
const CHOICES: readonly (readonly [RegExp, keyof Replies, string])[] = [
  [/(^|[._])(branch|parent)_id$/, 'listProjectBranches', 'id'],
  [/(^|\.)endpoint_id$/, 'listProjectEndpoints', 'id'],
  [/(^|\.)(role|owner)_name$/, 'listProjectBranchRoles', 'name'],
  [/(^|\.)database_name$/, 'listProjectBranchDatabases', 'name'],
  [/(^|\.)region_id$/, 'getActiveRegions', 'region_id'],
  [/(^|\.)org_id$/, 'getCurrentUserOrganizations', 'id'],
];

function listed(viewer: Viewer, id: keyof Replies, values: Values, member: string): Choice[] {
  const [items = []] = Object.values(ask(viewer, id, values) as Readonly<Record<string, readonly Values[]>>);
  return items.map((item) => [item[member] ?? '', item['name'] ?? '']);
}

export function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

export function formPage(visit: Visit, form: URLSearchParams = visit.url.searchParams): Page {
  const route = routeOf(visit.param('operation'));
  const sent: Values = Object.fromEntries(form);
  const present = presentOf(visit, route, sent);
  const valueOf = (name: string): string => sent[name] ?? textOf(valueAt(present, name.split('.')));
  const choicesOf = (name: string): readonly Choice[] =>
    CHOICES.flatMap(([ending, id, member]) =>
      ending.test(name) ? (orNothing(() => listed(visit, id, sent, member)) ?? []) : [],
    );
  const { method, path, summary, description, scope, replies, fields } = route;
  return {
    title: summary,
    current: 'reference',
    main: html`${trailOf(visit, sent)}
      <div class="narrow panel">
        <h1>${summary}</h1>
        ${description === undefined ? null : html`<p>${description}</p>`}
        <p class="faint"><code>${method} ${path}</code> <span class="line">${SCOPES[scope]}</span></p>
        <form method="post" action="${visit.url.pathname}">
          ${tokenField(visit.session)} ${fieldsMarkup(fields, valueOf, choicesOf)}
          <div class="buttons">
            <button class="${method === 'DELETE' ? 'danger' : 'primary'}" id="confirm">${route.label ?? 'Send'}</button>
          </div>
        </form>
        <p class="faint help">
          Replies:
          ${Object.entries(replies)
            .map(([status, shape]) => `${status} ${shape ?? '(empty)'}`)
            .join(', ')}
        </p>
      </div>`,
  };
}

const SCOPES: Readonly<Record<Route['scope'], string>> = {
  key: 'For every key; the reply shows only the resources that the key opens.',
  project: 'For keys of this project, of the organization and of the account.',
  organization: 'For keys of the organization and of the account.',
  account: 'For keys of the account.',
};

function trailOf(visit: Viewer, { project_id: project = '', branch_id: branch = '' }: Values): Markup {
  const branches = orNothing(() => branchesOf(visit, project));
  const known = branches?.find(({ id }) => id === branch);
  return trail([
    ['/reference', 'API'],
    ...(branches === undefined ? [] : [[pathOfProject(project), project] as const]),
    ...(known === undefined ? [] : [[pathOfBranch(known), known.name] as const]),
  ]);
}

/** Reads the present resource by GET on the same path, for a form that changes the resource. */
function presentOf(visit: Viewer, { method, path }: Route, values: Values): unknown {
  const shown = routes.find((route) => route.path === path && route.method === 'GET');
  return method === 'PATCH' && shown !== undefined ? orNothing(() => send(visit, shown, values)) : undefined;
}

/** Sends the request and redirects, so that a reload does not send it again. After a refusal, shows the form again. */
export function perform(visit: FormVisit): Response {
  const route = routeOf(visit.param('operation'));
  const { form, controlPlane } = visit;
  const values: Values = Object.fromEntries(form);
  try {
    controlPlane.dispatcher.countRequest(route);
    const body = bodyOf(route, form, presentOf(visit, route, values), controlPlane.engine.atMs);
    return redirectWithNotice(visit, route, send(visit, route, values, body));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return showRefused(visit, formPage(visit, form), error);
  }
}

function redirectWithNotice(visit: FormVisit, route: Route, reply: unknown): Response {
  const { form, session } = visit;
  const isLook = route.method === 'GET';
  const secret = secretIn(reply) ?? (isLook ? stringifyJson(reply, 2) : undefined);
  const params = Object.fromEntries(pathNames(route).map((name) => [name, form.get(name) ?? '']));
  if (!isLook) session.notice = { tone: 'good', text: `Done: ${route.summary}.${startedBy(reply)}` };
  const told = secret === undefined ? '' : String(Number(session.told?.id ?? 0) + 1);
  if (secret !== undefined) session.told = { id: told, value: new Secret(secret) };
  if (isLook) return redirect(formPath(route.id, { ...params, told }));
  return redirect(withQuery(pathAfter(visit, route, params, reply), { told }));
}

function startedBy(reply: unknown): string {
  const operations = valueAt(reply, ['operations']);
  const count = Array.isArray(operations) ? operations.length : 0;
  return count === 0 ? '' : ` ${plural(count, 'operation')} started.`;
}

/** Members of a reply that hold a secret. The page shows only one of them: the first in this order. */
const SECRETS = ['connection_uri', 'uri', 'key', 'password'];

function secretIn(reply: unknown): string | undefined {
  const found = new Map<string, string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value))
      if (typeof member === 'string' && SECRETS.includes(name)) found.set(name, member);
      else look(member);
  };
  look(reply);
  return SECRETS.map((name) => found.get(name)).find((value) => value !== undefined);
}

/** The page of the reply's first resource or its nearest existing ancestor; otherwise the list of keys or projects. */
function pathAfter(visit: Viewer, route: Route, params: Values, reply: unknown): string {
  const [kind = ''] = Object.keys(reply ?? {});
  const values: Values = { ...params, [`${kind}_id`]: textOf(valueAt(reply, [kind, 'id'])) };
  const { project_id = '', branch_id: branch = '', endpoint_id: compute = '' } = values;
  const pages: readonly (readonly [id: string, look: keyof Replies, path: string])[] = [
    [compute, 'getProjectEndpoint', pathOfCompute({ project_id, id: compute })],
    [branch, 'getProjectBranch', pathOfBranch({ project_id, id: branch })],
    [project_id, 'getProject', pathOfProject(project_id)],
  ];
  const found = pages.find(([id, look]) => id !== '' && orNothing(() => ask(visit, look, values)) !== undefined);
  return found?.[2] ?? (route.tag === 'API keys' ? '/keys' : '/');
}

export function referencePage(): Page {
  const about = html`<p class="faint">
    Each operation has a form. <a href="/openapi.json">The OpenAPI document</a> has the same.
  </p>`;
  const ofTag = (tag: string): Markup =>
    section(
      `tag-${tag.toLowerCase().replaceAll(' ', '-')}`,
      tag,
      table(tag, routes.filter((route) => route.tag === tag).map(referenceRow)),
    );
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return { title: 'API', current: 'reference', main: html`${head('API', about)} ${tags.map(ofTag)}` };
}

function referenceRow({ id, summary, method, path, scope }: Route): Row {
  return {
    id,
    cells: {
      Operation: html`<a class="name" href="${formPath(id)}">${summary}</a>`,
      Request: html`<code>${method} ${path}</code>`,
      Keys: html`${scope === 'key' ? 'every key' : scope}`,
    },
  };
}
