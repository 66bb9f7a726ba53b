// Runs one test file with the sizes of a campaign; says what it counted, and writes that into the document on request.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const DOCUMENT = path('docs/control-plane.md');

/** The numbers with commas of thousands, as the documents write them. */
export const count = (number) => Math.round(number).toLocaleString('en-US');

/**
 * `sizes(size)` are environment variables that the test reads; its short form is what it does without them. `words` makes
 * a sentence of what it counted. On the command line: a size of one's own, and `--figures` to put the sentence into the document.
 */
export function runCampaign({ name, testFile, size, sizes, words }) {
  const { values, positionals } = parseArgs({ options: { figures: { type: 'boolean' } }, allowPositionals: true });
  const folder = mkdtempSync(join(tmpdir(), 'campaign-'));
  const file = join(folder, 'figures.json');
  const begunMs = performance.now();
  const { status } = spawnSync(process.execPath, [path('node_modules/vitest/vitest.mjs'), 'run', testFile], {
    cwd: path('.'),
    env: { ...process.env, ...sizes(positionals[0] ?? size), TRUEUP_FIGURES: file },
    stdio: 'inherit',
  });
  const seconds = (performance.now() - begunMs) / 1000;
  if (status === 0) {
    const line = `- **${name}**: ${words(JSON.parse(readFileSync(file, 'utf8')))} (${Math.round(seconds)} s).`;
    console.log(line);
    if (values.figures === true) writeLine(name, line);
  } else console.log(`${name}: failed after ${seconds.toFixed(1)} s`);
  rmSync(folder, { recursive: true });
  process.exitCode = status ?? 1;
}

/** Puts the line in the place of the one with the same name. */
function writeLine(name, line) {
  const text = readFileSync(DOCUMENT, 'utf8');
  const lines = text.split('\n');
  const at = lines.findIndex((other) => other.startsWith(`- **${name}**:`));
  if (at === -1) throw new Error(`docs/control-plane.md has no line for the figures of ${name}`);
  writeFileSync(DOCUMENT, lines.with(at, line).join('\n'));
}
