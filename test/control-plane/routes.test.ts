// Which route answers a request: fixed segments before parameters, whole paths only, and what is said where none does.
import { expect, it } from 'vitest';
import { absentThings, routes, unmodelledRoutes } from '../../src/api/index.ts';
import { findRoute } from '../../src/control-plane/api/routes.ts';
import { MAIN, SHOP, organizationOf, makeWorld } from './world.ts';

it.each([
  ['GET', '/projects/shared', 'listSharedProjects', {}],
  ['GET', '/projects/shop', 'getProject', { project_id: 'shop' }],
  ['PATCH', '/projects/shared', 'updateProject', { project_id: 'shared' }],
  ['GET', '/projects/shop/branches/count', 'countProjectBranches', { project_id: 'shop' }],
  ['DELETE', '/projects/shop/branches/count', 'deleteProjectBranch', { project_id: 'shop', branch_id: 'count' }],
  ['GET', '/projects/a%2Fb', 'getProject', { project_id: 'a/b' }],
  ['GET', '/projects/%zz', 'getProject', { project_id: '%zz' }],
  ['GET', '/projects/:project_id', 'getProject', { project_id: ':project_id' }],
] as const)('%s %s is answered by %s', (method, path, id, params) => {
  const match = findRoute(method, path);
  expect(match && [match.route.id, match.params]).toEqual([id, params]);
});

it.each([
  ['PUT', '/projects'],
  ['HEAD', '/projects/shop'],
])('%s %s is no route', (method, path) => expect(findRoute(method, path)).toBeUndefined());

const NO_PATHS = ['', '/', '/projects/', '//projects', '/projects//branches', '/project', '/projects/shop/other', '/*'];
it.each(NO_PATHS)('"%s" is no path', (path) => expect(findRoute('GET', path)).toBeUndefined());

it('finds every route of the table by its own path', () => {
  for (const route of routes)
    expect(findRoute(route.method, route.path.replaceAll(/[{}]/g, ''))).toMatchObject({ route });
});

it('answers each published route that is not modelled with 501 and its name, no other so', async () => {
  const world = makeWorld();
  const all = Object.entries(unmodelledRoutes).flatMap(([path, methods]) =>
    methods.split(' ').map((method) => [method, path] as const),
  );
  const isAbsent = ([method, path]: (typeof all)[number]): boolean => method === 'GET' && absentThings.includes(path);
  for (const [method, path] of all.filter(isAbsent))
    expect((await world.send(method, path.replaceAll(/\{\w+\}/g, 'any-1'))).status).toBe(404);
  const published = all.filter((one) => !isAbsent(one));
  expect(published.length).toBeGreaterThan(105);
  for (const [method, path] of published) {
    const answer = await world.send(method, path.replaceAll(/\{\w+\}/g, 'any-1'));
    const message = `${method} ${path} is not modelled`;
    expect([answer.status, answer.body]).toMatchObject([501, { code: 'NOT_MODELLED', message }]);
    expect(routes.some((route) => route.method === method && route.path === path)).toBe(false);
  }
  expect((await world.send('GET', '/nothing/like/this')).status).toBe(404);
});

it('answers lists of what is not modelled as empty, where their owner is there', async () => {
  const world = makeWorld();
  const org = await organizationOf(world);
  const emptyListRoutes = routes.filter(({ emptyList }) => emptyList !== undefined);
  expect(emptyListRoutes.length).toBeGreaterThan(12);
  for (const { path } of emptyListRoutes) {
    const own = path.replace('/projects/{project_id}', SHOP).replace('{branch_id}', MAIN).replace('{org_id}', org);
    const { status, body } = await world.send('GET', own.replaceAll(/\{\w+\}/g, 'any-1'));
    expect([path, status, Object.values(body)]).toEqual([path, 200, [[]]]);
    expect((await world.send('GET', path.replaceAll(/\{\w+\}/g, 'any-1'))).status).toBe(404);
    expect([404, 501]).toContain((await world.send('POST', path.replaceAll(/\{\w+\}/g, 'any-1'), {})).status);
  }
});
