// Tables: within the width of the terminal, every cell whole, wide characters aligned.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableLines } from '../../../src/render/tables/table.ts';
import { renderTree, type TreeRow } from '../../../src/render/tables/tree.ts';
import { columnsOf } from '../../../src/render/text/width.ts';

function table(width: number, heading: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableLines(heading, rows, { color: false, width }).join('\n');
}

const HEADING = ['ADDRESS', 'ID', 'HOST'];
const ROWS = [
  ['shop/primary', 'ep-cool-darkness-123456', 'ep-cool-darkness-123456.us-east-2.aws.db.localhost'],
  ['lab/x', '-', '-'],
];

describe('a table', () => {
  it('that fits is one line a row', () => {
    expect(table(100, HEADING, ROWS)).toBe(
      [
        'ADDRESS       ID                       HOST',
        'shop/primary  ep-cool-darkness-123456  ep-cool-darkness-123456.us-east-2.aws.db.localhost',
        'lab/x         -                        -',
      ].join('\n'),
    );
  });

  it('that does not fit names its last columns below each row', () => {
    expect(table(80, HEADING, ROWS)).toBe(
      [
        'ADDRESS       ID',
        'shop/primary  ep-cool-darkness-123456',
        '    host ep-cool-darkness-123456.us-east-2.aws.db.localhost',
        'lab/x         -',
      ].join('\n'),
    );
  });

  it('puts as many of them on a line as fit', () => {
    const heading = ['CREATED', 'ACTION', 'FOR', 'ID'];
    const row = ['2026-01-01 00:00:00', 'check_availability', '1s', '5350572b-fc93-4475-ad4f-6ffdd0da6634'];
    expect(table(60, heading, [row])).toBe(
      [
        'CREATED              ACTION              FOR',
        '2026-01-01 00:00:00  check_availability  1s',
        '    id 5350572b-fc93-4475-ad4f-6ffdd0da6634',
      ].join('\n'),
    );
    expect(table(38, heading, [row])).toBe(
      [
        'CREATED',
        '2026-01-01 00:00:00',
        '    action check_availability  for 1s',
        '    id',
        '        5350572b-fc93-4475-ad4f-6ffdd0',
        '        da6634',
      ].join('\n'),
    );
  });

  it('aligns wide characters', () => {
    expect(
      table(80, HEADING, [
        ['"商店/主"', 'ep-a', 'h'],
        ['shop', 'ep-b', 'h'],
      ]),
    ).toBe(['ADDRESS    ID    HOST', '"商店/主"  ep-a  h', 'shop       ep-b  h'].join('\n'));
  });

  it('keeps to the width and loses nothing', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'b', '-', '商', '🙂'), minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 4 }), (rows) => {
        const lines = table(80, HEADING, rows).split('\n');
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(80);
        const text = lines.join('').replaceAll(' ', '');
        for (const row of rows) for (const one of row) if (one !== '-') expect(text).toContain(one);
      }),
    );
  });
});

it('a tree shows sizes, ends and uses in words, and says nothing of what is not known', () => {
  const row = { state: null, sizeBytes: null, lastActiveMs: null, expiresMs: null, ttlSeconds: null };
  const rows: readonly TreeRow[] = [
    { ...row, depth: 0, address: 'shop', name: 'shop', id: 'shop-1' },
    {
      ...row,
      depth: 1,
      address: 'shop/branches/a',
      name: 'a',
      id: 'br-a',
      sizeBytes: 1_610_612_736,
      lastActiveMs: 0,
    },
    { ...row, depth: 2, address: 'shop/p', name: null, id: 'ep-p', state: 'active', lastActiveMs: 86_400_000 },
    { ...row, depth: 2, address: 'shop/branches/b', name: 'b', id: 'br-b', expiresMs: 0, ttlSeconds: 1_209_600 },
  ];
  expect(renderTree(rows, 86_400_000, { color: false, width: 120, isWhole: true })).toBe(
    [
      'ADDRESS              NAME  ID      STATE   SIZE     LAST ACTIVE  EXPIRES',
      'shop                 shop  shop-1  -       -        -            -',
      '  shop/branches/a    a     br-a    -       1.5 GiB  1d ago       -',
      '    shop/p           -     ep-p    active  -        now          -',
      '    shop/branches/b  b     br-b    -       -        -            1970-01-01T00:00:00.000Z (ttl 14d)',
      '',
    ].join('\n'),
  );
});
