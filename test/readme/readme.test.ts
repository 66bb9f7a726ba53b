// The README is true: its YAML is written to files, its commands run, and their output is what it shows. UPDATE=1 rewrites it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testClock } from '../support/fake-io.ts';
import { requestLocal, seedLocalWorld } from '../support/local-world.ts';
import { replay } from '../support/transcript.ts';

const path = join(import.meta.dirname, '../../README.md');
const BLOCK = /^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

it('every console block of the README prints what it shows', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-readme-'));
  const clock = testClock();
  seedLocalWorld({ cwd, clock });
  const text = readFileSync(path, 'utf8');
  let actual = '';
  let end = 0;
  try {
    let seed = 1;
    for (const match of text.matchAll(BLOCK)) {
      const [whole, language = '', file, body = ''] = match;
      let replacement = whole;
      if (language === 'yaml' && file !== undefined) writeFileSync(join(cwd, file), body);
      if (language === 'console') {
        const commands = { api: async (words: readonly string[]) => requestLocal({ cwd, clock }, words) };
        replacement = `\`\`\`console\n${await replay(body, { cwd, clock, seed, commands })}\`\`\``;
        seed += 100;
      }
      actual += text.slice(end, match.index) + replacement;
      end = match.index + whole.length;
    }
    actual += text.slice(end);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  if (process.env['UPDATE'] === '1') writeFileSync(path, actual);
  else expect(actual).toBe(text);
});

it('shows the figures of the newest benchmark, and no others', () => {
  const figuresOf = (file: string): string | undefined =>
    /<!-- figures -->\n([\s\S]*?)<!-- \/figures -->/.exec(
      readFileSync(join(import.meta.dirname, '../..', file), 'utf8'),
    )?.[1];
  expect(figuresOf('README.md')).toContain('- After ');
  expect(figuresOf('README.md')).toBe(figuresOf('docs/performance.md'));
});
