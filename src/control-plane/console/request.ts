// The API reference, and the page of one operation: its form, the request to the API, and the page that follows.
import { Secret } from '../../base/secret.ts';
import { stringifyJson } from '../../base/json.ts';
import { plural } from '../../base/text/words.ts';
import { routes } from '../api/routes.ts';
import { Refusal } from '../core/refusal.ts';
import type { Route } from '../resources/engine/call.ts';
import { bodyOf, fieldsMarkup, textOf, valueAt, type Choice } from './form.ts';
import { tokenField } from './page/layout.ts';
import { html, noticeBox, trail, type Markup, section, table } from './page/parts.ts';
import { redirect } from './page/respond.ts';
import { ask, branchesOf, get, pathOfBranch, pathOfCompute, pathOfProject, type Viewer } from './view.ts';
import { show, type FormVisit, type Page, type Visit } from './visit.ts';

type Params = Readonly<Record<string, string>>;

export function formPath(id: string, values: Params = {}): string {
  const query = new URLSearchParams(values).toString();
  return `/requests/${id}${query === '' ? '' : `?${query}`}`;
}

/** Buttons to the forms of all operations whose path has these parameters and no others. */
export function requestLinks(
  params: Params,
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

function routeOf(visit: Visit): Route {
  const route = routes.find(({ id }) => id === visit.param('operation'));
  if (route === undefined) throw new Refusal(404, 'the API has no such operation');
  return route;
}

/** Fields with known choices: a pattern of the field's name, the API list of the choices, and the member of its items with the value. */
const CHOICES: readonly (readonly [RegExp, (project: string, branch: string) => readonly string[], string])[] = [
  [/(^|[._])(branch|parent)_id$/, (project) => ['projects', project, 'branches'], 'id'],
  [/(^|\.)endpoint_id$/, (project) => ['projects', project, 'endpoints'], 'id'],
  [/(^|\.)(role|owner)_name$/, (project, branch) => ['projects', project, 'branches', branch, 'roles'], 'name'],
  [/(^|\.)database_name$/, (project, branch) => ['projects', project, 'branches', branch, 'databases'], 'name'],
  [/(^|\.)region_id$/, () => ['regions'], 'region_id'],
  [/(^|\.)org_id$/, () => ['users', 'me', 'organizations'], 'id'],
];

function listed(viewer: Viewer, path: readonly string[], member: string): Choice[] {
  const [items = []] = Object.values(get(viewer, path) as Readonly<Record<string, readonly Params[]>>);
  return items.map((item) => [item[member] ?? '', item['name'] ?? '']);
}

function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

interface Refused {
  readonly refusal: Refusal;
  readonly form: URLSearchParams;
}

export function formPage(visit: Visit, refused?: Refused): Page {
  const route = routeOf(visit);
  const sent = refused?.form ?? visit.url.searchParams;
  const [project, branch] = [sent.get('project_id') ?? '', sent.get('branch_id') ?? ''];
  const present = presentOf(visit, route, sent);
  const valueOf = (name: string): string => sent.get(name) ?? textOf(valueAt(present, name.split('.')));
  const choicesOf = (name: string): readonly Choice[] =>
    CHOICES.flatMap(([ending, path, member]) =>
      ending.test(name) ? (orNothing(() => listed(visit, path(project, branch), member)) ?? []) : [],
    );
  const { method, path, summary, description, scope, replies, fields } = route;
  const title = refused === undefined ? summary : `Nothing was done: ${summary}`;
  return {
    title,
    current: 'reference',
    main: html`${trailOf(visit, project, branch)}
      <div class="narrow panel">
        <h1>${summary}</h1>
        ${description === undefined ? null : html`<p>${description}</p>`}
        <p class="faint"><code>${method} ${path}</code> <span class="line">${SCOPES[scope]}</span></p>
        ${
          refused === undefined
            ? null
            : noticeBox({ tone: 'bad', text: `Nothing was done: ${refused.refusal.message}.` })
        }
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

function trailOf(visit: Viewer, project: string, branch: string): Markup {
  const branches = project === '' ? undefined : orNothing(() => branchesOf(visit, project));
  const name = branches?.find(({ id }) => id === branch)?.name;
  return trail([
    ['/reference', 'API'],
    ...(branches === undefined ? [] : [[pathOfProject(project), project] as const]),
    ...(name === undefined ? [] : [[pathOfBranch({ project_id: project, id: branch }), name] as const]),
  ]);
}

function presentOf(visit: Viewer, route: Route, values: URLSearchParams): unknown {
  if (route.method !== 'PATCH') return undefined;
  return orNothing(() => ask(visit, 'GET', filled(route.path, values)));
}

function filled(path: string, values: URLSearchParams): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values.get(name) ?? ''));
}

/** Sends the request, then redirects to its resource, so that a reload does not send the request again. */
export function perform(visit: FormVisit): Response {
  const route = routeOf(visit);
  const { form, controlPlane } = visit;
  try {
    const query = route.parameters.filter((one) => one.in === 'query' && (form.get(one.name) ?? '') !== '');
    const body = bodyOf(route, form, presentOf(visit, route, form), controlPlane.engine.atMs);
    const search = Object.fromEntries(query.map(({ name }) => [name, form.get(name) ?? '']));
    return leadOn(visit, route, ask(visit, route.method, filled(route.path, form), search, body));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return show(visit, formPage(visit, { refusal: error, form }), error.status);
  }
}

function leadOn(visit: FormVisit, route: Route, reply: unknown): Response {
  const { form, session } = visit;
  const isLook = route.method === 'GET';
  const secret = secretIn(reply) ?? (isLook ? stringifyJson(reply, 2) : undefined);
  const params = Object.fromEntries(pathNames(route).map((name) => [name, form.get(name) ?? '']));
  const path = isLook ? formPath(route.id, params) : pathAfter(visit, route, params, reply);
  if (!isLook) session.notice = { tone: 'good', text: `Done: ${route.summary}.${startedBy(reply)}` };
  if (secret === undefined) return redirect(path);
  const id = String(Number(session.told?.id ?? 0) + 1);
  session.told = { id, title: 'Reply', value: new Secret(secret) };
  return redirect(`${path}${path.includes('?') ? '&' : '?'}told=${id}`);
}

function startedBy(reply: unknown): string {
  const operations = valueAt(reply, ['operations']);
  const count = Array.isArray(operations) ? operations.length : 0;
  return count === 0 ? '' : ` ${plural(count, 'operation')} started.`;
}

/** Members of replies that hold a secret, which is shown once; the most useful first. */
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

/** The page of the resource that the reply begins with, or of its nearest ancestor that still exists. */
function pathAfter(visit: Viewer, route: Route, params: Params, reply: unknown): string {
  const [kind = ''] = Object.keys(reply ?? {});
  const made = valueAt(reply, [kind, 'id']);
  const idOf = (member: string, param: string): string => (kind === member ? textOf(made) : (params[param] ?? ''));
  const project = idOf('project', 'project_id');
  const branch = { project_id: project, id: idOf('branch', 'branch_id') };
  const compute = { project_id: project, id: idOf('endpoint', 'endpoint_id') };
  const pages: readonly (readonly [id: string, look: readonly string[], path: string])[] = [
    [compute.id, ['projects', project, 'endpoints', compute.id], pathOfCompute(compute)],
    [branch.id, ['projects', project, 'branches', branch.id], pathOfBranch(branch)],
    [project, ['projects', project], pathOfProject(project)],
  ];
  const found = pages.find(([id, look]) => id !== '' && orNothing(() => get(visit, look)) !== undefined);
  return found?.[2] ?? (route.tag === 'API keys' ? '/keys' : '/');
}

export function referencePage(): Page {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return {
    title: 'API',
    current: 'reference',
    main: html`<div class="head">
        <div>
          <h1>API</h1>
          <p class="faint">Each operation has a form. <a href="/openapi.json">The OpenAPI document</a> has the same.</p>
        </div>
      </div>
      ${tags.map((tag) =>
        section(
          `tag-${tag.toLowerCase().replaceAll(' ', '-')}`,
          tag,
          html`<div class="panel">
            ${table(
              tag,
              ['Operation', 'Request', 'Keys'],
              routes
                .filter((route) => route.tag === tag)
                .map(({ id, summary, method, path, scope }) => ({
                  id,
                  cells: [
                    html`<a class="name" href="${formPath(id)}">${summary}</a>`,
                    html`<code>${method} ${path}</code>`,
                    html`${scope === 'key' ? 'every key' : scope}`,
                  ],
                })),
            )}
          </div>`,
        ),
      )}`,
  };
}
