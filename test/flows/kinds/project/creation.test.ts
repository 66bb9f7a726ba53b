// Projects from nothing: one request each, whatever is lost on the way; what comes with them is matched, not made again.
import { describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../support/site.ts';
import { inShop } from '../../../support/shop.ts';

const ALLOW = ['create:shop', 'create:blog'];
const FILE = `version: 1
projects:
  shop:
    create: { region_id: aws-us-east-2, pg_version: 17 }
    default_endpoint_settings: { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 2 }
    branches:
      production:
        default: true
        protected: true
        roles: { app: {}, readonly: {} }
        databases: { orders: { owner: app }, stock: { owner: app } }
      staging: { from: production }
    computes:
      primary: { branch: production, autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 1 }
      staging: { branch: staging }
  blog:
    create: {}
    branches:
      main: { default: true, roles: { writer: {} }, databases: { posts: { owner: writer } } }
    computes:
      primary: { branch: main }
`;

interface Listed {
  readonly [section: string]: readonly Readonly<Record<string, unknown>>[];
}

function openEmpty(): Site {
  return openSite({ seed: { version: 1, projects: [] } });
}

describe('two projects from an empty account', () => {
  it('are there after one apply, each by one request, and then nothing is to be done', async () => {
    // A busy project would be asked again.
    const site = openSite({ seed: { version: 1, projects: [] }, switches: { locking: 'off' } });
    const { result, plan, writes } = await site.apply(FILE, ALLOW);
    expect(result.status).toBe('converged');
    expect(result.counts.added).toBe(plan.summary.create);
    // What came with them was not made again: two more of everything is all that was.
    expect(writes.map((one) => one.replaceAll(/\/[a-z]+-[^/]+/g, '/…')).toSorted()).toEqual([
      'PATCH /projects/…/branches/…',
      'PATCH /projects/…/endpoints/…',
      'POST /projects',
      'POST /projects',
      'POST /projects/…/branches',
      'POST /projects/…/branches/…/databases',
      'POST /projects/…/branches/…/roles',
      'POST /projects/…/endpoints',
    ]);
    expect((await site.plan(FILE)).steps).toEqual([]);
  });

  it('are asked for with what comes with them, and with the mark of the run', async () => {
    const plan = await openEmpty().plan(FILE, ALLOW);
    const bodies = plan.steps.filter(({ kind }) => kind === 'project').map(({ body }) => body);
    const annotations = { 'trueup.run': { run_id: true } };
    const blog = { name: 'main', role_name: 'writer', database_name: 'posts', annotations };
    const shop = { name: 'production', role_name: 'app', database_name: 'orders', annotations };
    const limits = { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 2 };
    const settings = { region_id: 'aws-us-east-2', pg_version: 17, default_endpoint_settings: limits };
    expect(bodies).toEqual([
      { project: { name: 'blog', branch: blog } },
      { project: { name: 'shop', ...settings, branch: shop } },
    ]);
  });

  it('need a consent of their own, each', async () => {
    const site = openEmpty();
    for (const allow of [[], ['*:*'], ['create:*'], ['create:shop/**']]) {
      const plan = await site.plan(FILE, allow);
      expect(plan.steps).toEqual([]);
    }
    const { result, sent } = await site.apply(FILE, ['create:blog']);
    expect(result.status).toBe('blocked');
    expect(sent.filter((one) => one === 'POST /projects')).toHaveLength(1);
  });
});

describe('the organization of a new project', () => {
  const file = (create: string): string => inShop(`create: ${create}`);
  const open = async (): Promise<{ readonly site: Site; readonly org: string }> => {
    const site = openEmpty();
    const { body } = await site.api('GET', '/users/me/organizations');
    return { site, org: String((body as Listed)['organizations']?.[0]?.['id']) };
  };
  const allow = ['create:shop'];
  const sentFor = async (site: Site, create: string, asked: { readonly orgId?: string } = {}): Promise<unknown> =>
    (await site.plan({ ...asked, file: file(create), allow })).steps.map(
      ({ body }) => (body as { readonly project: { readonly org_id?: string } }).project.org_id,
    );

  it('is that whose projects the run lists', async () => {
    const { site, org } = await open();
    expect(await sentFor(site, '{}')).toEqual([undefined]);
    for (const create of ['{}', `{ org_id: ${org} }`])
      expect(await sentFor(site, create, { orgId: org })).toEqual([org]);
    expect((await site.apply({ file: file('{}'), allow, orgId: org })).result.status).toBe('converged');
    const again = await site.plan({ file: file(`{ org_id: ${org} }`), orgId: org });
    expect(again.changes.map(({ action }) => action)).toEqual(['none']);
  });

  it('is an error where it is another: each run would make one more there', async () => {
    const { site, org } = await open();
    const { plan, diagnostics } = await site.outcome({
      file: file('{ org_id: org-other-12345678 }'),
      allow,
      orgId: org,
    });
    expect([plan?.steps ?? [], diagnostics.map(({ code }) => code)]).toEqual([[], ['other_organization']]);
  });
});

it('a project that was deleted in the declared organization has vanished', async () => {
  const deleted = { id: 'old-shop-100001', name: 'shop', deleted_at: '2026-01-01T00:00:00Z' };
  const site = openSite({
    seed: { version: 1 },
    answers: ({ url, method }) => {
      const { pathname, searchParams } = new URL(url);
      if (method !== 'GET' || !pathname.endsWith('/projects')) return null;
      const isThere = searchParams.get('recoverable') === 'true' && searchParams.get('org_id') === 'org-b-12345678';
      return Response.json({ projects: isThere ? [deleted] : [] });
    },
  });
  const { changes } = await site.plan(inShop('create: { org_id: org-b-12345678 }'), ['create:shop']);
  expect(changes.map(({ blockedBy }) => blockedBy)).toEqual([['vanished']]);
});

describe('a project that nobody allows to be made', () => {
  it('leaves what waits for it to the run that makes it: this one is blocked, not incomplete', async () => {
    const site = openEmpty();
    const file = FILE.replace(
      '      staging: { from: production }\n',
      '        connections: { app: { role: app, database: orders, secret: { file: app.json } } }\n      staging: { from: production }\n',
    );
    const held = await site.apply(file, ['create:blog']);
    expect(held.result).toMatchObject({ status: 'blocked', upkeep: [] });
    const made = await site.apply(file, ALLOW);
    expect(made.result).toMatchObject({ status: 'converged', upkeep: [{ outcome: 'done' }] });
  });
});
