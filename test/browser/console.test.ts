// The console in a real browser: what people do with it, how it looks, who can use it, and what it keeps out.
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../src/control-plane/serve.ts';
import type { Served } from '../../src/control-plane/serve.ts';
import { launchBrowser, skipsBrowser, violationsOf } from './chromium.ts';
import { HOSTILE, HOSTILE_SHOWN, PRIMARY, REPLICA, SHOP, consoleWorld } from './console-world.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const ORDERLY = ['Scheduling', 'In progress', 'OK'];

let browser: Browser;
let served: Served;
const open: BrowserContext[] = [];
const pictures = mkdtempSync(join(tmpdir(), 'console-pictures-'));

interface Tab {
  readonly page: Page;
  /** What the browser complained about: errors of scripts, violations of the content security policy. */
  readonly complaints: string[];
}

async function tab(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: WIDE, baseURL: served.url, ...options });
  context.setDefaultTimeout(8000);
  open.push(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A refused form answers with 4xx, which the browser reports as an error too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return { page, complaints };
}

async function signedIn(options: Parameters<typeof tab>[0] = {}, key: string = served.key): Promise<Tab> {
  const opened = await tab(options);
  await opened.page.goto('/');
  await opened.page.getByLabel('API key').fill(key);
  await opened.page.getByLabel('API key').press('Enter');
  await opened.page.getByRole('heading', { name: 'Projects' }).waitFor();
  return opened;
}

/** How a page is looked at: wide in light, narrow in dark. */
const LOOKS = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: PHONE },
] as const;

/** By how much the page, or a panel in it, is wider than its place. */
const OVERFLOW =
  "Math.max(...[document.documentElement, ...document.querySelectorAll('.panel')].map((it) => it.scrollWidth - it.clientWidth))";

/** Keeps pictures of the page, and says what an accessibility scan finds and what does not fit the screen. */
async function inspect(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.screenshot({ path: join(pictures, `${name}-${viewport.width}-${colorScheme}.png`), fullPage: true });
    const overflow = await page.evaluate<number>(OVERFLOW);
    if (overflow > 0) found.push(`${name} is ${overflow} px too wide for a screen of ${viewport.width}`);
    found.push(...(await violationsOf(page)));
  }
  await page.setViewportSize(WIDE);
  return found;
}

/** The statuses that the newest operation with these words is seen in, until it is OK. */
async function statusesOf(page: Page, words: string): Promise<string[]> {
  const row = page.locator('#operations tbody tr', { hasText: words }).first();
  const seen: string[] = [];
  await expect
    .poll(
      async () => {
        const status = await row.locator('.pill').textContent();
        if (status !== null && seen.at(-1) !== status) seen.push(status);
        return status;
      },
      { timeout: 10_000, interval: 40 },
    )
    .toBe('OK');
  return seen;
}

describe.skipIf(skipsBrowser)('the console in a browser', { timeout: 30_000 }, () => {
  beforeAll(async () => {
    served = await serve({ seed: consoleWorld, operationMs: { min: 400, max: 500 } });
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of open.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  it('signs in with a key, by keyboard alone, and out again', async () => {
    const { page, complaints } = await tab();
    await page.goto('/keys');
    await page.getByLabel('API key').fill('not-a-key');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('not a valid key');
    await page.keyboard.type(served.key);
    await page.keyboard.press('Enter');
    // Led on to where the visit was going.
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    expect(await page.content()).not.toContain(served.key);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
    expect(JSON.stringify(cookies)).not.toContain(served.key);
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
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Name').fill('deploy <b>');
    await page.getByRole('button', { name: 'Create key' }).click();
    const value = await page.locator('#key-value').textContent();
    expect(value).toMatch(/^napi_[a-z0-9]{64}$/);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    expect(await inspect(page, 'key-created')).toEqual([]);
    const projects = async (): Promise<number> =>
      (await fetch(`${served.url}/api/v2/projects`, { headers: { Authorization: `Bearer ${value}` } })).status;
    expect(await projects()).toBe(200);

    await page.reload();
    expect(await page.locator('#key-value').count()).toBe(0);
    expect(await page.content()).not.toContain(value);
    await page.getByText('cannot be viewed again').waitFor();

    await page.getByRole('link', { name: 'Revoke deploy <b>' }).click();
    await page.getByRole('heading', { name: 'Revoke “deploy <b>”?' }).waitFor();
    expect(await projects()).toBe(200);
    expect(await inspect(page, 'key-revoke')).toEqual([]);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText(/^Key \d+ is revoked\.$/).waitFor();
    expect(await projects()).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('edits the size of a compute, and shows the operations live from Scheduling to OK', async () => {
    const { page, complaints } = await signedIn();
    await page.getByRole('link', { name: 'shop' }).click();
    await page.getByRole('link', { name: `Edit size ${REPLICA}` }).click();
    expect(await inspect(page, 'size')).toEqual([]);
    await page.getByLabel('Minimum size').selectOption('4');
    await page.getByLabel('Maximum size').selectOption('2');
    await page.getByRole('button', { name: 'Save size' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('the minimum compute size exceeds the maximum');
    expect(await page.getByLabel('Minimum size').inputValue()).toBe('4');
    await page.getByLabel('Maximum size').selectOption('4');
    await page.getByRole('button', { name: 'Save size' }).click();
    await page.getByText('has a size of 4 CU; 3 operations started.').waitFor();
    const seen = await statusesOf(page, 'Start compute');
    // A busy machine may look too seldom to see each of them; none comes twice or out of order.
    expect(seen).toEqual(ORDERLY.filter((status) => seen.includes(status)));
    expect(seen.length).toBeGreaterThan(1);
    expect(served.controlPlane.truth.compute(REPLICA)).toMatchObject({ minCu: 4, maxCu: 4, currentState: 'active' });
    // Said aloud, for those who cannot see it.
    expect(await page.locator('#said').textContent()).toContain('Start compute: OK');
    expect(complaints).toEqual([]);
  });

  it('starts, restarts and suspends a compute, and keeps the focus while the page changes', async () => {
    const { page } = await signedIn();
    await page.goto(`/projects/${SHOP}`);
    const status = page.locator(`#compute-${PRIMARY} .pill`);
    expect(await status.textContent()).toBe('Idle');
    await page.getByRole('button', { name: `Start ${PRIMARY}` }).click();
    await page.getByText('is starting.').waitFor();
    const size = page.locator(`#size-${PRIMARY}`);
    await size.focus();
    await expect.poll(() => status.textContent(), { timeout: 5000 }).toBe('Active');
    expect(await page.evaluate('document.activeElement.id')).toBe(`size-${PRIMARY}`);

    await page.getByRole('link', { name: `Restart ${PRIMARY}` }).click();
    await page.getByRole('button', { name: 'Restart compute' }).click();
    await page.getByText('Suspending, then starting').waitFor();
    expect(await inspect(page, 'project')).toEqual([]);
    await expect.poll(() => status.textContent(), { timeout: 5000 }).toBe('Active');

    await expect.poll(() => served.controlPlane.truth.operations({ open: true })).toEqual([]);
    await page.getByRole('link', { name: `Suspend ${PRIMARY}` }).click();
    await page.getByRole('button', { name: 'Suspend compute' }).click();
    await expect.poll(() => status.textContent(), { timeout: 5000 }).toBe('Idle');
    expect(await statusesOf(page, 'Suspend compute')).toContain('OK');
  });

  it('is accessible on every other page, in light and dark, on a desk and a phone', async () => {
    const { page } = await tab();
    await page.goto('/projects/x');
    await page.getByLabel('API key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await inspect(page, 'sign-in-refused')).toEqual([]);
    const inside = (await signedIn()).page;
    expect(await inspect(inside, 'projects')).toEqual([]);
    await inside.goto('/keys');
    expect(await inspect(inside, 'keys')).toEqual([]);
    await inside.goto(`/projects/${SHOP}/computes/${PRIMARY}`);
    expect(await inspect(inside, 'compute')).toEqual([]);
    await inside.goto('/projects/missing-one-123456');
    expect(await inspect(inside, 'missing')).toEqual([]);
  });

  it('shows a hostile name as text', async () => {
    const { page, complaints } = await signedIn();
    await page.getByRole('link', { name: '<img src=x' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(HOSTILE_SHOWN);
    expect(page.url()).toContain(HOSTILE);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe(`${HOSTILE_SHOWN} · trueup console`);
    expect(complaints).toEqual([]);
  });

  it('says when the server is lost, can be paused, and leaves with a revoked key', async () => {
    const key = served.controlPlane.issueKey('short-lived').reveal();
    const { page } = await signedIn({}, key);
    await page.goto(`/projects/${SHOP}`);
    const live = page.getByRole('button', { name: 'Live updates' });
    const pauseAndResume = async (): Promise<void> => {
      await live.click();
      expect(await live.getAttribute('aria-pressed')).toBe('false');
      await live.click();
    };
    await page.route('**/live', (route) => route.abort());
    await pauseAndResume();
    await page.getByText('The server does not answer').waitFor();
    await page.unroute('**/live');
    await pauseAndResume();
    await page.getByText('The server does not answer').waitFor({ state: 'hidden' });
    const { id } = served.controlPlane.truth.keys().find(({ name }) => name === 'short-lived') ?? {};
    const headers = { Authorization: `Bearer ${served.key}` };
    await fetch(`${served.url}/api/v2/api_keys/${id}`, { method: 'DELETE', headers });
    await pauseAndResume();
    await page.getByText('Your session has ended').waitFor();
  });

  it('refuses a form that a page of another origin sends', async () => {
    const { page } = await signedIn();
    const before = served.controlPlane.truth.keys().length;
    // Another port of the same host is the same site: the browser sends the cookie along.
    const evil = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<form method="post" action="${served.url}/keys"><input name="name" value="stolen"><button>Win</button></form>`,
      );
    });
    try {
      evil.listen(0, '127.0.0.1');
      await once(evil, 'listening');
      await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}`);
      const sent = page.waitForRequest('**/keys');
      await page.getByRole('button', { name: 'Win' }).click();
      expect(await (await sent).headerValue('cookie')).toContain('console-');
      await page.getByRole('heading', { name: 'This form was refused' }).waitFor();
      expect(served.controlPlane.truth.keys()).toHaveLength(before);
    } finally {
      evil.closeAllConnections();
      evil.close();
    }
  });

  it('works without script', async () => {
    const { page } = await signedIn({ javaScriptEnabled: false });
    await page.goto(`/projects/${SHOP}`);
    expect(await page.locator('#live-toggle').isVisible()).toBe(false);
    await page.getByRole('link', { name: `Restart ${REPLICA}` }).click();
    await page.getByRole('button', { name: 'Restart compute' }).click();
    await page.getByText('is restarting.').waitFor();
    await expect.poll(() => served.controlPlane.truth.operations({ open: true }), { timeout: 5000 }).toEqual([]);
    await page.getByRole('link', { name: 'Refresh' }).click();
    expect(await page.locator(`#compute-${REPLICA} .pill`).textContent()).toBe('Active');
    await page.goto('/keys');
    await page.getByLabel('Name').fill('by form');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.locator('#key-value').textContent()).toMatch(/^napi_/);
    expect(await page.locator('#copy-key').isVisible()).toBe(false);
  });
});
