// Every renderer's output on a world with something of everything stands as a file that people can read.
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/render/text/width.ts';
import { jsonOf, markdownOf, markupOf, textsOf, WORLD } from './every.ts';
import { expectGolden } from './golden.ts';

const ALL = { ...textsOf(WORLD), ...markdownOf(WORLD), ...markupOf(WORLD), ...jsonOf(WORLD) };

describe('goldens', () => {
  it.each(Object.entries(ALL))('%s', (name, text) => {
    expectGolden(name, text);
    expect(text.endsWith('\n')).toBe(true);
  });

  it.each(['plan.txt', 'plan-verbose.txt', 'drift.txt', 'result.txt', 'frames.txt', 'diagnostics.txt'])(
    '%s stays within 80 columns',
    (name) => {
      const wide = (ALL[name] ?? '').split('\n').filter((line) => columnsOf(line) > 80);
      expect(wide).toEqual([]);
    },
  );
});
