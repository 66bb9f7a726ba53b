// A console in a real browser: a server of its own, tabs that note complaints, pictures and scans of pages.
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { serve, type ServeOptions, type Served } from '../../src/control-plane/serve/serve.ts';
import { inTurn } from '../support/full-size.ts';
import { launchBrowser, violationsOf } from './chromium.ts';
import { consoleWorld } from './console-world.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

export interface Tab {
  readonly page: Page;
  /** What the browser complained about: errors of scripts, violations of the content security policy. */
  readonly complaints: string[];
}

type TabOptions = { readonly javaScriptEnabled?: boolean };

export interface BrowserConsole {
  readonly served: Served;
  tab(options?: TabOptions): Promise<Tab>;
  /** A tab of someone who has signed in, with the first key unless told. */
  signedIn(options?: TabOptions, key?: string): Promise<Tab>;
  /** A reply of the API, asked with the first key. */
  api<T>(path: string, method?: string, body?: object): Promise<T>;
  /** Resolves when nothing is under way. */
  rest(): Promise<void>;
  closeTabs(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server with the world of the console's tests, and a browser. */
export async function openBrowserConsole(options: ServeOptions = {}): Promise<BrowserConsole> {
  const served = await serve({ seed: consoleWorld, operationMs: { min: 400, max: 500 }, ...options });
  const browser = await launchBrowser();
  const open: (BrowserContext | Page)[] = [];
  const contextOf = async (more: TabOptions = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: WIDE, baseURL: served.url, ...more });
    context.setDefaultTimeout(8000);
    return context;
  };
  const tabIn = async (context: BrowserContext): Promise<Tab> => {
    const page = await context.newPage();
    open.push(page);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A refused form answers with 4xx, which the browser reports as an error too.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    return { page, complaints };
  };
  const tab = async (more?: TabOptions): Promise<Tab> => {
    const context = await contextOf(more);
    open.push(context);
    return tabIn(context);
  };
  const signIn = async (opened: Tab, key: string): Promise<Tab> => {
    await opened.page.goto('/');
    await opened.page.getByLabel('API key').fill(key);
    await opened.page.getByLabel('API key').press('Enter');
    await opened.page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
    return opened;
  };
  const closeTabs = async (): Promise<void> => {
    for (const each of open.splice(0).toReversed()) await each.close();
  };
  /** Stays signed in with the first key, from one test to the next. */
  let usual: BrowserContext | undefined;
  return {
    served,
    tab,
    signedIn: async (more, key = served.key) => {
      if (more !== undefined || key !== served.key) return signIn(await tab(more), key);
      if (usual !== undefined) {
        const opened = await tabIn(usual);
        await opened.page.goto('/');
        return opened;
      }
      usual = await contextOf();
      return signIn(await tabIn(usual), key);
    },
    api: async <T>(path: string, method = 'GET', body?: object) => {
      const headers = { Authorization: `Bearer ${served.key}`, 'Content-Type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await (await fetch(`${served.url}/api/v2${path}`, { method, headers, ...sent })).json()) as T;
    },
    rest: async () => {
      const open = (): unknown => served.controlPlane.truth.operations({ open: true });
      await expect.poll(open, { timeout: 10_000, interval: 20 }).toEqual([]);
    },
    closeTabs,
    close: async () => {
      await closeTabs();
      await browser.close();
      await served.close();
    },
  };
}

/** Where pictures are kept; unset = none are taken. */
const pictures = process.env['CONSOLE_PICTURES'];

/** How a page is looked at: whether it fits depends on the width alone, and which colours it has on the scheme alone. */
const LOOKS = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: PHONE },
] as const;
/** Every other page is scanned, in one look; at full size each in both. */
const TURNS = LOOKS.flatMap((look) => [look, undefined]);
let inspected = 0;

/** By how much the page, or a panel in it, is wider than its place. */
const OVERFLOW =
  "Math.max(...[document.documentElement, ...document.querySelectorAll('.panel')].map((it) => it.scrollWidth - it.clientWidth))";

/** Says what an accessibility scan of the page finds, and what does not fit the screen. */
export async function inspect(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  const scanned: readonly unknown[] = inTurn(TURNS, inspected++);
  for (const look of LOOKS) {
    const { colorScheme, viewport } = look;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `${name}-${viewport.width}-${colorScheme}.png`), fullPage: true });
    const overflow = await page.evaluate<number>(OVERFLOW);
    if (overflow > 0) found.push(`${name} is ${overflow} px too wide for a screen of ${viewport.width}`);
    if (scanned.includes(look)) found.push(...(await violationsOf(page)));
  }
  await page.setViewportSize(WIDE);
  return found;
}
