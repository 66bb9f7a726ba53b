// A run that ended while the service was still at work: the next one waits for that before it says that all is done.
import { describe, expect, it } from 'vitest';
import { openSite, type Site, type SiteOptions } from '../../support/site.ts';
import { shopAccount } from './fleet.ts';

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

function account(entry: string): SiteOptions {
  return shopAccount(`    ${entry}\n`, {
    roles: ['app', 'other', 'idle'],
    databases: ['log'],
    operationMs: { min: 60_000, max: 60_000 },
  });
}

/** Of all operations that there are. */
const statuses = ({ controlPlane }: Site): readonly string[] =>
  controlPlane.truth.operations({}).map(({ status }) => status);

describe.each(Object.entries(CASES))('%s', (_what, entry) => {
  it('whose operations outlive their run is waited for by the next one', async () => {
    const one = openSite(account(entry));
    const hard = new AbortController();
    const killed = await one.apply({
      allow: ['drop:shop/branches/main/roles/idle', 'create:new'],
      stop: { soft: hard.signal, hard: hard.signal },
      onEvent: ({ type }) => {
        if (type === 'apply_progress') hard.abort();
      },
    });
    expect(killed.result.status).toBe('interrupted');
    expect(statuses(one)).toContain('running');
    const { result, events } = await one.apply();
    expect(result.status).toBe('converged');
    expect(new Set(statuses(one))).toEqual(new Set(['finished']));
    expect(JSON.stringify(events)).toContain('waiting for ');
  });
});
