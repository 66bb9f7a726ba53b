// The project of most tests: a default branch and, where a test says so, more.
import type { World } from '../../src/control-plane/index.ts';

type Project = NonNullable<World['projects']>[number];

export const ID = 'spring-example-302709';
export const MAIN = 'br-wispy-meadow-118737';
export const STAGING = 'br-calm-sea-220011';
export const COMPUTE = 'ep-cool-darkness-123456';
export const MAIN_BRANCH = { id: MAIN, name: 'main', default: true } as const;
/** A role and a database that it owns. */
export const CONTENTS = { roles: ['app'], databases: [{ name: 'orders', owner_name: 'app' }] };

/** A file of the shop with these lines. */
export const inShop = (...lines: readonly string[]): string =>
  `version: 1\nprojects:\n  shop:\n${lines.map((line) => `    ${line}\n`).join('')}`;

/** The shop alone, with these members in place of its own. */
export function shopWorld(project: Partial<Project> = {}): World {
  return { version: 1, projects: [shopOf(project)] };
}

/** The default branch and a child of it. */
export const shopWith = (id: string, name: string): World =>
  shopWorld({ branches: [MAIN_BRANCH, { id, name, parent_id: MAIN }] });

export function shopOf(project: Partial<Project> = {}): Project {
  return { name: 'shop', id: ID, branches: [MAIN_BRANCH], ...project };
}
