// Protects what took the place of a vanished pin: of equals it is the youngest, and in a read-back it is what the run made.
import { describe, expect, it } from 'vitest';
import { planOf } from './support/world.ts';
import type { World } from './support/world.ts';

/** `address = id: words`, in order of address. */
function matches(file: string, live: string, input: World['input'] = {}): string[] {
  const { changes } = planOf({ file: `shop: { computes: ${file} }`, live: `shop:\n${live}`, input });
  return changes
    .filter(({ origin }) => origin === 'file')
    .map(({ address, resourceId, matchedBy }) => `${address} = ${resourceId}: ${matchedBy}`);
}

const replica = (id: string, more: string): string => `  ${id}: { branch: br-1, type: read_only, ${more} }\n`;
const THREE =
  replica('ep-1', 'max: 1, created: 2026-01-01') +
  replica('ep-3', 'max: 1, created: 2026-03-01') +
  replica('ep-2', 'max: 1, created: 2026-02-01');
const gone = 'id: ep-gone, branch: br-1, type: read_only';
const free = 'branch: br-1, type: read_only';
const YOUNG = 'younger ones first since its pin is stale';

describe('a declaration whose pin is stale', () => {
  it.each<[string, string, string, string[]]>([
    [
      'is the youngest of equals',
      `{ a: { ${gone} } }`,
      THREE,
      [`shop/a = ep-3: a read_only compute of br-1, equal, one of 3, ${YOUNG}`],
    ],
    [
      'is the youngest of those that differ alike',
      `{ a: { ${gone}, max: 2 } }`,
      THREE,
      [`shop/a = ep-3: a read_only compute of br-1, the closest of 3, ${YOUNG}`],
    ],
    [
      'is nothing that unmanaged_ok names',
      `{ a: { ${gone} } }, unmanaged_ok: [ep-3]`,
      THREE,
      [`shop/a = ep-2: a read_only compute of br-1, equal, one of 2, ${YOUNG}`],
    ],
    [
      'of one age is the lowest id',
      `{ a: { ${gone} } }`,
      replica('ep-2', 'created: 2026-01-01') + replica('ep-1', 'created: 2026-01-01'),
      [`shop/a = ep-1: a read_only compute of br-1, equal, one of 2, ${YOUNG}`],
    ],
    [
      'of one age is the lowest id among those that differ alike',
      `{ a: { ${gone}, max: 2 } }`,
      replica('ep-2', 'max: 1, created: 2026-01-01') + replica('ep-1', 'max: 1, created: 2026-01-01'),
      [`shop/a = ep-1: a read_only compute of br-1, the closest of 2, ${YOUNG}`],
    ],
    [
      'changes as little as possible all the same',
      `{ a: { ${gone}, max: 1 } }`,
      replica('ep-1', 'max: 1, created: 2026-01-01') + replica('ep-2', 'max: 4, created: 2026-02-01'),
      [`shop/a = ep-1: a read_only compute of br-1, equal, one of 2, ${YOUNG}`],
    ],
    [
      'leaves the oldest to the others',
      `{ a: { ${free} }, b: { ${gone} }, c: { ${free} } }`,
      THREE,
      [
        'shop/a = ep-1: a read_only compute of br-1, equal, one of 3',
        `shop/b = ep-3: a read_only compute of br-1, equal, one of 3, ${YOUNG}`,
        'shop/c = ep-2: a read_only compute of br-1, equal, one of 3',
      ],
    ],
    [
      'takes its turn with others whose pin is stale',
      `{ a: { ${gone}, max: 2 }, b: { ${gone}, max: 2 }, c: { ${free}, max: 2 } }`,
      THREE,
      [
        `shop/a = ep-3: a read_only compute of br-1, the closest of 3, ${YOUNG}`,
        `shop/b = ep-2: a read_only compute of br-1, the closest of 3, ${YOUNG}`,
        'shop/c = ep-1: a read_only compute of br-1, the closest of 3',
      ],
    ],
    [
      'is the only one left without further words',
      `{ a: { ${gone} } }`,
      replica('ep-1', 'max: 1'),
      ['shop/a = ep-1: a read_only compute of br-1, the only one left'],
    ],
  ])('%s', (_name, file, live, expected) => {
    expect(matches(file, live)).toEqual(expected);
  });
});

describe('what the run that is read back made', () => {
  const made = (...entries: [string, string][]): World['input'] => ({ made: new Map(entries) });

  it.each<[string, string, World['input'], string[]]>([
    [
      'is its declaration, whatever else would fit',
      `{ a: { ${gone} } }`,
      made(['shop/a', 'ep-2']),
      ['shop/a = ep-2: made by this run'],
    ],
    [
      'is so without a pin, and leaves the rest to the others',
      `{ a: { ${free} }, b: { ${free} } }`,
      made(['shop/b', 'ep-1']),
      ['shop/a = ep-2: a read_only compute of br-1, equal, one of 2', 'shop/b = ep-1: made by this run'],
    ],
    [
      'is not replaced by another where it is not there',
      `{ a: { ${free} } }`,
      made(['shop/a', 'ep-lost']),
      ['shop/a = null: ep-lost, made by this run, is not there'],
    ],
    [
      'is not taken from a declaration that pins it',
      `{ a: { ${free} }, b: { id: ep-1, branch: br-1, type: read_only } }`,
      made(['shop/a', 'ep-1']),
      ['shop/a = ep-2: a read_only compute of br-1, equal, one of 2', 'shop/b = ep-1: pinned id'],
    ],
  ])('%s', (_name, file, input, expected) => {
    expect(matches(file, THREE, input)).toEqual(expected);
  });

  it('of a place is whoever holds it', () => {
    const file = '{ a: { id: ep-gone, branch: br-1, type: read_write } }';
    expect(matches(file, '  ep-1: { branch: br-1 }', made(['shop/a', 'ep-lost']))).toEqual([
      'shop/a = ep-1: the read_write compute of br-1',
    ]);
  });
});
