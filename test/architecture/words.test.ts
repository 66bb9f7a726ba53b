// Words: people read plain English. `node test/docs/words.mjs [PATH…]` lists the sentences that break the rule.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Area } from '../docs/sentences.mjs';
import { mostWords, violations, wordViolations } from '../docs/words.mjs';
import { filesBelow, root } from './source-tree.ts';

/** Sentences of each area that break the rule. A number may only go down; an area without one has none. */
const allowed: Readonly<Partial<Record<Area, number>>> = {
  titles: 286,
};

const found = violations();

it.each(['docs', 'help', 'messages', 'schemas', 'server', 'comments', 'titles'] as const)(
  'people read plain English in: %s',
  (wanted) => {
    const lines = found.filter(({ area }) => area === wanted).map(({ line }) => line);
    const most = allowed[wanted] ?? 0;
    if (most === 0) expect(lines).toEqual([]);
    else expect(lines.length).toBeLessThanOrEqual(most);
  },
);

describe('a planted violation is found', () => {
  const planted: readonly (readonly [text: string, says: string])[] = [
    ['The user is told twice.', 'reported'],
    ['The key is made anew.', 're-created'],
    ['What cannot be read is left alone.', 'begins with "What"'],
    ['Of two keys the newest counts.', 'begins with "Of"'],
    [`The ${'long '.repeat(mostWords - 1)}sentence.`, `${mostWords + 1} words`],
  ];
  it.each(planted)('%s', (text, says) => {
    expect(wordViolations({ text, isHeading: false }).join('\n')).toContain(says);
  });

  const fine: readonly (readonly [text: string, isHeading: boolean])[] = [
    ['What is not promised', true],
    ['What does this block mean?', false],
    ['The block `vanished` needs consent.', false],
    ['String and ringing are other words.', false],
  ];
  it.each(fine)('but not in: %s', (text, isHeading) => {
    expect(wordViolations({ text, isHeading })).toEqual([]);
  });
});

describe('the documents for users', () => {
  it('have at most 19,750 words together', () => {
    const folders = ['docs/guides', 'docs/reference', 'docs/explanation'];
    const pages = [
      'README.md',
      'docs/quickstart.md',
      ...folders.flatMap((folder) => filesBelow(folder, '.md').map((path) => `${folder}/${path}`)),
    ];
    const counts = pages.map((path) => wordsIn(readFileSync(join(root, path), 'utf8')));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(19_750);
  });

  it('are counted without code and targets of links', () => {
    expect(wordsIn('Run `trueup plan`: [see the guide](guide.md).\n```sh\ntrueup plan\n```\n')).toBe(5);
  });
});

/** The words that a user reads. Inline code counts as one word. */
function wordsIn(markdown: string): number {
  const prose = markdown
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/`[^`]*`/g, 'x');
  return [...prose.matchAll(/[A-Za-z][\w'’.-]*/g)].length;
}
