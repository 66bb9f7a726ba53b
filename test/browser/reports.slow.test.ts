// The HTML reports in a browser: wide and narrow, dark and light, accessible, inert, and readable without a script.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cleanUp, newFolder } from '../e2e/support/program.ts';
import { fullDesk } from '../outputs/account.ts';
import { clearDesks } from '../outputs/desk.ts';
import { inTurn, sampleOf } from '../support/full-size.ts';
import { HOSTILE, poisoned } from '../unit/render/hostile.ts';
import { markupOf, WORLD } from '../unit/render/every.ts';
import { launchBrowser, skipsBrowser, violationsOf } from './chromium.ts';

let browser: Browser;
const folder = newFolder('reports');
const texts = new Map<string, string>();

beforeAll(async () => {
  if (skipsBrowser) return;
  const at = fullDesk();
  texts.set('result', (await at.run('apply', '--auto-approve', '--local', '--format', 'html')).out);
  for (const [name, text] of Object.entries(markupOf(WORLD)))
    if (name.endsWith('.html')) texts.set(`sample ${name.replace('.html', '')}`, text);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  clearDesks();
  cleanUp();
});

/** Opens the text as a file; `seen` collects what the page asks for, says or refuses. */
type PageOptions = Parameters<Browser['newPage']>[0];
async function open(text: string, options: PageOptions = {}): Promise<{ page: Page; seen: string[] }> {
  const path = join(folder, 'page.html');
  writeFileSync(path, text);
  const page = await browser.newPage(options);
  onTestFinished(() => page.close());
  const seen: string[] = [];
  page.on('console', (message) => seen.push(message.text()));
  page.on('pageerror', (error) => seen.push(error.message));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => seen.push('a dialog')));
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(path).href) seen.push(request.url());
  });
  await page.goto(pathToFileURL(path).href);
  return { page, seen };
}

/** Those that have everything there is to show, and one of a run. */
const NAMES = ['sample plan', 'sample drift', 'sample result', 'result'];
const VIEWS = [
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const;

describe.skipIf(skipsBrowser)('a report', () => {
  it.each(NAMES)('%s: nothing sticks out, nothing is hard to read, wide and narrow, dark and light', async (name) => {
    const { page, seen } = await open(texts.get(name) ?? '');
    // Each report is scanned in one view, in turn.
    const scanned = inTurn(VIEWS, NAMES.indexOf(name));
    for (const view of VIEWS) {
      const { width, colorScheme } = view;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(beyond), `${width} ${colorScheme}`).toBe(0);
      if (scanned.includes(view)) expect(await violationsOf(page), `${width} ${colorScheme}`).toEqual([]);
    }
    expect(seen).toEqual([]);
  });

  it.each(NAMES)('%s says the same without scripts, and loads nothing', async (name) => {
    const text = texts.get(name) ?? '';
    const { page, seen } = await open(text, { javaScriptEnabled: false });
    expect(await page.locator('h1').innerText()).not.toBe('');
    expect(await page.locator('h2').count()).toBeGreaterThan(1);
    expect(await page.locator('script, link, img, iframe, object, form').count()).toBe(0);
    expect(seen).toEqual([]);
  });

  it.each(NAMES)('%s shows all of its text on a narrow screen and on paper', async (name) => {
    const { page } = await open(texts.get(name) ?? '', { viewport: { width: 390, height: 900 } });
    const edges = await page.evaluate<number[]>(
      "[...document.querySelectorAll('main :is(p, h3, li, td), main :is(p, h3, li, td) *')].map((it) => it.getBoundingClientRect().right)",
    );
    expect(edges.length).toBeGreaterThan(3);
    expect(Math.max(...edges)).toBeLessThanOrEqual(390);
    // A sheet of A4 within its margins, of someone whose screen is dark.
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(718);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  });

  it('draws what happened when', async () => {
    const { page } = await open(texts.get('result') ?? '');
    const bars = await page.evaluate<number[]>(
      "[...document.querySelectorAll('svg rect')].map((it) => Math.round(it.getBoundingClientRect().right))",
    );
    expect(bars.length).toBeGreaterThan(3);
    expect(new Set(bars).size).toBeGreaterThan(1);
  });
});

describe.skipIf(skipsBrowser)('hostile names', () => {
  it('stay text in every report', async () => {
    const { page, seen } = await open('<!doctype html><title>reports</title>');
    for (const [kind, text] of sampleOf(Object.entries(HOSTILE), 3)) {
      const pages = Object.entries(markupOf(poisoned(WORLD, text))).filter(([name]) => name.endsWith('.html'));
      for (const [name, markup] of pages) {
        writeFileSync(join(folder, 'page.html'), markup);
        await page.reload();
        expect(await page.locator('h1').count()).toBe(1);
        expect(await page.locator('script, img, iframe, a, form, link').count(), `${kind} in ${name}`).toBe(0);
        expect(seen, `${kind} in ${name}`).toEqual([]);
      }
    }
  });

  it('leave the JUnit report well-formed', async () => {
    const { page } = await open('<!doctype html><title>parser</title>');
    for (const [kind, text] of sampleOf(Object.entries(HOSTILE), 3)) {
      const xml = markupOf(poisoned(WORLD, text))['drift.junit.xml'] ?? '';
      const read = `new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml')`;
      expect(await page.evaluate(`${read}.querySelectorAll('parsererror').length`), kind).toBe(0);
      expect(await page.evaluate(`${read}.querySelectorAll('testcase').length`), kind).toBeGreaterThan(3);
    }
  });
});
