// What the service starts for a branch, a role or a database may fail after it was accepted: that is told, whatever the reply says of it.
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/control-plane/index.ts';
import { always, fails, refuses } from '../../support/faults.ts';
import { openSite, type Site, type SiteOptions } from '../../support/site.ts';
import { MAIN, SHOP, shopAccount } from './fleet.ts';

/** Names are any text. */
const ODD = "../it's 100 % é?#";
const BRANCHES = `/projects/${SHOP}/branches`;

/** `main` stands below the branches of the file. */
function account(main: string): SiteOptions {
  return shopAccount(`    branches:\n      main: ${main}\n`, {
    roles: ['app'],
    databases: ['log', ODD],
    operationMs: { min: 3000, max: 3000 },
  });
}

const told = (method: string, path: string, how: 'empty-operations' | 'no-operations'): FaultRule =>
  always({ method, path }, { kind: 'garble', how });

const IN_MAIN = `${BRANCHES}/${MAIN}`;
const databases = (entry: string): string => `{ databases: { ${entry} } }`;
const renamed = (from: string): string => databases(`orders: { owner: app, renamed_from: ${JSON.stringify(from)} }`);

const STEPS: readonly (readonly [what: string, main: string, method: string, path: string])[] = [
  ['a role', '{ roles: { app: {}, extra: {} } }', 'POST', `${IN_MAIN}/roles`],
  ['a database', databases('more: { owner: app }'), 'POST', `${IN_MAIN}/databases`],
  ['the rename of a database', renamed('log'), 'PATCH', `${IN_MAIN}/databases/log`],
  ['a database whose name is any text', renamed(ODD), 'PATCH', `${IN_MAIN}/databases/*`],
  ['a branch', '{}\n      dev: { from: main }', 'POST', BRANCHES],
];

async function outcome({ apply }: Site): Promise<string> {
  const { result } = await apply();
  return `${result.status}: ${result.steps.map(({ outcome: end }) => end).join(', ')}`;
}

describe.each(STEPS)('%s', (what, main, method, path) => {
  it('is made where the operation ends well', async () => {
    const opened = openSite(account(main));
    expect(await outcome(opened)).toBe('converged: done');
  });

  it.each([
    ['that the reply names', []],
    ['that the reply leaves out', ['no-operations']],
    ['of which the reply says that there is none', ['empty-operations']],
  ] as const)('has failed where the operation does %s', async (_words, hows) => {
    const opened = openSite(account(main));
    const action = what === 'a branch' ? 'create_branch' : 'apply_config';
    opened.controlPlane.setFaults({ rules: [fails(action), ...hows.map((how) => told(method, path, how))] });
    expect(await outcome(opened)).toBe('incomplete: failed');
  });
});

it.each([
  ['a branch', '    branches: { main: {}, dev: { from: main } }\n', 'POST', BRANCHES, 'create_branch'],
  [
    'a reset',
    `    branches: { main: ${MAIN}, old: { from: main, reset: { not_before: 2025-12-31 } } }\n`,
    'POST',
    `${BRANCHES}/br-old-100000/restore`,
    'create_branch',
  ],
  ['a longer history', '    history_retention_seconds: 7d\n', 'PATCH', `/projects/${SHOP}`, 'apply_storage_config'],
])('%s has failed where the log shows its failed operation late', async (_what, entry, method, path, action) => {
  const old = { id: 'br-old-100000', name: 'old', parent_id: MAIN, created_at: '-30d' };
  const { seed, ...options } = shopAccount(entry, { roles: [], databases: [], operationMs: { min: 500, max: 500 } });
  const projects = (seed?.projects ?? []).map((one) => ({ ...one, branches: [...(one.branches ?? []), old] }));
  const opened = openSite({ ...options, seed: { version: 1, projects } });
  opened.controlPlane.setFaults({
    rules: [
      fails(action),
      told(method, path, 'empty-operations'),
      always({ method: 'GET', path: `/projects/${SHOP}/operations` }, { kind: 'list', how: 'lagging', ms: 4000 }),
    ],
  });
  const { result } = await opened.apply({ allow: ['drop:shop/branches/old'] });
  expect([result.status, result.steps.map(({ outcome: end }) => end)]).toEqual(['incomplete', ['failed']]);
});

it.each([
  [2, 'converged: done, done'],
  [99, 'incomplete: done, failed'],
] as const)(
  'what lies on a new branch is looked for again while the service does not know the branch, %i times',
  async (times, end) => {
    const opened = openSite(account('{}\n      dev: { from: main, roles: { extra: {} } }'));
    const roles = { method: 'GET', path: `${BRANCHES}/*/roles`, after: 1 };
    const unknown = refuses(roles, 404, '{"code":"","message":"branch not found"}');
    opened.controlPlane.setFaults({ rules: [{ ...unknown, times }] });
    expect(await outcome(opened)).toBe(end);
  },
);
