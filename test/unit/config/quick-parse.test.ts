// The quick reading against the parser: what it accepts, the parser reads without a complaint into exactly the same tree.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseText } from '../../../src/config/parse.ts';
import { quickParse } from '../../../src/config/quick-parse.ts';
import { createReport } from '../../../src/config/report.ts';
import { entryOf, textFile, toJson, wholeTree, type MapNode, type TreeNode } from '../../../src/config/source-tree.ts';
import { repeatedText, yamlText } from './yaml-texts.ts';

/** Values and places of a tree, in order; what a number is exactly is part of it. */
function outline(node: TreeNode): unknown {
  const place = `${node.start}-${node.end}`;
  if (node.kind === 'scalar') {
    const { value } = node;
    return [place, typeof value, Object.is(value, -0) ? '-0' : String(value)];
  }
  if (node.kind === 'list') return [place, node.items.map(outline)];
  return [place, [...node.entries].map(([name, { key, value }]) => [name, key.start, key.end, outline(value)])];
}

/** The parser's tree; undefined when it finds anything to say. */
function fully(text: string): MapNode | null | undefined {
  const report = createReport();
  const { root, secrets, broken } = parseText({ text: textFile('f', text), variables: new Map(), report });
  return report.diagnostics.length + secrets.length + broken.size > 0 ? undefined : root;
}

/** Whether the text was read quickly; fails when that differs from what the parser reads. */
function readsAlike(text: string): boolean {
  const quick = quickParse(textFile('f', text));
  if (quick === null) return false;
  const full = fully(text);
  expect(full, JSON.stringify(text)).toBeDefined();
  expect(outline(quick), JSON.stringify(text)).toEqual(full && outline(full));
  expect(outline(wholeTree(quick))).toEqual(outline(quick));
  expect(toJson(quick), JSON.stringify(text)).toEqual(full && toJson(full));
  for (const [name, { key, value }] of quick.entries) {
    const entry = entryOf(quick, name);
    expect(entry?.key).toEqual(key);
    expect(entry && outline(entry.value)).toEqual(outline(value));
  }
  expect(entryOf(quick, 'nothing like it')).toBeUndefined();
  return true;
}

/** Entries of one list, each with the same lines around its own. */
function fleetOf(lines: readonly string[]): string {
  return `all:\n  them:\n${lines.map((line, n) => `    e${n}:\n      a: same\n      ${line}\n      b: { c: 1 }\n`).join('')}`;
}

const manyKeys = Array.from({ length: 40 }, (_, n) => `k${n}:\n  k${n}: ${n}\n  k3: { k3: 1 }\n`)
  .join('')
  .replaceAll('  k3: 3\n', '');

describe('the quick reading', () => {
  it('gives exactly the tree of the parser, or leaves the text to it', () => {
    let quick = 0;
    const count = 3000;
    fc.assert(
      fc.property(yamlText, (one) => {
        if (readsAlike(one)) quick++;
      }),
      { numRuns: count },
    );
    // The comparison would be worth nothing if it gave up on most of them.
    expect(quick).toBeGreaterThan(count / 5);
  });

  it('gives it for entries that repeat each other but for a few values, too', () => {
    let quick = 0;
    const count = 1500;
    fc.assert(
      fc.property(repeatedText, (one) => {
        if (readsAlike(one)) quick++;
      }),
      { numRuns: count },
    );
    expect(quick).toBeGreaterThan(count / 5);
  });

  it.each([
    ['block mappings', 'version: 1\nprojects:\n  shop:\n    computes:\n      a: { branch: main }\n'],
    ['comments that stand where the next line stands', '# top\na: 1 # one\n# two\nb:\n  # in\n  c: 2\n'],
    ['empty lines', 'a: 1\n\n\nb:\n\n  c: 2\n\n'],
    ['no line feed at the end', 'a: 1'],
    ['numbers as the core schema reads them', 'a: 0x1F\nb: -0\nc: 1.\nd: +7\ne: 123456789012345678901234567890\n'],
    [
      'the same words and mappings again',
      'a: { x: 1 }\nb: { x: 1 }\nc: 0.25\nd: 0.25\ne: [yes, { x: 1 }, yes]\nf: null\ng: null\n',
    ],
    ['numbers that only look alike', 'a: 1.0\nb: 1\nc: 0.10\nd: 123456789012345.678901234567890\ne: 1e3\n'],
    ['many keys, and the same ones again further in', manyKeys],
    ['entries that differ in one value', fleetOf(['x: 1', 'x: 2', 'x: 30', 'x: 30 # three'])],
    ['entries that go on where the others end', fleetOf(['x: 1', 'x: 2', 'x: 3\n      z: 1', 'x: 4'])],
    ['entries with a mapping within', fleetOf(['x:\n        y: 1', 'x:\n        y: 2', 'x:\n        y: 3', 'x: 4'])],
    [
      'entries of several sorts that take turns',
      fleetOf(['x: 1', 'y: 1', 'z: 1', 'x: 2', 'y: 2', 'z: 2', 'x: 3', 'y: 3']),
    ],
    ['entries that differ within braces', fleetOf(['x: { y: 1 }', 'x: { y: 2 }', 'x: { y: 3 }', 'x: { y: 3 }'])],
    ['flow style and quotes', 'a: ["x, y", \'z\', { b: [1, 2] }]\n'],
  ])('reads %s', (_, one) => {
    expect(readsAlike(one)).toBe(true);
  });

  it.each([
    ['a key twice', 'a: 1\na: 2\n'],
    ['a key twice in an entry like the others', fleetOf(['x: 1', 'x: 2', 'x: 3', 'x: 4\n      a: same'])],
    ['leading zeros in an entry like the others', fleetOf(['x: 1', 'x: 2', 'x: 3', 'x: 007'])],
    ['something deeper after an entry like the others', `${fleetOf(['x: 1', 'x: 2', 'x: 3'])}        y: 1\n`],
    ['a key twice among many', `${Array.from({ length: 40 }, (_, n) => `k${n}: 1\n`).join('')}k3: 2\n`],
    ['a key twice among few', 'a: 1\nb: { a: 1 }\nc: 1\na: 2\n'],
    ['an anchor and its alias', 'a: &x { b: 1 }\nc: *x\n'],
    ['a merge key', 'a:\n  <<: { b: 1 }\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a block text', 'a: |\n  b\n'],
    ['a text over two lines', 'a: b\n  c\n'],
    ['a block list', 'a:\n  - b\n'],
    ['a missing value', 'a:\nb: 1\n'],
    ['two documents', 'a: 1\n---\nb: 1\n'],
    ['a directive', '%YAML 1.2\n---\na: 1\n'],
    ['a reference to a variable', 'a: ${var:x}\n'],
    ['a tab', 'a:\t1\n'],
    ['a carriage return', 'a: 1\r\nb: 2\r\n'],
    ['an escape', 'a: "\\u0041"\n'],
    ['leading zeros', 'a: 007\n'],
    ['a credential', `a: napi_${'x'.repeat(20)}\n`],
    ['something deeper after a value', 'a: 1\n  b: 2\n'],
    ['something between two levels', 'a:\n    b: 1\n  c: 2\n'],
    ['a text without an end', `a: ${'x'.repeat(70_000)}\n`],
    ['mappings within mappings without end', Array.from({ length: 70 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')],
    ['nothing', ''],
  ])('leaves %s to the parser', (_, one) => {
    expect(quickParse(textFile('f', one))).toBeNull();
  });
});
