// The forms of the console in a real browser, and the answers of the API afterwards.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Branch, Database, Endpoint, ProjectListItem, Role } from '../../src/api/index.ts';
import { skipsBrowser } from './chromium.ts';
import { inspect, openBrowserConsole, type BrowserConsole } from './console-browser.ts';
import { SHOP } from './console-world.ts';

const MAIN = 'br-wispy-meadow-118737';
const LAB = 'autumn-lab-418822';
/** Operations that are over at once leave no time to wait for. */
const QUICK = { operationMs: { min: 20, max: 40 } };

describe.skipIf(skipsBrowser)('the forms of the console', { timeout: 120_000 }, () => {
  let opened: BrowserConsole;
  beforeAll(async () => {
    opened = await openBrowserConsole({ ...QUICK, admin: { token: 'admin-for-tests' } });
  });
  afterEach(async () => {
    await opened.closeTabs();
    await opened.rest();
  });
  afterAll(() => opened?.close());

  /** Forms need no script: only the tests of live parts get the script. */
  const at = async (path: string, isLive = false): Promise<Page> => {
    const { page } = await opened.signedIn();
    if (!isLive) await page.route('**/console/script-*', (route) => route.abort());
    await page.goto(path);
    return page;
  };
  const follow = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const fill = async (page: Page, values: Record<string, string>): Promise<void> => {
    for (const [name, value] of Object.entries(values)) {
      const field = page.getByLabel(name, { exact: true });
      if ((await page.locator(`select[id="${name}"]`).count()) > 0) await field.selectOption(value);
      else await field.fill(value);
    }
  };
  /** Sends the form of the page, and waits for the page that follows. */
  const send = async (page: Page, values: Record<string, string> = {}): Promise<void> => {
    await fill(page, values);
    await page.locator('#confirm').click();
    await page.locator('.notice', { hasText: 'Done: ' }).waitFor();
    await opened.rest();
  };
  const said = async (page: Page, text: string | RegExp): Promise<void> =>
    page.locator('.notice').filter({ hasText: text }).first().waitFor();

  const project = async (id: string): Promise<ProjectListItem | undefined> =>
    (await opened.api<{ project?: ProjectListItem }>(`/projects/${id}`)).project;
  const branches = async (id: string = SHOP): Promise<readonly Branch[]> =>
    (await opened.api<{ branches: Branch[] }>(`/projects/${id}/branches`)).branches;
  const branchCalled = async (name: string): Promise<Branch | undefined> =>
    (await branches()).find((branch) => branch.name === name);
  const computes = async (id: string = SHOP): Promise<readonly Endpoint[]> =>
    (await opened.api<{ endpoints: Endpoint[] }>(`/projects/${id}/endpoints`)).endpoints;
  const roles = async (branch: string): Promise<readonly Role[]> =>
    (await opened.api<{ roles: Role[] }>(`/projects/${SHOP}/branches/${branch}/roles`)).roles;
  const databases = async (branch: string): Promise<readonly Database[]> =>
    (await opened.api<{ databases: Database[] }>(`/projects/${SHOP}/branches/${branch}/databases`)).databases;

  it('creates a project with all that it begins with, edits, deletes and recovers it', async () => {
    const page = await at('/');
    await follow(page, 'Create project');
    expect(await inspect(page, 'new-project')).toEqual([]);
    await fill(page, {
      'project.name': 'atelier',
      'project.region_id': 'aws-eu-central-1',
      'project.pg_version': '16',
    });
    await page.getByText('project.branch', { exact: true }).click();
    await send(page, { 'project.branch.name': 'trunk', 'project.branch.database_name': 'works' });
    expect(await page.locator('#told-value').textContent()).toMatch(
      /^postgresql:\/\/works_owner:npg_\w+@ep-.*\/works\?/,
    );
    expect(await inspect(page, 'project-created')).toEqual([]);
    const id = new URL(page.url()).pathname.split('/')[2] ?? '';
    expect(await project(id)).toMatchObject({ name: 'atelier', region_id: 'aws-eu-central-1', pg_version: 16 });
    expect((await branches(id)).map(({ name }) => name)).toEqual(['trunk']);
    expect(page.url()).not.toContain('npg_');

    await follow(page, 'Edit');
    expect(await page.getByLabel('project.name', { exact: true }).inputValue()).toBe('atelier');
    await send(page, { 'project.name': 'studio', 'project.history_retention_seconds': '7200' });
    expect(await project(id)).toMatchObject({ name: 'studio', history_retention_seconds: 7200 });
    await follow(page, 'Delete');
    expect(await inspect(page, 'project-delete')).toEqual([]);
    await send(page);
    expect(await project(id)).toBeUndefined();
    expect(await inspect(page, 'projects-deleted')).toEqual([]);
    await follow(page, 'Recover studio');
    await send(page);
    expect(await project(id)).toMatchObject({ name: 'studio' });
  });

  it('makes a branch with a compute, a child with an expiry, and shows them as a tree', async () => {
    const page = await at(`/projects/${SHOP}`);
    await follow(page, 'Create branch');
    expect(await inspect(page, 'new-branch')).toEqual([]);
    await page.getByText('endpoints.0', { exact: true }).click();
    await send(page, {
      'branch.name': 'preview',
      'branch.parent_id': 'br-calm-sea-220011',
      'endpoints.0.type': 'read_write',
    });
    const preview = await branchCalled('preview');
    expect(preview?.parent_id).toBe('br-calm-sea-220011');
    expect((await computes()).filter(({ branch_id: id }) => id === preview?.id)).toMatchObject([
      { type: 'read_write' },
    ]);

    await page.goto(`/projects/${SHOP}`);
    await follow(page, 'Create branch');
    await fill(page, { 'branch.name': 'try-out', 'branch.parent_id': preview?.id ?? '', 'branch.expires_at': 'soon' });
    await page.locator('#confirm').click();
    expect(await page.getByRole('alert').textContent()).toContain('Nothing was done');
    expect(await page.getByLabel('branch.name', { exact: true }).inputValue()).toBe('try-out');
    expect(await inspect(page, 'branch-refused')).toEqual([]);
    await send(page, { 'branch.expires_at': '2h' });
    const child = await branchCalled('try-out');
    expect(child?.parent_id).toBe(preview?.id);
    expect(Date.parse(String(child?.['expires_at'])) - Date.now()).toBeGreaterThan(7_000_000);

    await page.goto(`/projects/${SHOP}`);
    const path = ['main', 'staging', 'preview', 'try-out'];
    const nested = page.locator(`.tree ${path.map(() => 'li').join(' ')}`);
    expect(await nested.locator('a.name').allTextContents()).toEqual(['try-out']);
    expect(await inspect(page, 'tree')).toEqual([]);
  });

  it('edits, restores, deletes and recovers a branch', async () => {
    const page = await at(`/projects/${SHOP}/branches/br-old-river-991122`);
    expect(await inspect(page, 'branch')).toEqual([]);
    await page.locator('#actions').getByRole('link', { name: 'Edit', exact: true }).click();
    await send(page, { 'branch.name': 'develop', 'branch.expires_at': '1d' });
    expect(await branchCalled('develop')).toMatchObject({
      ttl_interval_seconds: expect.closeTo(86_400, -1) as number,
    });
    await page.locator('#actions').getByRole('link', { name: 'Edit', exact: true }).click();
    await send(page, { 'branch.expires_at': 'null' });
    expect(await branchCalled('develop')).not.toHaveProperty('expires_at');
    await follow(page, 'Restore');
    await send(page, { source_branch_id: MAIN, preserve_under_name: 'develop-before' });
    expect(await branchCalled('develop')).toHaveProperty('last_reset_at');
    expect(await branchCalled('develop-before')).toBeDefined();
    await page.locator('#actions').getByRole('link', { name: 'Delete', exact: true }).click();
    await send(page);
    expect(await branchCalled('develop')).toBeUndefined();
    expect(await inspect(page, 'branch-deleted')).toEqual([]);
    await follow(page, 'Recover develop');
    await send(page);
    expect(await branchCalled('develop')).toBeDefined();
  });

  it('creates, edits, moves and deletes a compute', async () => {
    const page = await at(`/projects/${LAB}`);
    await follow(page, 'Create compute');
    expect(await inspect(page, 'new-compute')).toEqual([]);
    await send(page, {
      'endpoint.branch_id': 'br-warm-brook-330023',
      'endpoint.type': 'read_write',
      'endpoint.autoscaling_limit_min_cu': '0.5',
      'endpoint.autoscaling_limit_max_cu': '2',
    });
    const id = new URL(page.url()).pathname.split('/')[4] ?? '';
    const made = async (): Promise<Endpoint | undefined> => (await computes(LAB)).find((one) => one.id === id);
    expect(await made()).toMatchObject({ autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2 });
    await follow(page, 'Edit');
    await fill(page, { 'endpoint.branch_id': 'br-misty-field-330021' });
    await page.locator('#confirm').click();
    expect(await page.getByRole('alert').textContent()).toContain('already has a read_write endpoint');
    await send(page, { 'endpoint.branch_id': 'br-still-lake-330022', 'endpoint.suspend_timeout_seconds': '-1' });
    expect(await made()).toMatchObject({ branch_id: 'br-still-lake-330022', suspend_timeout_seconds: -1 });
    await follow(page, 'Delete');
    expect(await inspect(page, 'compute-delete')).toEqual([]);
    await send(page);
    expect(await made()).toBeUndefined();
  });

  it('creates a role and a database of it, shows the password once, and deletes both', async () => {
    const page = await at(`/projects/${SHOP}/branches/${MAIN}`);
    await follow(page, 'Create role');
    await send(page, { 'role.name': 'a/b <i>%2F' });
    const reveal = async (): Promise<string> => {
      const path = `/projects/${SHOP}/branches/${MAIN}/roles/${encodeURIComponent('a/b <i>%2F')}/reveal_password`;
      return (await opened.api<{ password: string }>(path)).password;
    };
    const first = await page.locator('#told-value').textContent();
    expect(first).toBe(await reveal());
    expect(page.url()).not.toContain(first ?? '-');
    expect(await inspect(page, 'role-created')).toEqual([]);
    await page.reload();
    expect(await page.content()).not.toContain(first);
    await page.getByText('cannot be viewed again').waitFor();
    await follow(page, 'Reset password a/b <i>%2F');
    await send(page);
    const second = await page.locator('#told-value').textContent();
    expect([second === first, second === (await reveal())]).toEqual([false, true]);

    await follow(page, 'Create database');
    await send(page, { 'database.name': 'files', 'database.owner_name': 'a/b <i>%2F' });
    await follow(page, 'Edit files');
    await send(page, { 'database.name': 'archive', 'database.owner_name': 'shop_owner' });
    expect((await databases(MAIN)).find(({ name }) => name === 'archive')).toMatchObject({ owner_name: 'shop_owner' });
    await follow(page, 'Delete archive');
    await send(page);
    expect((await databases(MAIN)).map(({ name }) => name)).not.toContain('archive');
    await follow(page, 'Delete a/b <i>%2F');
    await send(page);
    expect((await roles(MAIN)).map(({ name }) => name)).not.toContain('a/b <i>%2F');
  });

  it('shows a connection string, copies it, and shows the password once where it is asked for', async () => {
    const { page } = await opened.signedIn();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/projects/${SHOP}/branches/${MAIN}`);
    const query = `role_name=shop_owner&database_name=shopdb&branch_id=${MAIN}`;
    const { uri } = await opened.api<{ uri: string }>(`/projects/${SHOP}/connection_uri?${query}`);
    const open = uri.replace(/:npg_\w+@/, '@');
    expect(open).not.toBe(uri);
    expect(await page.locator('#uri-0-value').textContent()).toBe(open);
    expect(await page.content()).not.toContain('npg_');
    await page.getByRole('button', { name: 'Copy Connection string' }).first().click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(open);
    await page
      .getByRole('link', { name: /^With the password/ })
      .first()
      .click();
    expect(await inspect(page, 'connect')).toEqual([]);
    await page.locator('#confirm').click();
    await page.locator('#told-value').waitFor();
    expect(await page.locator('#told-value').textContent()).toBe(uri);
    await page.reload();
    expect(await page.content()).not.toContain('npg_');
  });

  it('shows requests and changes in the log as they come', async () => {
    const page = await at('/log', true);
    await opened.api(`/projects/${SHOP}/endpoints/ep-quiet-river-700001/restart`, 'POST');
    await page.locator('#requests').getByText(`/endpoints/ep-quiet-river-700001/restart`).first().waitFor();
    await page.locator('#ledger').getByText('connections dropped').first().waitFor();
    expect(await inspect(page, 'log')).toEqual([]);
    await follow(page, 'API');
    expect(await inspect(page, 'reference')).toEqual([]);
  });

  it('changes the clock, the faults and the switches for whoever has the admin token', async () => {
    const page = await at('/testing', true);
    expect(await page.getByRole('button', { name: 'Freeze' }).count()).toBe(0);
    await page.getByLabel('admin_token').fill('wrong');
    await press(page, 'Enter');
    expect(await page.getByRole('alert').textContent()).toContain('not the admin token');
    await page.getByLabel('admin_token').fill('admin-for-tests');
    await press(page, 'Enter');
    const { controlPlane } = opened.served;
    const { clock } = controlPlane;
    const beforeMs = clock.nowMs();
    await press(page, 'Forward 1h');
    await said(page, 'The clock shows');
    expect(clock.nowMs() - beforeMs).toBeGreaterThanOrEqual(3_600_000);
    const shows = (): Promise<string | null> => page.locator('#clock-part time').textContent();
    const shown = await shows();
    await expect.poll(shows, { timeout: 3000 }).not.toBe(shown);
    await press(page, 'Freeze');
    await page.getByText('it is frozen').waitFor();
    expect(clock.state.frozen).toBe(true);
    await page.getByLabel('advance').fill('soon');
    await press(page, 'Set forward');
    expect(await page.getByRole('alert').textContent()).toContain('a duration such as 90s');
    await page.getByLabel('advance').fill('90s');
    await press(page, 'Set forward');
    await said(page, 'The clock shows');
    await press(page, 'Let it go on');
    await said(page, 'The clock shows');
    expect(clock.state.frozen).toBe(false);

    await page.getByLabel('fault', { exact: true }).fill('fale,action=start_compute');
    await press(page, 'Add fault');
    expect(await page.getByRole('alert').textContent()).toContain('fault.kind can be');
    await page.getByLabel('fault', { exact: true }).fill('fail,action=suspend_compute,error=no <room>');
    await press(page, 'Add fault');
    await said(page, 'The fault is in force.');
    expect(await inspect(page, 'testing')).toEqual([]);
    expect(await page.locator('#rules li').first().textContent()).toContain('Has not struck yet.');
    await opened.api(`/projects/${SHOP}/endpoints/ep-quiet-river-700001/suspend`, 'POST');
    await page.getByText('Has struck 1 time: used up.').waitFor();
    await press(page, 'End all faults');
    await said(page, 'No fault is in force any more.');
    expect(controlPlane.faults.plan).toEqual({});

    await page.locator('#switch-restartBody').getByRole('button', { name: 'no_content' }).click();
    await said(page, 'The switch is set: restartBody=no_content.');
    expect(controlPlane.engine.switches.restartBody).toBe('no_content');
    expect(
      await page
        .locator('#switch-restartBody')
        .getByRole('button', { name: 'no_content' })
        .getAttribute('aria-pressed'),
    ).toBe('true');
  });
});
