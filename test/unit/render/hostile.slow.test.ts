// Hostile text in every field of every value comes out inert from every renderer.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../support/property-runs.ts';
import { jsonOf, markdownOf, markupOf, textsOf, WORLD, type World } from './every.ts';
import { HOSTILE, poisoned } from './hostile.ts';
import { activeIn, livelyIn, livelyInMarkdown } from './laws.ts';

const CORPUS = Object.entries(HOSTILE);

function expectInert(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) expect(activeIn(text), name).toBeUndefined();
}

describe.each(CORPUS)('%s', (_, text) => {
  const world: World = poisoned(WORLD, text);

  it('is inert in text, Markdown, HTML and JSON', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    expectInert(textsOf(world));
    expectInert(markdownOf(world));
    expectInert(markupOf(world));
    expectInert(jsonOf(world));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  it('survives in JSON exactly', () => {
    const { result } = world;
    const parsed = JSON.parse(jsonOf(world)['result.json'] ?? '') as { steps: { address: string }[] };
    expect(parsed.steps.map(({ address }) => address)).toEqual(result.steps.map(({ address }) => address));
  });

  it('brings no element, link or mention into a page of Markdown', () => {
    for (const page of Object.values(markdownOf(world))) expect(livelyInMarkdown(page)).toBeUndefined();
  });

  it('brings no element, attribute or image into a page', () => {
    for (const page of Object.values(markupOf(world))) {
      expect(livelyIn(page)).toBeUndefined();
      expect(page.length).toBeLessThan(400_000);
    }
  });
});

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

it('properties no name adds a line to the plan, its log or its tables', () => {
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
    return Object.fromEntries(names.map((name) => [name, (texts[name] ?? '').match(/^\S/gm)?.length ?? 0]));
  };
  const plain = lines(named('plain'));
  // What a table has no room for stands below its row, further in.
  fc.assert(
    fc.property(anyText, (text) => {
      // A long name may push what follows it onto the next line, which begins with blanks; it never makes more of them.
      const counts = lines(named(text));
      for (const [name, count] of Object.entries(counts)) {
        if (name === 'plan.txt') expect(forged(textsOf(named(text))[name] ?? '')).toEqual([]);
        else expect(count).toBe(plain[name]);
      }
    }),
    runs(60),
  );
});

function renamed<T extends { readonly address: string }>(items: readonly T[], text: string): T[] {
  return items.map((item, at) => ({ ...item, address: `${text}/${at}`, name: text, resourceId: text, id: text }));
}

/** Lines at the left edge that are none of ours. */
function forged(text: string): string[] {
  const ours =
    /^(?:$| {2}|Due|Blocked|Held|Not |Warning|(?:Account|Files {2}|Hash {3}) {2}|Plan: 2 to add, 15 to change, 1 to destroy\.$|> |trueup\.yaml:)/;
  return text.split('\n').filter((line) => !ours.test(line));
}
