// Hostile text in every field of every value comes out inert from every renderer.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonOf, markdownOf, markupOf, textsOf, WORLD } from './every.ts';
import type { World } from './every.ts';
import { expectGolden } from './golden.ts';
import { HOSTILE, poisoned } from './hostile.ts';

const ACTIVE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/u;
const RUNNER_COMMAND = /^\s*::\S|##[a-z]*\[/im;

const CORPUS = Object.entries(HOSTILE);

function expectInert(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    expect(ACTIVE.exec(text)?.[0], `${name} keeps an active character`).toBeUndefined();
    expect(RUNNER_COMMAND.exec(text)?.[0], `${name} keeps a runner command`).toBeUndefined();
  }
}

describe.each(CORPUS)('%s', (name, text) => {
  const world: World = poisoned(WORLD, text);

  it('is inert in text, Markdown, HTML and JSON', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    expectInert(textsOf(world));
    expectInert(markdownOf(world));
    expectInert(markupOf(world));
    expectInert(jsonOf(world));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  it('reads as in the golden file', () => {
    expectGolden(`hostile-${name.split(' ')[0]}.txt`, textsOf(world)['plan.txt'] ?? '');
    expectGolden(`hostile-${name.split(' ')[0]}.md`, markdownOf(world)['plan.md'] ?? '');
  });

  it('survives in JSON exactly', () => {
    const { result } = world;
    const parsed = JSON.parse(jsonOf(world)['result.json'] ?? '') as { steps: { address: string }[] };
    expect(parsed.steps.map(({ address }) => address)).toEqual(result.steps.map(({ address }) => address));
  });

  it('brings no element, attribute or image into a page', () => {
    for (const page of Object.values(markupOf(world))) {
      expect(page).not.toMatch(/<script|<img|<iframe|<a\b|<[a-z]+[^>]*\son[a-z]+=|<[a-z]+[^>]*\s(?:href|src)=/i);
      expect(page.length).toBeLessThan(400_000);
    }
  });
});

describe('properties', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(...CORPUS.map(([, text]) => text.slice(0, 500))),
    fc
      .array(
        fc.constantFrom('`', '```', '\n', '</details>', '|', '::', '<b>', '"', "'", '\\', '\\|', ' ', '@a', '𝔸', '漢'),
        {
          maxLength: 12,
        },
      )
      .map((parts) => parts.join('')),
  );

  it('no name adds a line to the plan, its log or its tables', () => {
    const named = (text: string): World => ({
      ...WORLD,
      plan: {
        ...WORLD.plan,
        changes: renamed(WORLD.plan.changes, text),
        unmanaged: renamed(WORLD.plan.unmanaged, text),
      },
      operations: WORLD.operations.map((operation) => ({ ...operation, action: text, projectId: text })),
      keys: WORLD.keys.map((key) => ({ ...key, name: text })),
    });
    const lines = (world: World): Record<string, number> => {
      const texts = textsOf(world);
      const names = ['plan.txt', 'keys.txt', 'operations.txt', 'operations.log.txt'];
      return Object.fromEntries(names.map((name) => [name, (texts[name] ?? '').split('\n').length]));
    };
    const plain = lines(named('plain'));
    fc.assert(
      fc.property(anyText, (text) => {
        // A long name may push what follows it onto the next line, which begins with blanks; it never makes more of them.
        const counts = lines(named(text));
        for (const [name, count] of Object.entries(counts)) {
          if (name === 'plan.txt') expect(forged(textsOf(named(text))[name] ?? '')).toEqual([]);
          else expect(count).toBe(plain[name]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('no text anywhere closes a fence or a folded section', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const page of Object.values(markdownOf(poisoned(WORLD, text)))) expectBalanced(page);
      }),
      { numRuns: 60 },
    );
  });

  it('no text anywhere makes an element of its own in HTML', () => {
    const tags = (page: string): string => [...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag).join(' ');
    // Texts of several lines are shown as a diff in a `pre`; everything else a page may hold stands in the plain one.
    const plain = Object.values(markupOf(poisoned(WORLD, 'two\nlines'))).map(tagSet);
    function tagSet(page: string): string[] {
      return [...new Set(tags(page).split(' '))];
    }
    fc.assert(
      fc.property(anyText, (text) => {
        Object.values(markupOf(poisoned(WORLD, text))).forEach((page, at) => {
          expect(tagSet(page).filter((tag) => plain[at]?.includes(tag) !== true)).toEqual([]);
        });
      }),
      { numRuns: 60 },
    );
  });
});

function renamed<T extends { readonly address: string }>(items: readonly T[], text: string): T[] {
  return items.map((item, at) => ({ ...item, address: `${text}/${at}`, name: text, resourceId: text, id: text }));
}

/** Lines at the left edge that are none of ours. */
function forged(text: string): string[] {
  const ours =
    /^(?:$| {2}|Due|Blocked|Held|Not |Attention|Plan: 2 to add, 15 to change, 1 to destroy\.$|> |trueup\.yaml:)/;
  return text.split('\n').filter((line) => !ours.test(line));
}

function expectBalanced(page: string): void {
  let fence: string | undefined;
  let open = 0;
  let cells = 0;
  for (const line of page.split('\n')) {
    const ticks = /^(`{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      else if (ticks !== undefined && /^`+\s*$/.test(line)) expect(ticks.length).toBeLessThan(fence.length);
      continue;
    }
    if (line.startsWith('| ')) {
      const bars = line.split('|').length;
      cells = cells === 0 ? bars : cells;
      expect(bars).toBe(cells);
    } else cells = 0;
    if (ticks !== undefined) fence = ticks;
    else if (line.startsWith('<details>')) open++;
    else if (line === '</details>') open--;
  }
  expect(fence).toBeUndefined();
  expect(open).toBe(0);
}
