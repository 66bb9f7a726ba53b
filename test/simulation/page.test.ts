// The README names a test for each fault, and each named test exists.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const tests = join(import.meta.dirname, '..');
const page = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const rows = [...page.matchAll(/^\| (.+?) +\| .*`([^`]+\.(?:ts|txt))` › (.+?) +\|$/gm)].map(
  ([, fault = '', file = '', words = '']) => ({ fault, file, words }),
);

describe('each row of the README', () => {
  it('is read', () => expect(rows.length).toBeGreaterThan(80));

  it.each(rows)('$fault', ({ file, words }) => {
    const text = readFileSync(join(tests, file), 'utf8').replace(/\s+/g, ' ');
    expect(text).toContain(words);
  });
});
