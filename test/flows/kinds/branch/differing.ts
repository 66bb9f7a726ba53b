// Branches whose copies differ from where they come from: the world, the files, and the writes that each takes.
import { inShop, MAIN_BRANCH, shopWorld } from '../../../support/shop.ts';

/** Where the copies come from. */
const databases = ['shopdb', 'scratch'].map((name) => ({ name, owner_name: 'app' }));
export const world = shopWorld({ branches: [{ ...MAIN_BRANCH, roles: ['app', 'readonly', 'other'], databases }] });

/** A file with these branches. */
export const all = (...branches: readonly string[]): string =>
  inShop('branches:', ...branches.map((line) => `  ${line}`));

/** The same, with `main`. */
export const file = (...branches: readonly string[]): string => all('main: {}', ...branches);

export const SCRATCH = 'drop:shop/branches/fork/databases/scratch';

/** One difference each. */
export const CASES: Readonly<
  Record<string, { readonly fork: string; readonly writes: readonly string[]; readonly allow?: readonly string[] }>
> = {
  'another owner': {
    fork: 'fork: { from: main, databases: { shopdb: { owner: readonly } } }',
    writes: ['POST branches', 'PATCH databases/shopdb'],
  },
  'an owner that is made there': {
    fork: 'fork: { from: main, roles: { own: {} }, databases: { shopdb: { owner: own } } }',
    writes: ['POST branches', 'POST roles', 'PATCH databases/shopdb'],
  },
  'another name': {
    fork: 'fork: { from: main, databases: { shop: { renamed_from: shopdb, owner: app } } }',
    writes: ['POST branches', 'PATCH databases/shopdb'],
  },
  'a name that another one leaves': {
    fork: 'fork: { from: main, databases: { old: { renamed_from: scratch, owner: app }, scratch: { renamed_from: shopdb, owner: app } } }',
    writes: ['POST branches', 'PATCH databases/scratch', 'PATCH databases/shopdb'],
  },
  'a name that a new one takes over': {
    fork: 'fork: { from: main, databases: { old: { renamed_from: scratch, owner: app }, scratch: { owner: app } } }',
    writes: ['POST branches', 'PATCH databases/scratch', 'POST databases'],
  },
  'its absence': {
    fork: 'fork: { from: main, databases: { scratch: { state: absent } } }',
    writes: ['POST branches', 'DELETE databases/scratch'],
    allow: [SCRATCH],
  },
};

/** Several of them in one copy. */
export const ALL_OF_IT: { readonly fork: string; readonly allow: readonly string[] } = {
  fork: 'fork: { from: main, roles: { own: {}, other: { state: absent } }, databases: { shop: { renamed_from: shopdb, owner: own }, scratch: { state: absent } } }',
  allow: [SCRATCH, 'drop:shop/branches/fork/roles/other'],
};
