// A headless Chromium for the console: found or missed aloud, and the accessibility scan that runs in it.
import { existsSync, readFileSync } from 'node:fs';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

// The headless shell takes a third of the processor time.
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const CANDIDATES = [env['CHROMIUM'], ...PROGRAMS.map((name) => `/usr/bin/${name}`)];
const ARGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

const browserPath = CANDIDATES.find((path) => path !== undefined && existsSync(path));

/** Where `CI` is set a missing browser is a failure; elsewhere its tests are skipped, and say so. */
export const skipsBrowser: boolean = browserPath === undefined && env['CI'] !== 'true';

if (skipsBrowser) console.warn('The browser tests are skipped: no Chromium here (set CHROMIUM to the path of one).');

/** Starts a browser with a new profile of its own. */
export async function launchBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error(`no Chromium at ${CANDIDATES.slice(1).join(', ')}; set CHROMIUM`);
  return chromium.launch({ executablePath: browserPath, args: ARGS.split(' ') });
}

// The minified form: the browser reads it anew for every page.
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }[];
}

/** What an accessibility scan (WCAG 2.2 AA and best practices) finds wrong with the page as it is now. */
export async function violationsOf(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const options = JSON.stringify({ runOnly: tags, resultTypes: ['violations'] });
  const result = await page.evaluate<AxeResult>(`axe.run(document, ${options})`);
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
