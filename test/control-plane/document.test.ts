// The document's table is kept honest: each row names a test that exists.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../../docs/control-plane.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| (.+?) \| `([\w.-]+)` › (.+?) \|$/gm)].map(
  ([, sentence = '', file = '', name = '']) => [sentence.trim(), file, name.trim()] as const,
);

describe('docs/control-plane.md', () => {
  it('has a row for each sentence', () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows)('%s', (_sentence, file, name) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect([file, name, source.includes(name)]).toEqual([file, name, true]);
  });
});
