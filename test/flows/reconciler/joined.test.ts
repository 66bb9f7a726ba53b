// A run that ended while the service was still at work: the next one waits for that before it says that all is done.
import { describe, expect, it } from 'vitest';
import type { OperationList, ProjectList } from '../../../src/api/index.ts';
import type { Account, AccountOptions } from './account.ts';
import { shopAccount, withAccount } from './fleet.ts';

/** What an entry of the file asks for, in one project with a running primary. */
const CASES: Readonly<Record<string, string>> = {
  'a new branch': 'branches: { dev: { from: br-main-100000 } }',
  'a new role': 'branches: { main: { roles: { more: {} } } }',
  'a new database': 'branches: { main: { databases: { more: { owner: app } } } }',
  'a role of a new branch': 'branches: { dev: { from: br-main-100000, roles: { more: {} } } }',
  'a renamed database': 'branches: { main: { databases: { more: { owner: app, renamed_from: log } } } }',
  'a database with another owner': 'branches: { main: { databases: { log: { owner: other } } } }',
  'a role that goes': 'branches: { main: { roles: { idle: { state: absent } } } }',
  'a compute of another size': 'computes: { main: { branch_id: br-main-100000, autoscaling_limit_max_cu: 2 } }',
  'a new project':
    'branches: {}\n  new:\n    create: {}\n    branches: { first: { default: true } }\n    computes: { primary: { branch: first } }',
  'a new replica': 'computes: { more: { branch_id: br-main-100000, type: read_only } }',
};

function account(entry: string): AccountOptions {
  return shopAccount(`    ${entry}\n`, {
    roles: ['app', 'other', 'idle'],
    databases: ['log'],
    operationMs: { min: 60_000, max: 60_000 },
  });
}

/** Of all operations that there are. */
async function statuses({ reconciler, clock }: Account): Promise<readonly string[]> {
  const options = { signal: new AbortController().signal };
  const get = async <T extends object>(path: string, shape: Parameters<typeof reconciler.client.get>[1]): Promise<T> =>
    clock.run(reconciler.client.get<T>(path, shape, options));
  const { projects } = await get<ProjectList>('/projects', 'ProjectList');
  const logs = [];
  for (const { id } of projects) logs.push(await get<OperationList>(`/projects/${id}/operations`, 'OperationList'));
  return logs.flatMap(({ operations }) => operations.map(({ status }) => status));
}

describe.each(Object.entries(CASES))('%s', (_what, entry) => {
  it('whose operations outlive their run is waited for by the next one', async () => {
    await withAccount(account(entry), async (one) => {
      const allow = [
        { action: 'drop', address: 'shop/branches/main/roles/idle' },
        { action: 'create', address: 'new' },
      ] as const;
      const hard = new AbortController();
      const { plan, reading } = await one.clock.run(one.reconciler.plan({ desired: one.desired, allow }));
      if (plan === null) throw new Error('there is no plan');
      const killed = await one.apply(undefined, {
        plan,
        reading,
        stop: { soft: hard.signal, hard: hard.signal },
        onEvent: ({ type }) => {
          if (type === 'apply_progress') hard.abort();
        },
      });
      expect(killed.result.status).toBe('interrupted');
      expect(await statuses(one)).toContain('running');
      one.restart();
      const { result, events } = await one.apply();
      expect(result.status).toBe('converged');
      expect(new Set(await statuses(one))).toEqual(new Set(['finished']));
      expect(JSON.stringify(events)).toContain('waiting for ');
    });
  });
});
