// Every action of the console in a real browser, and what the API says of it afterwards.
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

describe.skipIf(skipsBrowser)('the actions of the console', { timeout: 40_000 }, () => {
  let opened: BrowserConsole;
  beforeAll(async () => {
    opened = await openBrowserConsole({ ...QUICK, admin: { token: 'admin-for-tests' } });
  });
  afterEach(async () => {
    await opened.closeTabs();
    await opened.rest();
  });
  afterAll(() => opened?.close());

  /** Forms need no script: only the tests of what is live get the console's. */
  const at = async (path: string, isLive = false): Promise<Page> => {
    const { page } = await opened.signedIn();
    if (!isLive) await page.route('**/console/script-*', (route) => route.abort());
    await page.goto(path);
    return page;
  };
  const follow = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
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

  it('creates a project with all it begins with, edits, deletes and recovers it', async () => {
    const page = await at('/');
    await follow(page, 'Create project');
    expect(await inspect(page, 'new-project')).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill('atelier');
    await page.getByLabel('Region').selectOption('aws-eu-central-1');
    await page.getByLabel('Postgres version').selectOption('16');
    await page.getByLabel('Default branch').fill('trunk');
    await page.getByLabel('Database').fill('works');
    await press(page, 'Create project');
    await said(page, 'Project atelier is being created.');
    const uri = await page.locator('#told-value').textContent();
    expect(uri).toMatch(/^postgresql:\/\/works_owner:npg_\w+@ep-.*\/works\?/);
    expect(await inspect(page, 'project-created')).toEqual([]);
    const id = new URL(page.url()).pathname.split('/')[2] ?? '';
    expect(await project(id)).toMatchObject({ name: 'atelier', region_id: 'aws-eu-central-1', pg_version: 16 });
    expect((await branches(id)).map(({ name }) => name)).toEqual(['trunk']);
    expect(page.url()).not.toContain('npg_');

    await opened.rest();
    await follow(page, 'Edit project');
    await page.getByLabel('Name', { exact: true }).fill('studio');
    await page.getByLabel('History, in seconds').fill('7200');
    await press(page, 'Save project');
    await said(page, 'Project studio is saved.');
    expect(await project(id)).toMatchObject({ name: 'studio', history_retention_seconds: 7200 });

    await opened.rest();
    await follow(page, 'Delete project');
    expect(await inspect(page, 'project-delete')).toEqual([]);
    await press(page, 'Delete project');
    await said(page, 'It can be recovered for seven days.');
    expect(await project(id)).toBeUndefined();
    expect(await inspect(page, 'projects-deleted')).toEqual([]);
    await follow(page, 'Recover studio');
    await press(page, 'Recover project');
    await said(page, 'is recovered.');
    expect(await project(id)).toMatchObject({ name: 'studio' });
  });

  it('makes a branch with a compute and an expiry, a child of it, and shows them as a tree', async () => {
    const page = await at(`/projects/${SHOP}`);
    await follow(page, 'Create branch');
    expect(await inspect(page, 'new-branch')).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill('preview');
    await page.getByLabel('Parent').selectOption({ label: 'staging' });
    await press(page, 'Create branch');
    await said(page, 'Branch preview is being created.');
    await opened.rest();
    const preview = await branchCalled('preview');
    expect(preview?.parent_id).toBe('br-calm-sea-220011');
    expect((await computes()).filter(({ branch_id: id }) => id === preview?.id)).toMatchObject([
      { type: 'read_write' },
    ]);

    await follow(page, 'Create child branch');
    await page.getByLabel('Name', { exact: true }).fill('try-out');
    await page.getByLabel('Expires in').fill('soon');
    await page.getByLabel('With a read-write compute').uncheck();
    await press(page, 'Create branch');
    expect(await page.getByRole('alert').textContent()).toContain('a duration such as');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('try-out');
    expect(await page.getByLabel('With a read-write compute').isChecked()).toBe(false);
    await page.getByLabel('Expires in').fill('2h');
    await press(page, 'Create branch');
    await said(page, 'Branch try-out is being created.');
    await opened.rest();
    const child = await branchCalled('try-out');
    expect(child?.parent_id).toBe(preview?.id);
    expect(Date.parse(String(child?.['expires_at'])) - Date.now()).toBeGreaterThan(7_000_000);

    await page.goto(`/projects/${SHOP}`);
    const path = ['main', 'staging', 'preview', 'try-out'];
    const nested = page.locator(`.tree ${path.map(() => 'li').join(' ')}`);
    expect(await nested.locator('a.name').allTextContents()).toEqual(['try-out']);
    expect(await inspect(page, 'tree')).toEqual([]);
  });

  it('edits, protects, resets, deletes and recovers a branch, and makes another one the default', async () => {
    const page = await at(`/projects/${SHOP}/branches/br-old-river-991122`);
    expect(await inspect(page, 'branch')).toEqual([]);
    await follow(page, 'Edit');
    await page.getByLabel('Name', { exact: true }).fill('develop');
    await page.getByLabel('Protected').check();
    await press(page, 'Save branch');
    await said(page, 'Branch develop is saved.');
    expect(await branchCalled('develop')).toMatchObject({ protected: true });
    expect(await page.getByRole('link', { name: 'Delete', exact: true }).count()).toBe(0);
    await page.getByText('It cannot be deleted: it is a protected branch.').waitFor();
    await page.goto(`${page.url()}/delete`);
    expect(await page.getByRole('button', { name: 'Delete branch' }).count()).toBe(0);
    expect(await inspect(page, 'branch-kept')).toEqual([]);
    await follow(page, 'Back');
    await follow(page, 'Edit');
    await page.getByLabel('Protected').uncheck();
    await page.getByLabel('Expires in').fill('1d');
    await press(page, 'Save branch');
    await said(page, 'Branch develop is saved.');
    expect(await branchCalled('develop')).toMatchObject({
      protected: false,
      ttl_interval_seconds: expect.closeTo(86_400, -1) as number,
    });
    await follow(page, 'Edit');
    await page.getByLabel('Let it never expire').check();
    await press(page, 'Save branch');
    await said(page, 'Branch develop is saved.');
    expect(await branchCalled('develop')).not.toHaveProperty('expires_at');

    await follow(page, 'Reset from parent');
    await page.getByLabel('Keep the old state as branch').fill('develop-before');
    await press(page, 'Reset branch');
    await said(page, 'is being reset.');
    await opened.rest();
    expect(await branchCalled('develop')).toHaveProperty('last_reset_at');
    expect(await branchCalled('develop-before')).toBeDefined();

    await follow(page, 'Make default');
    await press(page, 'Make default');
    await said(page, 'This is the default branch now.');
    expect(await branchCalled('develop')).toMatchObject({ default: true });
    await page.goto(`/projects/${SHOP}/branches/${MAIN}/default`);
    await press(page, 'Make default');
    await said(page, 'This is the default branch now.');

    await page.goto(`/projects/${SHOP}/branches/br-old-river-991122/delete`);
    await press(page, 'Delete branch');
    await said(page, 'It can be recovered for seven days.');
    expect(await branchCalled('develop')).toBeUndefined();
    expect(await inspect(page, 'branch-deleted')).toEqual([]);
    await opened.rest();
    await follow(page, 'Recover develop');
    await press(page, 'Recover branch');
    await said(page, 'The branch is recovered.');
    expect(await branchCalled('develop')).toBeDefined();
  });

  it('creates, edits, moves and deletes a compute', async () => {
    const page = await at(`/projects/${LAB}`);
    await follow(page, 'Create compute');
    expect(await inspect(page, 'new-compute')).toEqual([]);
    // The default branch has a primary: one without is offered.
    expect(await page.getByLabel('Branch').locator('option:checked').textContent()).toContain('staging');
    expect(await page.getByLabel('Type').inputValue()).toBe('read_write');
    await page.getByLabel('Branch').selectOption({ label: 'dev' });
    await page.getByLabel('Minimum size').selectOption('0.5');
    await page.getByLabel('Maximum size').selectOption('2');
    await page.getByLabel('Autosuspend').selectOption('3600');
    await press(page, 'Create compute');
    await said(page, 'is being created.');
    await opened.rest();
    const all = await branches(LAB);
    const idOf = (name: string): string | undefined => all.find((branch) => branch.name === name)?.id;
    const [made] = (await computes(LAB)).filter(({ branch_id: branch }) => branch === idOf('dev'));
    const id = made?.id ?? '';
    const size = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 3600 };
    expect(made).toMatchObject({ type: 'read_write', ...size });

    await page.goto(`/projects/${LAB}/computes/${id}`);
    await follow(page, 'Edit');
    await page.getByLabel('Autosuspend').selectOption('-1');
    await press(page, 'Save compute');
    await said(page, `${id} is changed`);
    await opened.rest();
    expect((await computes(LAB)).find((compute) => compute.id === id)).toMatchObject({
      ...size,
      suspend_timeout_seconds: -1,
      current_state: 'active',
    });
    await page.goto(`/projects/${LAB}/computes/${id}/edit`);
    await press(page, 'Save compute');
    await said(page, `${id} is as it was.`);
    await page.goto(`/projects/${LAB}/computes/${id}/edit`);
    await page.getByLabel('Disabled').check();
    await press(page, 'Save compute');
    await said(page, `${id} is changed`);
    await opened.rest();
    expect((await computes(LAB)).find((compute) => compute.id === id)).toMatchObject({ disabled: true });

    await page.goto(`/projects/${LAB}/computes/${id}/move`);
    await page.getByLabel('To branch').selectOption({ label: 'main' });
    await press(page, 'Move compute');
    expect(await page.getByRole('alert').textContent()).toContain('already has a read_write endpoint');
    await page.getByLabel('To branch').selectOption({ label: 'staging' });
    await press(page, 'Move compute');
    await said(page, 'is being moved');
    await opened.rest();
    expect((await computes(LAB)).find((compute) => compute.id === id)).toMatchObject({ branch_id: idOf('staging') });

    await page.goto(`/projects/${LAB}/computes/${id}/delete`);
    expect(await inspect(page, 'compute-delete')).toEqual([]);
    await press(page, 'Delete compute');
    await said(page, 'is deleted');
    expect((await computes(LAB)).some((compute) => compute.id === id)).toBe(false);
  });

  it('creates a role, tells its password once, resets it and deletes the role', async () => {
    const page = await at(`/projects/${SHOP}/branches/${MAIN}`);
    await follow(page, 'Create role');
    await page.getByLabel('Name', { exact: true }).fill('a/b <i>%2F');
    await press(page, 'Create role');
    await said(page, 'is being created.');
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

    await opened.rest();
    await follow(page, 'Reset password a/b <i>%2F');
    await press(page, 'Reset password');
    await said(page, 'is being reset.');
    const second = await page.locator('#told-value').textContent();
    expect([second === first, second === (await reveal())]).toEqual([false, true]);

    await opened.rest();
    await follow(page, 'Delete a/b <i>%2F');
    await press(page, 'Delete role');
    await said(page, 'is deleted.');
    expect((await roles(MAIN)).map(({ name }) => name)).not.toContain('a/b <i>%2F');
  });

  it('creates a database, renames it, gives it to another owner and deletes it', async () => {
    const page = await at(`/projects/${SHOP}/branches/${MAIN}`);
    await follow(page, 'Create role');
    await page.getByLabel('Name', { exact: true }).fill('clerk');
    await page.getByLabel('Cannot log in').check();
    await press(page, 'Create role');
    await said(page, 'is being created.');
    expect((await roles(MAIN)).find(({ name }) => name === 'clerk')).toMatchObject({
      authentication_method: 'no_login',
    });
    await opened.rest();
    await follow(page, 'Create database');
    await page.getByLabel('Name', { exact: true }).fill('files');
    await page.getByLabel('Owner').selectOption('shop_owner');
    await press(page, 'Create database');
    await said(page, 'Database files is being created.');
    await opened.rest();
    await follow(page, 'Edit files');
    await page.getByLabel('Name', { exact: true }).fill('archive');
    await page.getByLabel('Owner').selectOption('clerk');
    await press(page, 'Save database');
    await said(page, 'Database archive is saved.');
    expect((await databases(MAIN)).find(({ name }) => name === 'archive')).toMatchObject({ owner_name: 'clerk' });
    await opened.rest();
    await follow(page, 'Delete archive');
    await press(page, 'Delete database');
    await said(page, 'is deleted.');
    expect((await databases(MAIN)).map(({ name }) => name)).not.toContain('archive');
  });

  it('shows a connection string, copies it, and tells the password once where it is asked for', async () => {
    const { page } = await opened.signedIn();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/projects/${SHOP}/branches/${MAIN}`);
    await follow(page, 'Connect');
    const query = `role_name=shop_owner&database_name=shopdb&branch_id=${MAIN}`;
    const { uri } = await opened.api<{ uri: string }>(`/projects/${SHOP}/connection_uri?${query}`);
    const open = uri.replace(/:npg_\w+@/, '@');
    expect(open).not.toBe(uri);
    expect(await page.locator('#uri-value').textContent()).toBe(open);
    expect(await page.content()).not.toContain('npg_');
    await page.getByRole('button', { name: 'Copy Connection string' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(open);
    expect(await inspect(page, 'connect')).toEqual([]);

    await page.getByLabel('Through the pooler').check();
    await press(page, 'Show connection string');
    expect(await page.locator('#uri-value').textContent()).toContain('-pooler.');
    await page.getByLabel('Through the pooler').uncheck();
    await press(page, 'Show connection string');
    await press(page, 'Show it with the password');
    expect(await page.locator('#told-value').textContent()).toBe(uri);
    await page.reload();
    expect(await page.content()).not.toContain('npg_');
  });

  it('sets the clock forward, stops it, and makes things go wrong, for who has the admin token', async () => {
    const page = await at('/testing', true);
    expect(await page.getByRole('button', { name: 'Freeze' }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Admin token' }).fill('wrong');
    await press(page, 'Go on');
    expect(await page.getByRole('alert').textContent()).toContain('not the admin token');
    await page.getByRole('textbox', { name: 'Admin token' }).fill('admin-for-tests');
    await press(page, 'Go on');
    const { clock } = opened.served.controlPlane;
    const beforeMs = clock.nowMs();
    await press(page, 'Forward 1 hour');
    await said(page, 'The clock shows');
    expect(clock.nowMs() - beforeMs).toBeGreaterThanOrEqual(3_600_000);
    await page.getByText('By 1h', { exact: true }).waitFor();
    const shows = (): Promise<string | null> => page.locator('#clock time').textContent();
    const shown = await shows();
    await expect.poll(shows, { timeout: 3000 }).not.toBe(shown);
    await press(page, 'Freeze');
    await page.getByText('it is frozen').waitFor();
    expect(clock.state.frozen).toBe(true);
    await follow(page, 'Forward by…');
    await page.getByLabel('Set the clock forward by').fill('soon');
    await press(page, 'Set forward');
    expect(await page.getByRole('alert').textContent()).toContain('a duration such as 90s');
    await page.getByLabel('Set the clock forward by').fill('90s');
    await press(page, 'Set forward');
    await said(page, 'The clock shows');
    await press(page, 'Let it go on');
    expect(clock.state.frozen).toBe(false);

    await follow(page, 'Add a fault');
    await page.getByLabel('A fault').fill('fale,action=start_compute');
    await press(page, 'Add fault');
    expect(await page.getByRole('alert').textContent()).toContain('fault.kind can be');
    await page.getByLabel('A fault').fill('fail,action=suspend_compute,error=no <room>');
    await press(page, 'Add fault');
    await said(page, 'The fault is in force.');
    expect(await inspect(page, 'testing')).toEqual([]);
    expect(opened.served.controlPlane.faults.plan.rules).toHaveLength(1);
    const rules = page.locator('#rules li');
    expect(await rules.first().textContent()).toContain('Has not struck yet.');
    await opened.api(`/projects/${SHOP}/endpoints/ep-quiet-river-700001/suspend`, 'POST');
    await page.getByText('Has struck 1 time: used up.').waitFor();
    await follow(page, 'Add a fault');
    await page.getByLabel('A fault').fill('{"latencyMs": {"min": 1, "max": 2}}');
    await press(page, 'Add fault');
    await page.getByText('{"latencyMs":{"min":1,"max":2}}').waitFor();
    await press(page, 'End all faults');
    await said(page, 'Nothing goes wrong on purpose any more.');
    expect(opened.served.controlPlane.faults.plan).toEqual({});
  });
});
