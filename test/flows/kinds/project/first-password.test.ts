// The password of the role that comes with a new project: in its place after the one apply, also where nobody can read it again.
import { describe, expect, it } from 'vitest';
import { openSite, STATE } from '../../../support/site.ts';

const fileOf = (create: string): string => `version: 1
projects:
  shop:
    create: { ${create} }
    branches:
      main:
        default: true
        roles: { app: { password: { file: app.json } }, other: { password: { file: other.json } } }
        databases: { orders: { owner: app } }
    computes: { primary: { branch: main } }
`;

interface Kept {
  readonly project: string;
  readonly branch: string;
  readonly role: string;
  readonly password: string;
}

describe('the password of a role that could come with its project', () => {
  it.each([
    ['comes with it, and is read again', '', ['other']],
    ['does not where the service keeps none: a request of its own does', 'store_passwords: false', ['app', 'other']],
  ])('%s', async (_what, create, made) => {
    const site = openSite({ seed: { version: 1, projects: [] } });
    const { result, plan } = await site.apply(fileOf(create), ['create:shop']);
    expect(result.status).toBe('converged');
    const posts = site.controlPlane.ledger().filter(({ path, verb }) => verb === 'POST' && path.endsWith('/roles'));
    expect(posts.map(({ after }) => (after as { readonly name: string }).name)).toEqual(made);
    for (const role of ['app', 'other']) {
      const kept = JSON.parse(site.disk.text(`${STATE}/secrets/${role}.json`) ?? '') as Kept;
      expect(kept).toMatchObject({ role, password: expect.stringMatching(/^npg_/) as string });
      const path = `/projects/${kept.project}/branches/${kept.branch}/roles/${role}/reveal_password`;
      const { status, body } = await site.api('GET', path);
      if (create === '') expect(body).toEqual({ password: kept.password });
      else expect(status).toBe(412);
      expect(JSON.stringify([plan, result])).not.toContain(kept.password);
    }
    const next = await site.plan(fileOf(create), ['create:shop']);
    expect([next.steps, next.upkeep]).toEqual([[], []]);
  });

  it.each(['', 'store_passwords: false'])('is in the connections of that role: { %s }', async (create) => {
    const connection = 'connections: { web: { role: app, database: orders, secret: { file: uri.json } } }';
    const file = fileOf(create).replace(/roles: .*/, `roles: { app: {} }\n        ${connection}`);
    const site = openSite({ seed: { version: 1, projects: [] } });
    expect((await site.apply(file, ['create:shop'])).result.status).toBe('converged');
    const { uri = '', password } = JSON.parse(site.disk.text(`${STATE}/secrets/uri.json`) ?? '{}') as {
      uri?: string;
      password?: string;
    };
    expect([new URL(uri).password, password]).toEqual([expect.stringMatching(/^npg_/), new URL(uri).password]);
    expect((await site.plan(file, ['create:shop'])).upkeep).toEqual([]);
  });

  it('is stored in its connection after a stop, too, where nobody could read it again', async () => {
    const connection = 'connections: { web: { role: app, database: orders, secret: { file: uri.json } } }';
    const file = `${fileOf('store_passwords: false').replace(/roles: .*/, `roles: { app: {} }\n        ${connection}`)}
    permissions: { someone@example.com: {} }
`;
    const site = openSite({ seed: { version: 1, projects: [] } });
    const soft = new AbortController();
    const { result } = await site.apply({
      file,
      allow: ['create:shop'],
      stop: { soft: soft.signal, hard: new AbortController().signal },
      onEvent: (event) => {
        if (event.type === 'apply_complete' && event.address.endsWith('/databases/orders'))
          soft.abort(new Error('stop'));
      },
    });
    expect([result.status, result.upkeep.map(({ outcome }) => outcome)]).toEqual(['interrupted', ['done']]);
    expect(site.disk.text(`${STATE}/secrets/uri.json`)).toContain('npg_');
  });

  it('is not missed in a program that never shows what it holds', async () => {
    const file = fileOf('store_passwords: false').replace(/roles: .*/, 'roles: { app: { password: { exec: vault } } }');
    const site = openSite({ seed: { version: 1, projects: [] } });
    const { result } = await site.apply(file, ['create:shop']);
    expect([result.status, result.upkeep]).toEqual(['converged', []]);
  });
});
