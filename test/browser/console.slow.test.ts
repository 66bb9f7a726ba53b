// The console in a real browser: what people do with it, how it looks, who can use it, and what it keeps out.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/api/index.ts';
import { STYLE } from '../../src/control-plane/console/page/style.ts';
import { skipsBrowser } from './chromium.ts';
import { inspect, openBrowserConsole, type BrowserConsole, type Tab } from './console-browser.ts';
import { formOf } from './requests.ts';
import { DEEP, HOSTILE, HOSTILE_BRANCH, PRIMARY, SHOP } from './console-world.ts';

const ADMIN = 'admin-for-tests';
const LAB = 'autumn-lab-418822';

describe.skipIf(skipsBrowser)('the console in a browser', { timeout: 120_000 }, () => {
  let opened: BrowserConsole;
  beforeAll(async () => {
    opened = await openBrowserConsole({ admin: { token: ADMIN } });
  });
  afterEach(() => opened.closeTabs());
  afterAll(() => opened?.close());
  const signedIn = (...args: Parameters<BrowserConsole['signedIn']>): Promise<Tab> => opened.signedIn(...args);

  it('signs in with a key, by keyboard alone, and out again', async () => {
    const { page, complaints } = await opened.tab();
    await page.goto('/keys');
    await page.getByLabel('API key').fill('not-a-key');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('not a valid key');
    await page.keyboard.type(opened.served.key);
    await page.keyboard.press('Enter');
    // Led on to where the visit was going.
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    expect(await page.content()).not.toContain(opened.served.key);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
    expect(JSON.stringify(cookies)).not.toContain(opened.served.key);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.getByRole('status').textContent()).toBe('You are signed out.');
    await page.goto('/keys');
    await page.getByLabel('API key').waitFor();
    expect(complaints).toEqual([]);
  });

  it('creates a key, shows it once, and revokes it after a question', async () => {
    const { page, complaints } = await signedIn();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('link', { name: 'Create key', exact: true }).click();
    await page.getByLabel('key_name').fill('deploy <b>');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#told-value').waitFor();
    const value = await page.locator('#told-value').textContent();
    expect(value).toMatch(/^napi_[a-z0-9]{64}$/);
    await page.getByRole('button', { name: /^Copy/ }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    const projects = async (): Promise<number> =>
      (await fetch(`${opened.served.url}/api/v2/projects`, { headers: { Authorization: `Bearer ${value}` } })).status;
    expect(await projects()).toBe(200);

    await page.reload();
    expect(await page.locator('#told-value').count()).toBe(0);
    expect(await page.content()).not.toContain(value);
    await page.getByText('cannot be viewed again').waitFor();

    await page.getByRole('link', { name: 'Revoke deploy <b>' }).click();
    await page.getByRole('heading', { name: 'Revoke a key' }).waitFor();
    expect(await projects()).toBe(200);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Done: Revoke a key').waitFor();
    expect(await projects()).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('keeps the focus while the page changes', async () => {
    const { page } = await signedIn();
    await page.goto(`/projects/${SHOP}`);
    const status = page.locator(`#compute-${PRIMARY} .pill`);
    expect(await status.textContent()).toBe('Idle');
    await page.getByRole('link', { name: `Start ${PRIMARY}`, exact: true }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.goto(`/projects/${SHOP}`);
    const edit = page.locator(`#updateProjectEndpoint-${SHOP}-${PRIMARY}`);
    await edit.focus();
    await expect.poll(() => status.textContent()).toBe('Active');
    // Said aloud, for those who cannot see it.
    await expect.poll(() => page.locator('#said').textContent()).toContain('Start compute: OK');
    expect(await page.evaluate('document.activeElement.id')).toBe(`updateProjectEndpoint-${SHOP}-${PRIMARY}`);
  });

  const BRANCH = `/projects/${SHOP}/branches/br-wispy-meadow-118737`;
  /** One page of each kind: those of the same kind differ in their words alone. */
  const PAGES = [
    ['projects', '/'],
    ['project', `/projects/${SHOP}`],
    ['branch', BRANCH],
    ['hostile branch', `/projects/${HOSTILE}/branches/${HOSTILE_BRANCH}`],
    ['compute', `/projects/${SHOP}/computes/${PRIMARY}`],
    ['keys', '/keys'],
    ['log', '/log'],
    ['reference', '/reference'],
    ['testing', '/testing'],
    ['form', formOf('createProjectEndpoint', { project_id: SHOP })],
    ['question', formOf('deleteProject', { project_id: SHOP })],
    ['missing', '/projects/missing-one-123456'],
  ] as const;

  it('is accessible on each kind of page, in light and dark, on a desk and a phone', async () => {
    const { page } = await opened.tab();
    await page.goto('/projects/x');
    await page.getByLabel('API key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await inspect(page, 'sign-in-refused')).toEqual([]);
    const inside = (await signedIn()).page;
    await inside.goto('/testing');
    await inside.getByLabel('admin_token').fill(ADMIN);
    await inside.getByRole('button', { name: 'Enter', exact: true }).click();
    await inside.getByRole('button', { name: 'Freeze' }).waitFor();
    for (const [name, path] of PAGES) {
      await inside.goto(path);
      expect(await inspect(inside, name)).toEqual([]);
    }
  });

  it('draws a deep tree on a phone: each branch as wide as it can be read', async () => {
    const { page } = await signedIn();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/projects/${DEEP}`);
    const nodes = "[...document.querySelectorAll('.node')].map((node) => node.clientWidth)";
    const widths = await page.evaluate<number[]>(nodes);
    expect(widths).toHaveLength(14);
    expect(Math.min(...widths)).toBeGreaterThan(160);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(beyond)).toBe(0);
    await page.getByRole('link', { name: 'level 13' }).focus();
    const box = await page.getByRole('link', { name: 'level 13' }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(390);
  });

  it('is used by keyboard alone: a compute is made and deleted', async () => {
    const { page } = await signedIn();
    const { keyboard } = page;
    const focused =
      "(document.activeElement.id || document.activeElement.name) + ' ' + document.activeElement.textContent.trim().slice(0, 30)";
    /** Tabs on to what has this id or name, or begins with these words, and is seen to have the focus. */
    const tabTo = async (wanted: string): Promise<void> => {
      for (let count = 0; count < 120; count += 1) {
        const at = await page.evaluate<string>(focused);
        if (at.split(' ')[0] === wanted || at.slice(at.indexOf(' ') + 1).startsWith(wanted)) {
          expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
          return;
        }
        await keyboard.press('Tab');
      }
      throw new Error(`no way to ${wanted} by the keyboard`);
    };
    const enter = async (wanted: string, then: RegExp): Promise<void> => {
      await tabTo(wanted);
      await keyboard.press('Enter');
      await page.getByText(then).first().waitFor();
    };
    const ofLab = async (): Promise<Endpoint | undefined> => {
      const { endpoints } = await opened.api<{ endpoints: Endpoint[] }>(`/projects/${LAB}/endpoints`);
      return endpoints.find(({ id }) => id !== 'ep-bright-forest-654321');
    };
    await enter('lab', /Create branch/);
    await enter('Create compute', /endpoint.branch_id/);
    await tabTo('endpoint.branch_id');
    await keyboard.type('br-still-lake-330022');
    await tabTo('endpoint.autoscaling_limit_min_cu');
    await keyboard.type('0.5');
    await tabTo('endpoint.type');
    await keyboard.type('read_write');
    await enter('confirm', /Done: /);
    await opened.rest();
    const made = await ofLab();
    expect(made).toMatchObject({ branch_id: 'br-still-lake-330022', autoscaling_limit_min_cu: 0.5 });
    await enter('Delete', /for good/);
    await enter('confirm', /Done: /);
    await opened.rest();
    expect(await ofLab()).toBeUndefined();
  });

  it('says when the server is lost, can be paused, and leaves with a revoked key', async () => {
    const key = opened.served.controlPlane.issueKey('short-lived').reveal();
    const { page } = await signedIn({}, key);
    await page.goto(`/projects/${SHOP}`);
    const live = page.getByRole('button', { name: 'Live updates' });
    const pauseAndResume = async (): Promise<void> => {
      await live.click();
      expect(await live.getAttribute('aria-pressed')).toBe('false');
      await live.click();
    };
    await page.route(`**/projects/${SHOP}`, (route) => route.abort());
    await pauseAndResume();
    await page.getByText('The server does not answer').waitFor();
    await page.unroute(`**/projects/${SHOP}`);
    await pauseAndResume();
    await page.getByText('The server does not answer').waitFor({ state: 'hidden' });
    const { id } = opened.served.controlPlane.truth.keys().find(({ name }) => name === 'short-lived') ?? {};
    await opened.api(`/api_keys/${id}`, 'DELETE');
    await page.getByText('Your session has ended').waitFor();
  });

  it('refuses a form that a page of another origin sends', async () => {
    const { page } = await signedIn();
    const before = opened.served.controlPlane.truth.keys().length;
    // Another port of the same host is the same site: the browser sends the cookie along.
    const evil = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      const field = '<input name="key_name" value="stolen"><button>Win</button>';
      response.end(`<form method="post" action="${opened.served.url}/requests/createApiKey">${field}</form>`);
    });
    try {
      evil.listen(0, '127.0.0.1');
      await once(evil, 'listening');
      await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}`);
      const sent = page.waitForRequest('**/requests/createApiKey');
      await page.getByRole('button', { name: 'Win' }).click();
      expect(await (await sent).headerValue('cookie')).toContain('console-');
      await page.getByRole('heading', { name: 'This form was refused' }).waitFor();
      expect(opened.served.controlPlane.truth.keys()).toHaveLength(before);
    } finally {
      evil.closeAllConnections();
      evil.close();
    }
  });

  it('looks as the documents show it', async () => {
    const root = new URL('../../', import.meta.url);
    const [picture, document] = [new URL('docs/console.png', root), new URL('README.md', root)];
    const { page } = await signedIn();
    const branch = { name: 'preview-142', expires_at: new Date(Date.now() + 86_400_000).toISOString() };
    const asked = { branch: { ...branch, parent_id: 'br-calm-sea-220011' }, endpoints: [{ type: 'read_write' }] };
    await opened.rest();
    await opened.api(`/projects/${SHOP}/branches`, 'POST', asked);
    await page.goto(`/projects/${SHOP}`);
    await page.setViewportSize({ width: 1280, height: 990 });
    const taken = await page.screenshot({ type: 'png' });
    // What it looks like follows from the style sheet and these words; times and ids are others in each picture.
    const shown = 'nav a, h1, h2, th[scope=col], #main > .head .button, .section-head .button';
    const words = await page.locator(shown).allTextContents();
    const look = createHash('sha256').update(STYLE).update(JSON.stringify(words)).digest('hex').slice(0, 12);
    const told = readFileSync(document, 'utf8');
    if (env['UPDATE'] === '1') {
      writeFileSync(picture, taken);
      writeFileSync(document, told.replace(/(<!-- look) \w* /, `$1 ${look} `));
    }
    const kept = readFileSync(picture);
    expect(kept.byteLength).toBeLessThan(160_000);
    expect(kept.subarray(0, 24)).toEqual(taken.subarray(0, 24));
    const isOld = 'the picture is old: UPDATE=1 takes it anew';
    expect(readFileSync(document, 'utf8'), isOld).toContain(`<!-- look ${look} `);
  });
});
