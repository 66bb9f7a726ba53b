// A new stored resource: few places name it.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesBelow, root } from '../architecture/source-tree.ts';

it('the smallest stored resource of the server is named in five places: its folder, the tables, the routes, the seed data and the schemas', () => {
  const named = filesBelow('src', '.ts')
    .filter((path) => path.startsWith('control-plane/') && !path.startsWith('control-plane/resources/permission/'))
    .filter((path) => readFileSync(`${root}/src/${path}`, 'utf8').includes('/permission/'));
  expect([...new Set(named.map((path) => path.replace(/world\/.*/, 'world')))].sort()).toEqual([
    'control-plane/api/routes.ts',
    'control-plane/resources/engine/engine.ts',
    'control-plane/world',
  ]);
});
