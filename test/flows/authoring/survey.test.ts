// The survey reads what was asked for and nothing else, and says what could not be read.
import { expect, it, onTestFinished } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import type { Survey, SurveyRequest } from '../../../src/reconciler/types.ts';
import { desiredOf } from '../../support/files.ts';
import { openSite, type Site } from '../../support/site.ts';

const world: World = {
  version: 1,
  projects: ['shop', 'lab', 'lost'].map((name) => ({
    id: `${name}-000001`,
    name,
    branches: [{ id: `br-${name}-000001`, name: 'main', default: true }],
    computes: [{ id: `ep-${name}-000001`, branch: 'main' }],
  })),
};

const ORGANIZATIONS = ['org-a', 'org-b'].map((id) => ({ id, name: id, handle: id, plan: 'free' }));

async function survey(
  request: Partial<SurveyRequest>,
  {
    lost = null,
    perPage = null,
    keys = null,
    orgId,
  }: {
    /** A part of the paths that are answered 404. */
    readonly lost?: string | null;
    readonly perPage?: number | null;
    /** What the list of keys is answered with. */
    readonly keys?: number | null;
    readonly orgId?: string;
  } = {},
): Promise<{ readonly survey: Survey; readonly requests: readonly string[] }> {
  const site: Site = openSite({
    seed: world,
    answers: (incoming) => {
      const url = new URL(incoming.url);
      const { pathname } = url;
      if (lost !== null && pathname.includes(lost)) return Response.json({ message: 'gone' }, { status: 404 });
      if (pathname.endsWith('/me/organizations')) return Response.json({ organizations: ORGANIZATIONS });
      if (pathname.includes('/organizations/')) return Response.json([]);
      if (keys !== null && pathname.endsWith('/api_keys')) return Response.json({ message: 'no' }, { status: keys });
      url.searchParams.delete('org_id');
      if (perPage !== null) url.searchParams.set('limit', String(perPage));
      return site.controlPlane.handle(new Request(url, incoming));
    },
  });
  onTestFinished(() => site.controlPlane.close());
  const desired = await desiredOf('version: 1\n');
  const reconciler = site.started(undefined, orgId === undefined ? {} : { orgId });
  const made = await site.clock.run(
    reconciler.survey({ desired, isWanted: () => true, accountWide: true, ...request }),
  );
  return { survey: made, requests: site.seen.map((call) => call.replace(/\?.*/, '')) };
}

it('lists projects, what is in each, and the keys', async () => {
  const { survey: made, requests } = await survey({});
  expect(new Set(requests)).toEqual(
    new Set([
      'GET /projects',
      'GET /projects/lab-000001/endpoints',
      'GET /projects/lost-000001/endpoints',
      'GET /projects/shop-000001/endpoints',
      'GET /api_keys',
    ]),
  );
  expect(requests).toHaveLength(5);
  expect(made.unlisted.map(({ id }) => id)).toEqual(expect.arrayContaining(['ep-lab-000001', 'ep-shop-000001']));
});

it('reads only the projects that are wanted, and no keys with them', async () => {
  const { survey: made, requests } = await survey({ isWanted: ({ name }) => name === 'lab', accountWide: false });
  expect(requests).toEqual(['GET /projects', 'GET /projects/lab-000001/endpoints']);
  expect(made.unlisted.map(({ id }) => id)).toEqual(['ep-lab-000001']);
});

it('looks at the branches if what is declared refers to one', async () => {
  const desired = await desiredOf(
    'version: 1\nprojects: { shop: { branches: { main: { default: true } }, computes: { c: { branch: main } } } }\n',
  );
  const { survey: made, requests } = await survey({ desired });
  expect(requests.filter((request) => request.endsWith('/branches'))).toHaveLength(3);
  expect(made.unlisted.map(({ id }) => id)).toEqual(expect.arrayContaining(['ep-lab-000001', 'ep-lost-000001']));
  expect(made.unlisted.map(({ id }) => id)).not.toContain('ep-shop-000001');
});

it.each([
  ['its only list fails', 'lost-000001', [], 'lost-000001'],
  ['all its lists fail', 'lost-000001', ['branch'], 'lost-000001'],
  ['one of two lists fails', 'lost-000001/endpoints', ['branch'], 'lost-000001/computes'],
])('goes on without an unread project or list, and names it once: %s', async (_, lost, include, what) => {
  const { survey: made } = await survey({ include }, { lost });
  expect(made.live?.unread.map((one) => [one.what, one.projectId])).toEqual([[what, 'lost-000001']]);
  expect(made.unlisted.filter(({ kind }) => kind === 'compute')).toHaveLength(2);
});

it.each([
  [404, [], ['api_keys']],
  [403, [], ['api_keys']],
  [400, ['api_keys'], []],
])('keys that are not shown to such a credential are no gap: %i', async (keys, unread, hidden) => {
  const { survey: made } = await survey({}, { keys });
  expect(made.live?.unread.map(({ what }) => what)).toEqual(unread);
  expect(made.hidden.map(({ what }) => what)).toEqual(hidden);
});

it('keys that a file declares are a gap where they are not shown', async () => {
  const desired = await desiredOf('version: 1\napi_keys: { ci: { secret: { file: ci.json } } }\n');
  const { survey: made } = await survey({ desired }, { keys: 404 });
  expect(made.live?.unread.map(({ what }) => what)).toEqual(['api_keys']);
});

it('misses no project where the service gives smaller pages than asked for', async () => {
  const { survey: made } = await survey({ accountWide: false }, { perPage: 1 });
  expect(made.live?.projects.map(({ name }) => name)).toEqual(['lab', 'lost', 'shop']);
});

it.each(['shop', 'lab', 'lost'])('finds the project %s that the files expect on any page', async (name) => {
  const desired = await desiredOf(`version: 1\nexpect: { has_project: ${name}-000001 }\n`);
  const { survey: made } = await survey({ desired }, { perPage: 1 });
  expect(made.diagnostics).toEqual([]);
});

it('sends nothing when the files are meant for another service', async () => {
  const desired = await desiredOf('version: 1\nexpect: { base_url: https://other.example.com/v2 }\n');
  const { survey: made, requests } = await survey({ desired });
  expect(requests).toEqual([]);
  expect(made).toMatchObject({ live: null, diagnostics: [{ code: 'expectation_failed' }] });
});

it.each([
  [undefined, ['org-a', 'org-b']],
  ['org-b', ['org-b']],
])('reads the keys of each organization, or of the one that was asked for: %s', async (orgId, read) => {
  const { requests } = await survey({ include: ['org_api_key'] }, orgId === undefined ? {} : { orgId });
  const listed = requests.filter((request) => request.endsWith('/api_keys'));
  expect(listed).toEqual(['GET /api_keys', ...read.map((id) => `GET /organizations/${id}/api_keys`)]);
});
