// Which route answers a request: fixed segments before parameters, whole paths only, and what is said where none does.
import { expect, it } from 'vitest';
import { findRoute, routes } from '../../src/control-plane/http/routes.ts';

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
  expect(match.kind === 'route' && [match.route.id, match.params]).toEqual([id, params]);
});

it.each([
  ['PUT', '/projects', ['GET', 'POST']],
  ['HEAD', '/projects/shop', ['GET', 'PATCH', 'DELETE']],
  ['constructor', '/projects/shared', ['GET', 'PATCH', 'DELETE']],
] as const)('%s %s is told which methods are allowed', (method, path, allowed) => {
  expect(findRoute(method, path)).toEqual({ kind: 'wrong-method', allowed });
});

it.each(['', '/', '/projects/', '//projects', '/projects//branches', '/project', '/projects/shop/other', '/*'])(
  '"%s" is no path of the API',
  (path) => expect(findRoute('GET', path)).toEqual({ kind: 'none' }),
);

it('finds every route of the table by its own path', () => {
  for (const route of routes)
    expect(findRoute(route.method, route.path.replaceAll(/[{}]/g, ''))).toMatchObject({ kind: 'route', route });
});
