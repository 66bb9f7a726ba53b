// The project of these tests: its branches differ from one to the next, all else is the same.
import type { World } from '../../../../src/control-plane/index.ts';

type Branches = NonNullable<NonNullable<World['projects']>[number]['branches']>;

export const ID = 'spring-example-302709';
export const MAIN = 'br-wispy-meadow-118737';

/** A world with these branches; without any, the default one alone. */
export function shopOf(branches: Branches = [{ id: MAIN, name: 'main', default: true }]): World {
  return { version: 1, projects: [{ name: 'shop', id: ID, branches }] };
}

/** The default branch and a child of it. */
export function shopWith(id: string, name: string): World {
  return shopOf([
    { id: MAIN, name: 'main', default: true },
    { id, name, parent_id: MAIN },
  ]);
}
