// Keys of organizations: made with their project in one apply, never moved, kept apart from the account's.
import { describe, expect, it } from 'vitest';
import { refuses } from '../../../support/faults.ts';
import { openSite, type Site } from '../../../support/site.ts';
import { ID as PROJECT, shopOf } from '../../../support/shop.ts';

const OTHER = shopOf({
  name: 'other',
  id: 'calm-lake-100001',
  branches: [{ id: 'br-calm-lake-100001', name: 'main', default: true }],
});

async function open(): Promise<{ readonly site: Site; readonly org: string }> {
  const site = openSite({ seed: { version: 1, projects: [shopOf(), OTHER] } });
  const { body } = await site.api('GET', '/users/me/organizations');
  return {
    site,
    org: (body as { readonly organizations: readonly { readonly id: string }[] }).organizations[0]?.id ?? '',
  };
}

const keyed = (org: string, lines: string, more = ''): string =>
  `version: 1\norg_api_keys:\n  deploy: { org: ${org}, ${lines} }\n${more}`;

async function listed(site: Site, org: string): Promise<unknown> {
  const { body } = await site.api('GET', `/organizations/${org}/api_keys`);
  return (body as readonly Readonly<Record<string, unknown>>[]).map(({ name, project_id: project }) => [
    name,
    project ?? null,
  ]);
}

describe('a key of an organization', () => {
  it('is made, stored, and then nothing is to be done', async () => {
    const { site, org } = await open();
    const file = keyed(org, 'secret: { file: deploy.json }');
    const { result, plan } = await site.apply(file);
    expect(plan.steps.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', `/organizations/${org}/api_keys`, { key_name: 'deploy' }],
    ]);
    expect(result.status).toBe('converged');
    expect(await listed(site, org)).toEqual([['deploy', null]]);
    expect((await site.plan(file)).steps).toEqual([]);
    expect(JSON.stringify(plan)).not.toMatch(/napi_|"key":/);
  });

  it.each([
    ['org_api_keys/prod-*', ['protect']],
    ['org_api_keys/test-*', []],
    ['api_keys/prod-*', []],
  ])('is protected by its name whatever the file calls it: by %s', async (pattern, blocks) => {
    const { site, org } = await open();
    await site.api('POST', `/organizations/${org}/api_keys`, { key_name: 'prod-org' });
    const safety = `safety: { protect: ["${pattern}"] }\n`;
    const plan = await site.plan(keyed(org, 'name: prod-org, state: absent', safety), ['revoke:org_api_keys/*']);
    expect(plan.changes.map(({ action, blockedBy }) => [action, blockedBy])).toEqual([['revoke', blocks]]);
  });

  it('opens a project that the same apply makes, and waits for it', async () => {
    const { site, org } = await open();
    const file = keyed(org, 'project: blog, secret: { file: deploy.json }', 'projects: { blog: { create: {} } }\n');
    const { plan, result } = await site.apply(file, ['create:blog']);
    const [key] = plan.steps.filter(({ kind }) => kind === 'org_api_key');
    expect(key?.body).toEqual({ key_name: 'deploy', project_id: { ref: 'blog', field: 'id' } });
    expect(key?.needs).toEqual(['create:blog']);
    expect(result.status).toBe('converged');
    const { body } = await site.api('GET', '/projects');
    const made = (body as { readonly projects: readonly Readonly<Record<string, unknown>>[] }).projects.find(
      ({ name }) => name === 'blog',
    );
    expect(await listed(site, org)).toEqual([['deploy', made?.['id']]]);
    expect((await site.plan(file)).steps).toEqual([]);
  });

  it('opens a project that is only named, by its label or its id', async () => {
    const { site, org } = await open();
    for (const [project, more] of [
      ['shop', 'projects: { shop: {} }\n'],
      [PROJECT, ''],
    ] as const) {
      const plan = await site.plan(keyed(org, `project: ${project}, secret: { file: deploy.json }`, more));
      expect(plan.steps.map(({ body }) => body)).toEqual([{ key_name: 'deploy', project_id: PROJECT }]);
    }
  });

  it('is never moved to another project or organization', async () => {
    const { site, org } = await open();
    await site.apply(keyed(org, `project: ${PROJECT}, secret: { file: deploy.json }`));
    const plan = await site.plan(keyed(org, 'project: calm-lake-100001, secret: { file: deploy.json }'));
    expect(plan.steps).toEqual([]);
    expect(plan.changes.map(({ blockedBy }) => blockedBy)).toEqual([['immutable']]);
  });

  it.each([
    ['target: its own address', { target: ['org_api_keys/deploy'] }, ['deploy']],
    ['target: another key', { target: ['org_api_keys/other'] }, ['other']],
    ['target: the section', { target: ['org_api_keys/*'] }, ['deploy', 'other']],
    ['exclude: its own address', { exclude: ['org_api_keys/deploy'] }, ['other']],
    ['exclude: the section', { exclude: ['org_api_keys/**'] }, []],
  ] as const)('is selected by %s', async (_what, selection, keys) => {
    const { site, org } = await open();
    const two = keyed(org, 'secret: { file: deploy.json }', `  other: { org: ${org}, secret: { file: other.json } }\n`);
    const { plan } = await site.outcome({ file: two, ...selection });
    expect(plan?.steps.map(({ address }) => address)).toEqual(keys.map((name) => `org_api_keys/${name}`));
  });

  it.each([403, 404])(
    'is unread, with the words of the service and a way on, where its organization refuses its list: %i',
    async (status) => {
      const { site, org } = await open();
      const body = JSON.stringify({ code: '', message: 'only administrators see keys' });
      const when = { method: 'GET', path: '/organizations/*/api_keys' };
      site.controlPlane.setFaults({ rules: [refuses(when, status, body)] });
      const file = keyed(
        org,
        'secret: { file: deploy.json }',
        'projects: { shop: { settings: { block_vpc_connections: true } } }\n',
      );
      const { plan, result } = await site.apply(file, ['access:shop']);
      expect(plan.steps.map(({ address }) => address)).toEqual(['shop']);
      expect(plan.unread.map(({ what }) => what)).toEqual(['org_api_keys/deploy']);
      for (const words of [String(status), 'only administrators see keys', `an administrator of ${org}`, '--exclude'])
        expect(plan.unread[0]?.reason).toContain(words);
      expect([result.status, result.steps.map(({ outcome }) => outcome)]).toEqual(['incomplete', ['done']]);
    },
  );

  describe('beside those of an organization that refuses its list', () => {
    const ELSEWHERE = 'org-other-1';
    const two = (org: string, lines = 'secret: { file: deploy.json }'): string =>
      keyed(org, lines, `  theirs: { org: ${ELSEWHERE}, secret: { file: theirs.json } }\n`);

    async function refusing(): ReturnType<typeof open> {
      const opened = await open();
      const when = { method: 'GET', path: `/organizations/${ELSEWHERE}/api_keys` };
      opened.site.controlPlane.setFaults({ rules: [refuses(when, 403)] });
      return opened;
    }

    it('is made and read back, and those stay unread', async () => {
      const { site, org } = await refusing();
      const { plan, result, sent } = await site.apply(two(org));
      expect(plan.steps.map(({ address }) => address)).toEqual(['org_api_keys/deploy']);
      expect(plan.changes.map(({ address }) => address)).toEqual(['org_api_keys/deploy']);
      expect(plan.unread.map(({ what }) => what)).toEqual(['org_api_keys/theirs']);
      expect([result.status, result.steps.map(({ outcome }) => outcome)]).toEqual(['incomplete', ['done']]);
      expect(await listed(site, org)).toEqual([['deploy', null]]);
      const asked = sent.filter((request) => request.startsWith('GET /organizations/'));
      expect(new Set(asked)).toEqual(new Set([org, ELSEWHERE].map((id) => `GET /organizations/${id}/api_keys`)));
      const again = await site.plan(two(org));
      expect([again.steps, again.unread.map(({ what }) => what)]).toEqual([[], ['org_api_keys/theirs']]);
    });

    it.each([
      { target: ['org_api_keys/deploy'], exclude: [] },
      { target: [], exclude: ['org_api_keys/theirs'] },
    ])('is all that is read where it is all that is selected: %j', async (selection) => {
      const { site, org } = await refusing();
      const { plan } = await site.outcome({ file: two(org), ...selection });
      expect([plan?.steps.map(({ address }) => address), plan?.unread]).toEqual([['org_api_keys/deploy'], []]);
    });
  });

  it('of an organization that the service does not show is unread', async () => {
    const { site } = await open();
    const plan = await site.plan(keyed('org-other-1', 'secret: { file: deploy.json }'));
    expect([plan.steps, plan.unread.map(({ what }) => what)]).toEqual([[], ['org_api_keys/deploy']]);
  });
});
