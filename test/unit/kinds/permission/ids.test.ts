// Ids of permissions have any form: each is one segment of a path, and what could lead elsewhere makes the list unusable.
import { expect, it } from 'vitest';
import { permission } from '../../../../src/kinds/permission.ts';
import type { Reader } from '../../../../src/client/types.ts';

it.each([
  ['0f8fad5b-d9cb-469f-a165-70867728950e', '0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['perm_1', 'perm_1'],
  ['a/../b?c', 'a%2F..%2Fb%3Fc'],
])('%s', (id, segment) => {
  const asked = { projectId: 'shop-000001', parentId: null, id, attributes: {}, live: null };
  expect(permission.requests.delete?.(asked)).toMatchObject({
    method: 'DELETE',
    path: `/projects/shop-000001/permissions/${segment}`,
  });
});

it.each(['', '.', '..'])('"%s" is none', async (id) => {
  const body = { project_permissions: [{ id, granted_to_email: 'd@example.com', granted_at: '2026-01-01T00:00:00Z' }] };
  const problems: (string | null | undefined)[] = [];
  const reader: Reader = {
    async get<T>(_path: string, _shape: string, { problemOf }: Parameters<Reader['get']>[2] = {}): Promise<T> {
      problems.push(problemOf?.(body));
      return body as T;
    },
  };
  await permission.list(reader, { projectId: 'shop-000001' }, new AbortController().signal);
  expect(problems).toEqual(['lists a permission without an id']);
});
