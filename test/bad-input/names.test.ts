// Roles, databases and branches that are named: where the files alone make a branch, what nobody declares or brings along is no name.
import { runRows } from './rows.ts';

/** A project that is made, with a first branch of these contents. */
const made = (contents: string, more = ''): string =>
  `version: 1\nprojects:\n  shop:\n    create: {}\n    branches:\n      main:\n        default: true\n${[contents, more]
    .join('\n')
    .split('\n')
    .map((line) => `        ${line}\n`)
    .join('')}`;

const APP = 'roles: { app: {}, ro: { no_login: true } }\ndatabases: { orders: { owner: app } }';
const uses = (role: string, database: string): string =>
  `connections: { c: { role: ${role}, database: ${database}, secret: { file: c.json } } }`;

runRows([
  ['what is declared', made(APP, uses('app', 'orders')), []],
  ['a typo in a database', made(APP, uses('app', 'order')), ['unknown_referent 10:50'], 'Did you mean "orders"?'],
  ['a typo in a role', made(APP, uses('ap', 'orders')), ['unknown_referent 10:35'], 'Did you mean "app"?'],
  ['an unknown owner', made('databases: { orders: { owner: ap } }'), ['unknown_referent 8:39']],
  ['what the service brings along', made('databases: {}', uses('neondb_owner', 'neondb')), []],
  [
    'what the service then names otherwise',
    made(APP, uses('neondb_owner', 'neondb')),
    ['unknown_referent 10:35', 'unknown_referent 10:59'],
  ],
  ['a database without an owner', made('roles: { app: {} }\ndatabases: { orders: {} }', uses('app', 'neondb')), []],
  [
    'what a branch takes from its parent',
    `${made(APP)}      copy:\n        from: main\n        roles: { qa: {} }\n        databases: { tests: { owner: app }, more: { owner: nobody } }\n        ${uses('qa', 'orders')}\n`,
    ['unknown_referent 14:60'],
  ],
  [
    'what a moment of the past held is not known',
    `${made(APP)}      copy:\n        from: { branch: main, at: 2026-11-20 }\n        ${uses('old', 'older')}\n`,
    [],
  ],
  ['what a live branch holds is not known', made(APP, uses('x', 'y')).replace('default: true', 'id: br-a-1'), []],
  ['a project that lives', made(APP, uses('x', 'y')).replace('create: {}', 'id: shop-1'), []],
  ['what a live parent holds is not known', made(uses('x', 'y')).replace('default: true', 'from: br-a-1'), []],
  [
    'a role that shall be gone',
    made('roles: { app: { state: absent } }\ndatabases: { x: { owner: app } }'),
    ['reference_to_absent 9:34'],
  ],
  [
    'a branch that shall be gone',
    `${made('')}      gone: { state: absent }\n      copy: { from: gone }\n    computes: { c: { branch: gone } }\n`,
    ['reference_to_absent 11:21', 'reference_to_absent 12:30'],
    /refers to shop\/branches\/gone, which has state: absent/,
  ],
]);
