// Each key opens what its scope says, in the API and in the console alike: every route, page, form and stream is tried with every sort of key.
import { beforeAll, describe, expect, it } from 'vitest';
import { createConsole } from '../../src/control-plane/console/console.ts';
import type { FaultPlan, LedgerEntry } from '../../src/control-plane/index.ts';
import { routes } from '../../src/api/index.ts';
import { requireInScope } from '../../src/control-plane/resources/key/handlers.ts';
import { makeDesk, type Desk, type Visitor } from '../browser/requests.ts';
import { DEV, MAIN, PRIMARY, STAGING, organizationOf, type Answer } from './world.ts';

const SHOP = 'spring-example-302709';
const LAB = 'autumn-lab-418822';
const SORTS = ['account', 'organization', 'project', 'revoked', 'none'] as const;
type Sort = (typeof SORTS)[number];

/** Whatever is done is taken back, so that all can be tried on one world. */
const NOTHING_STAYS: FaultPlan = { rules: [{ times: 'always', fault: { kind: 'pretend' } }] };

/** A control plane with one key of each sort; the one of a project opens the shop. */
interface Site extends Desk {
  readonly keys: Readonly<Record<Sort, string | undefined>>;
  readonly org: string;
}

const made = async (world: Desk, path: string, more: object = {}): Promise<Answer['body']> =>
  (await world.send('POST', path, { key_name: 'k', ...more })).body;

async function makeSite(): Promise<Site> {
  const desk = makeDesk();
  const org = await organizationOf(desk);
  const revoked = await made(desk, '/api_keys');
  await desk.send('DELETE', `/api_keys/${revoked.id}`);
  const keys = {
    account: desk.key,
    organization: (await made(desk, `/organizations/${org}/api_keys`)).key,
    project: (await made(desk, `/organizations/${org}/api_keys`, { project_id: SHOP })).key,
    revoked: revoked.key,
    none: undefined,
  };
  return { ...desk, keys, org };
}

/** What the reference says of who may ask, apart from how the routes declare it. */
function refusalOf(sort: Sort, method: string, path: string, project: string): 401 | 403 | 404 | null {
  if (sort === 'revoked' || sort === 'none') return 401;
  const isPersonal = path === '/users/me' || path.startsWith('/api_keys');
  if (sort !== 'account' && isPersonal) return 404;
  if (sort !== 'project') return null;
  if (path.includes('{project_id}') && project !== SHOP) return 404;
  const isAbove =
    path.startsWith('/organizations/') ||
    (method === 'POST' && path === '/projects') ||
    (method === 'DELETE' && path === '/projects/{project_id}') ||
    path === '/projects/{project_id}/recover';
  return isAbove ? 403 : null;
}

const REFUSED = /not allowed|authentication required|^project not found/;

describe('every route of the API', () => {
  let site: Site;
  beforeAll(async () => {
    site = await makeSite();
    site.plane.setFaults(NOTHING_STAYS);
  });

  it.each(SORTS.flatMap((sort) => [SHOP, LAB].map((project) => [sort, project] as const)))(
    'answers a key of the sort "%s" as its scope says, of %s',
    async (sort, project) => {
      for (const { method, path } of routes) {
        const at = path
          .replace('{project_id}', project)
          .replace('{org_id}', site.org)
          .replaceAll(/\{\w+\}/g, '1');
        const { status, body } = await site.send(method, at, undefined, { key: site.keys[sort] });
        const refused = refusalOf(sort, method, path, project);
        const isRefused = [401, 403, 404].includes(status) && REFUSED.test(body.message);
        const told = isRefused ? status : null;
        expect([method, path, told]).toEqual([method, path, refused]);
      }
    },
  );

  it('shows a key of one project that project alone, in lists too', async () => {
    const { body } = await site.send('GET', '/projects', undefined, { key: site.keys.project });
    expect(body.projects.map(({ id }) => id)).toEqual([SHOP]);
    const found = await site.send('GET', `/projects?search=${LAB}`, undefined, { key: site.keys.project });
    expect(found.body.projects).toEqual([]);
  });

  it('declares a scope, and one that holds for the project of its path', () => {
    for (const { id, path, scope } of routes) {
      expect([id, ['key', 'project', 'organization', 'account'].includes(scope)]).toEqual([id, true]);
      expect([id, path.includes('{project_id}') && (scope === 'key' || scope === 'account')]).toEqual([id, false]);
      expect([id, scope === 'project' && !path.includes('{project_id}')]).toEqual([id, false]);
    }
  });

  it('is open to nobody where it declares none', () => {
    // Such a route does not compile; somebody may still get one past the compiler.
    const bare = { ...routes[0], scope: undefined } as unknown as (typeof routes)[number];
    for (const key of site.plane.truth.keys())
      expect(() => requireInScope(key, bare, undefined)).toThrow('not allowed');
  });
});

const MADE = 'key_name project.name branch.name role.name database.name endpoint.name role_name database_name'.split(
  ' ',
);
/** Values for the fields of all forms; each form takes its own. */
const FIELDS = {
  ...Object.fromEntries(MADE.map((field) => [field, 'made'])),
  key_id: '165001',
  email: 'someone@example.com',
  permission_id: '1',
  source_branch_id: MAIN,
  'database.owner_name': 'shop_owner',
  'endpoint.branch_id': DEV,
  'endpoint.type': 'read_write',
};

/** The pages of the console, from its own table, and the forms of all operations that change something. */
const PAGES = createConsole({ controlPlane: makeDesk().plane, requests: [] })
  .routes.filter(({ method, path }) => method === 'GET' && !/^\/(console|testing|requests|$)/.test(path))
  .map(({ path }) => path);
const FORMS = routes.filter(({ method }) => method !== 'GET');

const IDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [SHOP]: { branch: STAGING, compute: PRIMARY },
  [LAB]: { branch: 'br-still-lake-330022', compute: 'ep-bright-forest-654321' },
};

function filled(path: string, project: string): string {
  const { branch = '', compute = '' } = IDS[project] ?? {};
  return path.replace(':project', project).replace(':branch', branch).replace(':compute', compute);
}

/** The fields of a form about a project. */
function fieldsOf(site: Site, project: string): Record<string, string> {
  const { branch = '', compute = '' } = IDS[project] ?? {};
  return { ...FIELDS, org_id: site.org, project_id: project, branch_id: branch, endpoint_id: compute };
}

/** Whether the API lets the key look at what the page is about. */
async function mayLook(site: Site, sort: Sort, path: string, project: string): Promise<boolean> {
  // The page of keys shows every list that the key may read: that of the account, or that of its organization.
  const asked = path.startsWith('/keys')
    ? ['/api_keys', `/organizations/${site.org}/api_keys`]
    : [path.includes(':project') ? `/projects/${project}` : '/projects'];
  const replies = await Promise.all(asked.map((one) => site.send('GET', one, undefined, { key: site.keys[sort] })));
  return replies.some(({ status }) => status === 200);
}

describe('the console', () => {
  const signedIn = SORTS.slice(0, 3).flatMap((sort) => [SHOP, LAB].map((project) => [sort, project] as const));

  it('has pages and forms, which are tried here as a whole', () => {
    expect(PAGES.length).toBeGreaterThan(5);
    expect(FORMS.length).toBeGreaterThan(20);
  });

  it.each(signedIn)(
    'shows whoever signed in with a key of the sort "%s" what that key may see of %s',
    async (sort, project) => {
      const site = await makeSite();
      const [person, root] = [await site.person(site.keys[sort]), await site.person()];
      const isOther = !(await mayLook(site, sort, '/projects/:project', LAB));
      for (const path of PAGES) {
        const at = filled(path, project);
        const { status, html } = await person.get(at);
        const isAllowed = await mayLook(site, sort, path, project);
        expect([path, status]).toEqual([path, isAllowed ? (await root.get(at)).status : 404]);
        if (isOther && project !== LAB) expect([path, html.includes(LAB)]).toEqual([path, false]);
      }
      const { html } = await person.get('/');
      expect([html.includes(SHOP), html.includes(LAB)]).toEqual([true, !isOther]);
    },
  );

  it.each(SORTS.slice(1, 3))(
    'does for a key of the sort "%s" what the API does for it, and nothing else',
    async (sort) => {
      const outcomes = { done: 0, refused: 0 };
      const judge = await makeSite();
      judge.plane.setFaults(NOTHING_STAYS);
      for (const { id, path } of FORMS)
        for (const project of path.includes('{project_id}') ? [SHOP, LAB] : [SHOP]) {
          const [free, bound] = [await makeSite(), await makeSite()];
          const all = await changesOf(free, await free.person(free.keys.account), id, project);
          const own = await changesOf(bound, await bound.person(bound.keys[sort]), id, project);
          // The same request to the API, without a body: key and scope are judged before that.
          const asked = await Promise.all(
            all.map(({ verb, path: to }) => judge.send(verb, to, undefined, { key: judge.keys[sort] })),
          );
          const isRefused = asked.some(({ body }) => REFUSED.test(body.message));
          expect([id, project, own.length]).toEqual([id, project, isRefused ? 0 : all.length]);
          if (all.length > 0) outcomes[isRefused ? 'refused' : 'done']++;
        }
      // Both happen, or this shows nothing.
      expect(outcomes.done).toBeGreaterThan(5);
      if (sort === 'project') expect(outcomes.refused).toBeGreaterThan(5);
    },
  );

  it.each(['revoked', 'none'] as const)('lets nobody in with a key of the sort "%s"', async (sort) => {
    const site = await makeSite();
    const person = site.visitor();
    expect((await person.post('/sign-in', { api_key: site.keys[sort] ?? '' })).status).toBe(401);
    const before = site.plane.ledger().length;
    for (const path of PAGES) {
      const statuses = [await person.get(filled(path, SHOP)), await person.look(filled(path, SHOP))];
      expect([path, ...statuses.map(({ status }) => status)]).toEqual([path, 303, 401]);
    }
    for (const { id } of FORMS) expect([id, (await person.ask(id, fieldsOf(site, SHOP))).status]).toEqual([id, 303]);
    expect(site.plane.ledger()).toHaveLength(before);
  });

  it('ends a session and its live pages with the key, also where another key has got its id', async () => {
    const site = await makeSite();
    const person = await site.person(site.keys.project);
    expect((await person.look(`/projects/${SHOP}`)).status).toBe(200);
    const { id } = site.plane.truth.keys().find(({ projectId }) => projectId === SHOP) ?? { id: '' };
    await site.send('DELETE', `/organizations/${site.org}/api_keys/${id}`);
    expect((await person.look(`/projects/${SHOP}`)).status).toBe(401);
    // The cookie stays, so that the reloaded page can say why.
    expect((await person.get(`/projects/${SHOP}`)).location).toContain('ended=session');

    const other = await site.person((await made(site, '/api_keys')).key);
    expect((await other.get('/keys')).status).toBe(200);
    site.plane.states.reset();
    for (let count = 0; count < 8; count++) await made(site, '/api_keys');
    expect((await other.get('/keys')).status).toBe(303);
  });

  it('counts against the limits, and reads no form before', async () => {
    const site = await makeSite();
    const person = await site.person();
    site.plane.setSwitches({ rateLimit: 'published' });
    const statuses = new Set<number>();
    for (let count = 0; count < 60; count++) statuses.add((await person.ask('createApiKey', { key_name: 'x' })).status);
    expect([...statuses]).toEqual([303, 429]);
  });
});

/** The changes that a form made, from the ledger. */
async function changesOf(site: Site, person: Visitor, operation: string, project: string): Promise<LedgerEntry[]> {
  const before = site.plane.ledger().length;
  await person.ask(operation, fieldsOf(site, project));
  return site.plane.ledger().slice(before);
}
