// Edits of a user's file: exactly the wanted change, every other byte as it was.
import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { appendItem, setValues } from '../../../src/config/edit/edit-file.ts';
import { runs } from '../../support/property-runs.ts';

const P = ['projects', 'shop', 'computes', 'p'];
const ID = 'ep-cool-darkness-123456';

interface Case {
  readonly name: string;
  readonly before: string;
  readonly after: string | { readonly problem: RegExp };
}

/** The text with one value written, or why it cannot be. */
function setValue(before: string, path: readonly (string | number)[], value: string): object {
  const { text, refused } = setValues(before, [{ path, value }], 0);
  return refused.size === 0 ? { text } : { problem: refused.get(0) };
}

const set = (before: string): unknown => setValue(before, [...P, 'id'], ID);

describe('setValues writes an id', () => {
  const head = 'version: 1\nprojects:\n  shop:\n    computes:\n';
  const cases: readonly Case[] = [
    {
      name: 'block mapping: after the last line, with its indentation',
      before: `${head}      p:\n        # the main one\n        branch: main # never move\n\n      # the next\n      q: {}\n`,
      after: `${head}      p:\n        # the main one\n        branch: main # never move\n        id: ${ID}\n\n      # the next\n      q: {}\n`,
    },
    {
      name: 'block mapping that ends with a nested one',
      before: `${head}      p:\n        branch: main\n        settings:\n          pg_settings:\n            work_mem: 64MB # big\n# end`,
      after: `${head}      p:\n        branch: main\n        settings:\n          pg_settings:\n            work_mem: 64MB # big\n        id: ${ID}\n# end`,
    },
    {
      name: 'no final newline',
      before: `${head}      p:\n        branch: main`,
      after: `${head}      p:\n        branch: main\n        id: ${ID}`,
    },
    {
      name: 'CRLF and a byte order mark',
      before: '\ufeff' + `${head}      p:\n        branch: main\n`.replaceAll('\n', '\r\n'),
      after: '\ufeff' + `${head}      p:\n        branch: main\n        id: ${ID}\n`.replaceAll('\n', '\r\n'),
    },
    {
      name: 'flow mapping',
      before: `${head}      p: {branch: main,  type: read_write}  # x\n`,
      after: `${head}      p: {branch: main,  type: read_write, id: ${ID}}  # x\n`,
    },
    { name: 'empty flow mapping', before: `${head}      p: {}\n`, after: `${head}      p: { id: ${ID} }\n` },
    {
      name: 'flow mapping over lines, with a trailing comma and a comment',
      before: `${head}      p: {\n        branch: main, # here\n      }\n`,
      after: `${head}      p: {\n        branch: main, id: ${ID}, # here\n      }\n`,
    },
    { name: 'nothing written', before: `${head}      p: # soon\n`, after: `${head}      p: { id: ${ID} } # soon\n` },
    {
      name: 'only a merge key',
      before: `version: 1\nprofiles: { a: &a { disabled: true } }\nprojects:\n  shop:\n    computes:\n      p:\n        <<: *a\n`,
      after: `version: 1\nprofiles: { a: &a { disabled: true } }\nprojects:\n  shop:\n    computes:\n      p:\n        id: ${ID}\n        <<: *a\n`,
    },
    {
      name: 'an alias as the last value of a flow mapping',
      before: `version: 1\nprofiles: { a: &a { work_mem: 1MB } }\nprojects: { shop: { computes: { p: { settings: *a } } } }\n`,
      after: `version: 1\nprofiles: { a: &a { work_mem: 1MB } }\nprojects: { shop: { computes: { p: { settings: *a, id: ${ID} } } } }\n`,
    },
    {
      name: 'a compute that is an alias',
      before: `version: 1\nx: &a { branch: main }\nprojects: { shop: { computes: { p: *a } } }\n`,
      after: { problem: /alias/ },
    },
    {
      name: 'an old id in quotes',
      before: `${head}      p:\n        id: 'ep-old-1' # pinned\n        branch: main\n`,
      after: `${head}      p:\n        id: '${ID}' # pinned\n        branch: main\n`,
    },
    {
      name: 'an old plain id',
      before: `${head}      p: { id: ep-old-1, branch: main }\n`,
      after: `${head}      p: { id: ${ID}, branch: main }\n`,
    },
    { name: 'a variable id', before: `${head}      p:\n        id: \${var:ID}\n`, after: { problem: /variable/ } },
    {
      name: 'a block scalar as the last value',
      before: `${head}      p:\n        name: |\n          a\n          b\n\n# tail\n`,
      after: `${head}      p:\n        name: |\n          a\n          b\n        id: ${ID}\n\n# tail\n`,
    },
    {
      name: 'parents are created',
      before: 'version: 1\nprojects:\n  shop:\n    id: shop-1\n',
      after: `version: 1\nprojects:\n  shop:\n    id: shop-1\n    computes: { p: { id: ${ID} } }\n`,
    },
    { name: 'a file that cannot be read', before: 'a: [\n', after: { problem: /read/ } },
    { name: 'a scalar above', before: 'version: 1\nprojects: 5\n', after: { problem: /projects is not a mapping/ } },
  ];
  it.each(cases)('$name', ({ before, after }) => {
    if (typeof after === 'string') expect(set(before)).toEqual({ text: after });
    else expect(set(before)).toEqual({ problem: expect.stringMatching(after.problem) as string });
  });
});

describe('appendItem adds a hold', () => {
  const hold = { path: 'disabled', value: true, until: '2026-12-01', reason: 'see INC-1: later' };
  const written = '{ path: disabled, value: true, until: 2026-12-01, reason: "see INC-1: later" }';
  const cases: readonly Case[] = [
    {
      name: 'no lifecycle yet',
      before: 'p:\n  branch: main\n',
      after: `p:\n  branch: main\n  lifecycle:\n    hold:\n      - ${written}\n`,
    },
    {
      name: 'a block list',
      before: 'p:\n  lifecycle:\n    hold:\n      - path: name # x\n        value: 1\n    protect: true\n',
      after: `p:\n  lifecycle:\n    hold:\n      - path: name # x\n        value: 1\n      - ${written}\n    protect: true\n`,
    },
    {
      name: 'a list at the level of its key',
      before: 'p:\n  lifecycle:\n    hold:\n    - a\n',
      after: `p:\n  lifecycle:\n    hold:\n    - a\n    - ${written}\n`,
    },
    {
      name: 'a flow list',
      before: 'p: { lifecycle: { hold: [a , b ] } }\n',
      after: `p: { lifecycle: { hold: [a , b, ${written} ] } }\n`,
    },
    { name: 'none', before: 'p: { lifecycle: { hold: [] } }\n', after: `p: { lifecycle: { hold: [${written}] } }\n` },
  ];
  it.each(cases)('$name', ({ before, after }) => {
    expect(appendItem(before, ['p', 'lifecycle', 'hold'], hold)).toEqual({ text: after });
  });
});

it('writes any text so that it is read back as it was', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('p: { a: x }\n', 'p:\n  a: "x"\n', "p:\n  a: 'x'\n"),
      (value, before) => {
        const { text, refused } = setValues(before, [{ path: ['p', 'a'], value }], 0);
        // `$${` stands for `${`, for a reader of variables comes after that of YAML.
        expect([refused.size, parse(text.replaceAll('$${', '${'))]).toEqual([0, { p: { a: value } }]);
      },
    ),
    runs(300),
  );
});
