// Links: every relative link leads to a file, every anchor to a heading, every cited API rule to a row.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, root } from './source-tree.ts';

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].filter((path) => existsSync(join(root, path))),
  ...['docs', 'examples', 'test'].flatMap((folder) => filesBelow(folder, '.md').map((path) => `${folder}/${path}`)),
];

describe('documents', () => {
  it('are found', () => {
    expect(documents).toContain('CONTRIBUTING.md');
  });

  it.each(documents)('%s has no dead link', (path) => {
    expect(deadLinks(path, readFileSync(join(root, path), 'utf8'))).toEqual([]);
  });
});

describe('API rules', () => {
  const page = readFileSync(join(root, 'docs/reference/api-rules.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+\.\d+) +\|/gm)].map(([, number = '']) => number);
  const sections = [...page.matchAll(/^## (\d+) /gm)].map(([, number = '']) => number);

  it('are numbered in order', () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(sections).toEqual(sections.map((_, at) => `${at + 1}`));
    const expected = sections.flatMap((section) =>
      rows.filter((row) => row.startsWith(`${section}.`)).map((_, at) => `${section}.${at + 1}`),
    );
    expect(rows).toEqual(expected);
  });

  it('exist where a comment cites them', () => {
    const files = ['src', 'test'].flatMap((folder) => filesBelow(folder, '.ts').map((path) => `${folder}/${path}`));
    const cited = files.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/api-rules ((?:\d+(?:\.\d+)?(?:, | to )?)+)/g)].flatMap(
        ([, numbers = '']) => numbers.split(/, | to /).map((number) => ({ path, number })),
      ),
    );
    expect(cited.length).toBeGreaterThan(25);
    expect(cited.filter(({ number }) => ![...rows, ...sections].includes(number))).toEqual([]);
  });
});

describe('a dead link is found', () => {
  const links: readonly (readonly [link: string, isDead: boolean])[] = [
    ['LICENSE', false],
    ['docs/architecture.md', false],
    ['docs/architecture.md#the-rules', false],
    ['https://example.org/nowhere', false],
    ['docs/nowhere.md', true],
    ['docs/architecture.md#no-such-heading', true],
    ['#no-such-heading', true],
  ];
  it.each(links)('%s', (link, isDead) => {
    expect(deadLinks('README.md', `# Title\n\n[text](${link})\n`)).toEqual(isDead ? [link] : []);
  });

  it('but not inside a code block', () => {
    expect(deadLinks('README.md', '```md\n[text](nowhere.md)\n```\n')).toEqual([]);
  });
});

function deadLinks(path: string, text: string): string[] {
  const prose = text.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(<?([^()\s>]+(?:\([^()\s]*\))?)>?(?:\s+"[^"]*")?\)/g)].map(
    (match) => match[1] ?? '',
  );
  const sources = [...prose.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  return [...links, ...sources].filter((link) => isDead(path, text, link));
}

function isDead(path: string, text: string, link: string): boolean {
  if (/^[a-z][a-z+.-]*:/i.test(link)) return false;
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? path : join(dirname(path), decodeURI(target));
  if (target !== '' && !existsSync(join(root, file))) return true;
  if (anchor === undefined || !file.endsWith('.md')) return false;
  return !anchors(target === '' ? text : readFileSync(join(root, file), 'utf8')).has(anchor);
}

/** The anchors that GitHub gives to the headings of a document. */
function anchors(markdown: string): Set<string> {
  const prose = markdown.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, '');
  const found = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let name = slug;
    for (let copy = 1; found.has(name); copy++) name = `${slug}-${copy}`;
    found.add(name);
  }
  return found;
}
