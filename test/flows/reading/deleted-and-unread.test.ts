// What somebody deleted is not made anew where the service could not be asked about it: only 400, 404, 405 and 501 say that it keeps no such list.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import { openSite, type Site } from '../../support/site.ts';
import { ID, MAIN_BRANCH, shopOf } from '../../support/shop.ts';

const WORLD: World = {
  version: 1,
  projects: [
    shopOf({ branches: [MAIN_BRANCH, { id: 'br-old-river-991122', name: 'staging' }] }),
    { name: 'lab', id: 'calm-lake-100001', branches: [{ ...MAIN_BRANCH, id: 'br-calm-lake-100001' }] },
  ],
};

type Answer = (body: () => Promise<Readonly<Record<string, unknown>>>) => Promise<Response> | Response;

const json = (body: unknown, status = 200): Response => Response.json(body, { status });
const refusal =
  (status: number): Answer =>
  () =>
    json({ code: '', message: 'no' }, status);

/** Answers from which nothing can be concluded. */
const UNUSABLE: readonly (readonly [name: string, answer: Answer])[] = [
  ...[302, 402, 403, 406, 408, 409, 410, 412, 418, 422, 423, 429, 500, 502, 503, 504].map(
    (status) => [`${status}`, refusal(status)] as const,
  ),
  ['a web page', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
  ['a body that is cut off', () => new Response('{"branches": [', { headers: { 'content-type': 'application/json' } })],
  ['nothing', () => new Response('', { headers: { 'content-type': 'application/json' } })],
  ['JSON of another shape', () => json({ items: [] })],
  ['a list of another shape', () => json({ branches: {}, projects: {} })],
  ['null', () => json(null)],
  ['203', async (body) => json(await body(), 203)],
  [
    'a connection that breaks',
    () => {
      throw new Error('the connection broke');
    },
  ],
];

/** One whose dates are not told: whether it can be recovered nobody knows. */
const DATELESS: readonly (readonly [name: string, dates: Readonly<Record<string, unknown>>])[] = [
  ['without its dates', {}],
  ['with dates that are null', { recovery: null, deleted_at: null, recoverable_until: null }],
  ['with dates that are empty', { recovery: {}, deleted_at: '', recoverable_until: '' }],
  ['with dates that are none', { recovery: { deleted_at: 'x', recoverable_until: 'x' }, deleted_at: 'x' }],
];

const KEEPS_NONE = [400, 404, 405, 501] as const;

const BRANCHES = `version: 1\nprojects:\n  shop: { branches: { main: { roles: { app2: {} } }, staging: {} } }\n  lab: { branches: { main: {}, next: {} } }\n`;
const PROJECTS = 'version: 1\nprojects:\n  blog: { create: {} }\n  lab: { branches: { main: {}, next: {} } }\n';

/** A site at which the look at what was deleted, a list of this path with that parameter, is answered so. */
function answering(seed: World, path: string, parameter: string, answer: Answer): Site {
  return openSite({
    seed: structuredClone(seed),
    answers: (request, asItIs) => {
      const { pathname, searchParams } = new URL(request.url);
      if (!pathname.endsWith(path) || !searchParams.has(parameter)) return null;
      return Promise.resolve(answer(async () => (await (await asItIs()).json()) as never));
    },
  });
}

/** Somebody has deleted a branch. */
async function withoutBranch(answer: Answer): Promise<Site> {
  const site = answering(WORLD, `/${ID}/branches`, 'include_deleted', answer);
  await site.api('DELETE', `/projects/${ID}/branches/br-old-river-991122`);
  return site;
}

async function withoutProject(answer: Answer): Promise<Site> {
  const blog = { name: 'blog', id: 'old-blog-100002', branches: [{ id: 'br-b', name: 'main', default: true }] };
  const seed = { ...WORLD, projects: [...(WORLD.projects ?? []), blog] };
  const site = answering(seed, '/projects', 'recoverable', answer);
  await site.api('DELETE', '/projects/old-blog-100002');
  return site;
}

const ALLOW = ['create:blog'];

/** Only `what` is not known: all else, in the same project and in the other one, is made as declared. */
async function expectUnread(site: Site, yaml: string, what: string): Promise<void> {
  const { plan, result, writes } = await site.apply(yaml, ALLOW);
  expect(plan.unread.map((one) => one.what)).toEqual([what]);
  const beside = what === 'blog' ? [] : ['shop/branches/main/roles/app2'];
  expect(plan.steps.map(({ address }) => address)).toEqual(['lab/branches/next', ...beside]);
  const ofRole = beside.map(() => `POST /projects/${ID}/branches/${MAIN_BRANCH.id}/roles`);
  expect(writes.toSorted()).toEqual(['POST /projects/calm-lake-100001/branches', ...ofRole].toSorted());
  expect(result.status).toBe('incomplete');
}

describe.each([
  {
    kind: 'a branch',
    deleted: withoutBranch,
    yaml: BRANCHES,
    unread: 'shop/branches/staging',
    made: 'shop/branches/staging',
  },
  { kind: 'a project', deleted: withoutProject, yaml: PROJECTS, unread: 'blog', made: 'blog' },
])('$kind that somebody deleted', ({ deleted, yaml, unread, made }) => {
  it.each(UNUSABLE)('is unread where the look at what was deleted is answered with %s', async (_, answer) => {
    await expectUnread(await deleted(answer), yaml, unread);
  });

  it.each(KEEPS_NONE)('is made where %i says that the service keeps no such list', async (status) => {
    const plan = await (await deleted(refusal(status))).plan(yaml, ALLOW);
    expect(plan.unread).toEqual([]);
    expect(plan.steps.map(({ address }) => address)).toEqual(expect.arrayContaining(['lab/branches/next', made]));
  });

  it('has vanished where the list tells', async () => {
    const plan = await (await deleted(async (body) => json(await body()))).plan(yaml, ALLOW);
    expect(plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual(['vanished']);
  });
});

describe('a branch that somebody deleted', () => {
  it('is made anew without a look if it is disposable, or a member of a set', async () => {
    const yaml = `version: 1
projects:
  shop:
    branches: { main: {}, staging: { disposable: true, from: main } }
    previews: { pr: { each: [1], name: 'pr-{key}', from: main, ttl: 1d, max: 2 } }
`;
    const plan = await (await withoutBranch(refusal(403))).plan(yaml);
    expect(plan.unread).toEqual([]);
    expect(plan.steps.map(({ address }) => address)).toEqual(['shop/branches/staging', 'shop/previews/pr/1']);
  });

  it.each(DATELESS)('is unread where it is listed %s', async (_, dates) => {
    const site = await withoutBranch(async (body) => {
      const { branches, ...rest } = await body();
      const bare = (branches as Readonly<Record<string, unknown>>[]).map(
        ({ recovery, pending_state: _pending, ...one }) =>
          recovery === undefined ? one : { ...one, current_state: 'ready', ...dates },
      );
      return json({ ...rest, branches: bare });
    });
    await expectUnread(site, BRANCHES, 'shop/branches/staging');
  });
});

describe('a project that somebody deleted', () => {
  it.each(DATELESS)('is unread where it is listed %s', async (_, dates) => {
    const site = await withoutProject(async (body) => {
      const { projects, ...rest } = await body();
      const bare = (projects as Readonly<Record<string, unknown>>[]).map(
        ({ deleted_at: _at, recoverable_until: _until, ...one }) => ({ ...one, ...dates }),
      );
      return json({ ...rest, projects: bare });
    });
    await expectUnread(site, PROJECTS, 'blog');
  });

  it.each([
    ['names some that it could not show', { unavailable_project_ids: ['old-blog-100002'] }],
    ['comes again and again', { projects: [{ id: 'other-1', name: 'other' }], pagination: { cursor: 'again' } }],
  ])('is unread where the list %s', async (_, more) => {
    await expectUnread(await withoutProject(() => json({ projects: [], ...more })), PROJECTS, 'blog');
  });
});

describe('a branch that is being deleted', () => {
  it.each([
    ['pending_state', 200],
    ['current_state', 200],
    ['pending_state', 404],
  ])('has vanished, as its %s tells, where the look at what was deleted is answered %i', async (state, status) => {
    const site = openSite({
      seed: structuredClone(WORLD),
      answers: (request, asItIs) => {
        const { pathname, searchParams } = new URL(request.url);
        if (!pathname.endsWith(`/${ID}/branches`) || request.method !== 'GET') return null;
        if (searchParams.has('include_deleted') && status !== 200) return json({ code: '', message: 'no' }, status);
        return asItIs().then(async (response) => {
          const body = (await response.json()) as { readonly branches: Readonly<Record<string, unknown>>[] };
          const branches = body.branches.map((one) =>
            one['name'] === 'staging' ? { ...one, [state]: 'storage_deleted' } : one,
          );
          return json({ ...body, branches });
        });
      },
    });
    const plan = await site.plan(BRANCHES);
    const staging = plan.changes.find(({ address }) => address === 'shop/branches/staging');
    expect([staging?.action, staging?.blockedBy]).toEqual(['create', ['vanished']]);
    const pinned = BRANCHES.replace('staging: {}', 'staging: { id: br-old-river-991122 }');
    const other = await site.plan(pinned);
    expect(other.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual(['vanished']);
  });
});
