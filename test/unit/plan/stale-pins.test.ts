// Protects what may be what a pin that is gone meant: nobody removes it unasked.
import { describe, expect, it } from 'vitest';
import { blockWords } from '../../../src/render/messages/blocks.ts';
import { planOf, type World } from './support/world.ts';

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
const one = (id: string, of: number, by = 'equal attributes'): string =>
  `shop/a = ${id}: a read_only compute of br-1, one of ${of} candidates, by ${by}`;

describe('a declaration whose pin is stale', () => {
  it.each<[string, string, string, string[]]>([
    ['is the oldest of equals', `{ a: { ${gone} } }`, THREE, [one('ep-1', 3)]],
    ['is one of those that differ, by counting', `{ a: { ${gone}, max: 2 } }`, THREE, [one('ep-1', 3, 'counting')]],
    ['is nothing that unmanaged_ok names', `{ a: { ${gone} } }, unmanaged_ok: [ep-1]`, THREE, [one('ep-2', 2)]],
    [
      'is an equal one, though another is older',
      `{ a: { ${gone}, max: 4 } }`,
      replica('ep-1', 'max: 1, created: 2026-01-01') + replica('ep-2', 'max: 4, created: 2026-02-01'),
      [one('ep-2', 2)],
    ],
  ])('%s', (_name, file, live, expected) => {
    expect(matches(file, live)).toEqual(expected);
  });

  it('stays what it was when somebody makes another one', () => {
    const [before] = matches(`{ a: { ${gone} } }`, replica('ep-2', 'created: 2026-02-01'));
    const after = matches(`{ a: { ${gone} } }`, THREE.replaceAll('max: 1, ', '').replace(/ {2}ep-1.*\n/, ''));
    expect([before, ...after].map((words) => words?.split(':')[0])).toEqual(['shop/a = ep-2', 'shop/a = ep-2']);
  });
});

/** `ID blocked by …`, in order of id. */
function removals(file: string): string[] {
  const { changes, steps } = planOf({ file: `shop: { ${file} }`, live: `shop:\n${THREE}` });
  const deleted = changes.filter(({ action }) => action === 'delete');
  const unblocked = deleted.filter(({ blockedBy }) => blockedBy.length === 0);
  expect(steps.filter(({ method }) => method === 'DELETE')).toHaveLength(unblocked.length);
  return deleted.map(({ resourceId, blockedBy }) => [resourceId, ...blockedBy].join(' ')).sort();
}

it.each<[string, string, string[]]>([
  ['is ambiguous', `prune: true, computes: { a: { ${gone} } }`, ['ep-2 ambiguous', 'ep-3 ambiguous']],
  [
    'is ambiguous where the file asks for the removal of any of them',
    `computes: { a: { ${gone} }, z: { branch: br-1, type: read_only, state: absent } }`,
    ['ep-2 ambiguous'],
  ],
  ['goes on where the file says which', `computes: { a: { ${gone} }, z: { id: ep-2, state: absent } }`, ['ep-2']],
  ['goes on elsewhere', `prune: true, computes: { a: { ${gone.replace('br-1', 'br-2')} } }`, ['ep-1', 'ep-2', 'ep-3']],
])('the removal of what a stale pin may mean: %s', (_name, file, expected) => {
  expect(removals(file)).toEqual(expected);
});

describe('a stale pin that nothing matches', () => {
  const file = `shop: { computes: { a: { ${gone}, lifecycle: { protect: true } } } }`;
  const { changes } = planOf({ file, live: 'shop: {}' });

  it('is not lifted by what would remove the guard with the id', () => {
    const [change] = changes;
    expect(change).toMatchObject({ action: 'create', blockedBy: ['stale_pin'] });
    expect(change && blockWords('stale_pin', [change]).lift).toBe(
      'correct the id in the file; to create a new resource, remove the id and apply',
    );
  });
});

describe('what the run that is read back made', () => {
  const made = (...entries: [string, string][]): World['input'] => ({ made: new Map(entries) });

  it.each<[string, string, World['input'], string[]]>([
    [
      'is its declaration, whatever else would fit',
      `{ a: { ${gone} } }`,
      made(['shop/a', 'ep-2']),
      ['shop/a = ep-2: created by this run'],
    ],
    [
      'is so without a pin, and leaves the rest to the others',
      `{ a: { ${free} }, b: { ${free} } }`,
      made(['shop/b', 'ep-1']),
      [one('ep-2', 2), 'shop/b = ep-1: created by this run'],
    ],
    [
      'is not replaced by another where it is not there',
      `{ a: { ${free} } }`,
      made(['shop/a', 'ep-lost']),
      ['shop/a = null: ep-lost, created by this run, is not listed'],
    ],
    [
      'is not taken from a declaration that pins it',
      `{ a: { ${free} }, b: { id: ep-1, branch: br-1, type: read_only } }`,
      made(['shop/a', 'ep-1']),
      [one('ep-2', 2), 'shop/b = ep-1: pinned id'],
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
