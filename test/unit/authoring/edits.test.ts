// Many edits of one file at once: written, replaced and removed, every other byte as it was.
import { describe, expect, it } from 'vitest';
import { appendItem, setValues, type ValueEdit } from '../../../src/config/edit/edit-file.ts';

const entry = (name: string): string[] => ['projects', 'shop', 'computes', name, 'id'];
const set = (name: string, value: string | undefined): ValueEdit => ({ path: entry(name), value });
const head = 'version: 1\nprojects:\n  shop:\n    computes:\n';

interface Case {
  readonly name: string;
  readonly before: string;
  readonly edits: readonly ValueEdit[];
  readonly after: string;
  readonly refused?: Readonly<Record<number, RegExp>>;
}

const cases: readonly Case[] = [
  {
    name: 'several entries of one file, in block and flow style',
    before: `${head}      a:\n        branch: x # 1\n      b: {branch: y}  # 2\n      c: { branch: z, } # 3\n`,
    edits: [set('a', 'ep-1'), set('b', 'ep-2'), set('c', 'ep-3')],
    after: `${head}      a:\n        branch: x # 1\n        id: ep-1\n      b: {branch: y, id: ep-2}  # 2\n      c: { branch: z, id: ep-3, } # 3\n`,
  },
  {
    name: 'new entries of one mapping, in block style with each entry on a line',
    before: 'version: 1\n',
    edits: [set('a', 'ep-1'), set('b', 'ep-2')],
    after: 'version: 1\nprojects:\n  shop:\n    computes:\n      a: { id: ep-1 }\n      b: { id: ep-2 }\n',
  },
  {
    name: 'removal of a line with its comment',
    before: `${head}      a:\n        branch: x\n        id: ep-1 # old\n        type: read_only\n`,
    edits: [set('a', undefined)],
    after: `${head}      a:\n        branch: x\n        type: read_only\n`,
  },
  {
    name: 'removal of the last line, which has no end',
    before: `${head}      a:\r\n        branch: x\r\n        id: ep-1`,
    edits: [set('a', undefined)],
    after: `${head}      a:\r\n        branch: x`,
  },
  {
    name: 'removal in flow style: first, last, and between',
    before: `${head}      a: { id: ep-1, branch: x }\n      b: {branch: x, id: ep-2}\n      c: { branch: x, id: ep-3, type: read_only }\n`,
    edits: [set('a', undefined), set('b', undefined), set('c', undefined)],
    after: `${head}      a: { branch: x }\n      b: {branch: x}\n      c: { branch: x, type: read_only }\n`,
  },
  {
    name: 'removal of the only member leaves an empty mapping',
    before: `${head}      a:\n        id: ep-1\n      b: { id: ep-2 }\n`,
    edits: [set('a', undefined), set('b', undefined)],
    after: `${head}      a:\n        {}\n      b: {  }\n`,
  },
  {
    name: 'an entry that others merge waits until they have ids of their own',
    before: `${head}      a: &a\n        branch: x\n      b:\n        <<: *a\n        branch: y\n`,
    edits: [set('a', 'ep-1'), set('b', 'ep-2')],
    after: `${head}      a: &a\n        branch: x\n        id: ep-1\n      b:\n        <<: *a\n        branch: y\n        id: ep-2\n`,
  },
  {
    name: 'an entry that another shares is refused, and the rest is done',
    before: `${head}      a: &a { branch: x }\n      b: *a\n      c: { branch: y }\n`,
    edits: [set('a', 'ep-1'), set('b', 'ep-2'), set('c', 'ep-3')],
    after: `${head}      a: &a { branch: x }\n      b: *a\n      c: { branch: y, id: ep-3 }\n`,
    refused: { 0: /alias or a merge key shares/, 1: /alias or a merge key shares/ },
  },
];

describe('setValues', () => {
  it.each(cases)('$name', ({ before, edits, after, refused = {} }) => {
    const result = setValues(before, edits, 4);
    expect(result.text).toBe(after);
    expect(new Set(result.refused.keys())).toEqual(new Set(Object.keys(refused).map(Number)));
    for (const [at, pattern] of Object.entries(refused)) expect(result.refused.get(Number(at))).toMatch(pattern);
  });

  it('edits of one mapping made twice change nothing the second time', () => {
    const edits = [set('a', 'ep-1'), set('b', 'ep-2')];
    const once = setValues(`${head}      a: {}\n      b:\n        branch: x\n`, edits, 4).text;
    expect(setValues(once, edits, 4)).toEqual({ text: once, refused: new Map() });
  });

  it('a member of a list item is replaced in its place', () => {
    const before = 'hold:\n  - { path: a, value: 1 } # known\n  - path: b\n    value: "2"\n';
    const edits = [
      { path: ['hold', 0, 'value'], value: 3 },
      { path: ['hold', 1, 'value'], value: '${x}' },
    ];
    const after = 'hold:\n  - { path: a, value: 3 } # known\n  - path: b\n    value: "$${x}"\n';
    expect(setValues(before, edits, 0)).toEqual({ text: after, refused: new Map() });
  });
});

it('a text that looks like a reference is written as itself', () => {
  expect(appendItem('p:\n  list: [a]\n', ['p', 'list'], '${var:HOME}')).toEqual({
    text: 'p:\n  list: [a, "$${var:HOME}"]\n',
  });
});
