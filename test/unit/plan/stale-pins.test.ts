// Protects what took the place of a vanished pin: what a run of ours made for it, or else what nobody may remove unasked.
import { describe, expect, it } from 'vitest';
import { blockWords } from '../../../src/render/messages/blocks.ts';
import { planOf, type Creation, type World } from './support/world.ts';

/** `address = id: words`, in order of address. */
function matches(file: string, live: string, input: World['input'] = {}, made: readonly Creation[] = []): string[] {
  const { changes } = planOf({ file: `shop: { computes: ${file} }`, live: `shop:\n${live}`, input, made });
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
describe('a declaration whose pin is stale', () => {
  it.each<[string, string, string, string[]]>([
    [
      'is the oldest of equals',
      `{ a: { ${gone} } }`,
      THREE,
      ['shop/a = ep-1: a read_only compute of br-1, equal, one of 3'],
    ],
    [
      'is the oldest of those that differ alike',
      `{ a: { ${gone}, max: 2 } }`,
      THREE,
      ['shop/a = ep-1: a read_only compute of br-1, the closest of 3'],
    ],
    [
      'is nothing that unmanaged_ok names',
      `{ a: { ${gone} } }, unmanaged_ok: [ep-1]`,
      THREE,
      ['shop/a = ep-2: a read_only compute of br-1, equal, one of 2'],
    ],
    [
      'changes as little as possible',
      `{ a: { ${gone}, max: 4 } }`,
      replica('ep-1', 'max: 1, created: 2026-01-01') + replica('ep-2', 'max: 4, created: 2026-02-01'),
      ['shop/a = ep-2: a read_only compute of br-1, equal, one of 2'],
    ],
    [
      'leaves the oldest to those without a pin',
      `{ a: { ${free} }, b: { ${gone} }, c: { ${free} } }`,
      THREE,
      [
        'shop/a = ep-1: a read_only compute of br-1, equal, one of 3',
        'shop/b = ep-3: a read_only compute of br-1, equal, one of 3',
        'shop/c = ep-2: a read_only compute of br-1, equal, one of 3',
      ],
    ],
    [
      'takes its turn with others whose pin is stale, in order of address',
      `{ a: { ${gone}, max: 2 }, b: { ${gone}, max: 2 }, c: { ${free}, max: 2 } }`,
      THREE,
      [
        'shop/a = ep-2: a read_only compute of br-1, the closest of 3',
        'shop/b = ep-3: a read_only compute of br-1, the closest of 3',
        'shop/c = ep-1: a read_only compute of br-1, the closest of 3',
      ],
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

describe('what an earlier run made for a declaration whose pin is stale', () => {
  const told = (address: string, id: string): Creation => ({ address, id, branch: 'br-1' });
  const OURS = 'made for it by an earlier run, as the journal tells';

  it.each<[string, string, readonly Creation[], string[]]>([
    [
      'is what a reply told, whoever else is older or younger',
      `{ a: { ${gone} } }`,
      [told('shop/a', 'ep-2')],
      [`shop/a = ep-2: ${OURS}`],
    ],
    [
      'is so for each of several',
      `{ a: { ${gone} }, b: { ${gone} } }`,
      [told('shop/b', 'ep-1'), told('shop/a', 'ep-3')],
      [`shop/a = ep-3: ${OURS}`, `shop/b = ep-1: ${OURS}`],
    ],
    [
      "is the rerun's, not what a lost request made late",
      `{ a: { ${gone} } }`,
      [{ ...told('shop/a', 'ep-1'), id: null }, told('shop/a', 'ep-2')],
      [`shop/a = ep-2: ${OURS}`],
    ],
    [
      'is not left to those without a pin',
      `{ a: { ${free} }, b: { ${gone} } }`,
      [told('shop/b', 'ep-1')],
      ['shop/a = ep-2: a read_only compute of br-1, equal, one of 2', `shop/b = ep-1: ${OURS}`],
    ],
    [
      'keeps a label where it was without a stale pin, among equals',
      `{ a: { ${free} } }`,
      [told('shop/a', 'ep-3')],
      ['shop/a = ep-3: a read_only compute of br-1, equal, one of 3, the one that an earlier run made for it'],
    ],
    [
      'is nothing that is gone',
      `{ a: { ${gone} } }`,
      [told('shop/a', 'ep-lost')],
      ['shop/a = ep-1: a read_only compute of br-1, equal, one of 3'],
    ],
    [
      'is nothing of that id that was made at another time',
      `{ a: { ${gone} } }`,
      [{ ...told('shop/a', 'ep-3'), toldAt: Date.UTC(2026, 5, 1) }],
      ['shop/a = ep-1: a read_only compute of br-1, equal, one of 3'],
    ],
    [
      'is what was made when a reply without its time arrived',
      `{ a: { ${gone} } }`,
      [{ ...told('shop/a', 'ep-3'), toldAt: null }],
      [`shop/a = ep-3: ${OURS}`],
    ],
    [
      'is nothing that was made at another time than such a reply arrived',
      `{ a: { ${gone} } }`,
      [{ ...told('shop/a', 'ep-2'), toldAt: null }],
      ['shop/a = ep-1: a read_only compute of br-1, equal, one of 3'],
    ],
    [
      'is nothing that another declaration pins',
      `{ a: { ${gone} }, b: { id: ep-3, branch: br-1, type: read_only } }`,
      [told('shop/a', 'ep-3')],
      ['shop/a = ep-1: a read_only compute of br-1, equal, one of 2', 'shop/b = ep-3: pinned id'],
    ],
    [
      'is nothing that unmanaged_ok names',
      `{ a: { ${gone} } }, unmanaged_ok: [ep-3]`,
      [told('shop/a', 'ep-3')],
      ['shop/a = ep-1: a read_only compute of br-1, equal, one of 2'],
    ],
    [
      'is nothing that was made for another address',
      `{ a: { ${gone} } }`,
      [told('shop/b', 'ep-3')],
      ['shop/a = ep-1: a read_only compute of br-1, equal, one of 3'],
    ],
    [
      'is nothing in another pool',
      `{ a: { ${gone.replace('br-1', 'br-2')} } }`,
      [told('shop/a', 'ep-3')],
      ['shop/a = null: nothing live matches'],
    ],
  ])('%s', (_name, file, made, expected) => {
    expect(matches(file, THREE, {}, made)).toEqual(expected);
  });

  it('is left to the slot where there is one', () => {
    const file = '{ a: { id: ep-gone, branch: br-1, type: read_write } }';
    expect(matches(file, '  ep-1: { branch: br-1 }', {}, [told('shop/a', 'ep-1')])).toEqual([
      'shop/a = ep-1: the read_write compute of br-1',
    ]);
  });
});

describe('the removal of what a stale pin may mean', () => {
  /** `ID blocked by …`, in order of id. */
  function removals(file: string, made: readonly Creation[] = [], live = THREE): string[] {
    const { changes, steps } = planOf({ file: `shop: { ${file} }`, live: `shop:\n${live}`, made });
    const deleted = changes.filter(({ action }) => action === 'delete');
    const free = deleted.filter(({ blockedBy }) => blockedBy.length === 0);
    expect(steps.filter(({ method }) => method === 'DELETE')).toHaveLength(free.length);
    return deleted.map(({ resourceId, blockedBy }) => [resourceId, ...blockedBy].join(' ')).sort();
  }

  it.each<[string, string, readonly Creation[], string[]]>([
    [
      'is blocked where nothing tells',
      `prune: true, computes: { a: { ${gone} } }`,
      [],
      ['ep-2 ambiguous stale_pin', 'ep-3 ambiguous stale_pin'],
    ],
    [
      'is blocked where the journal tells of another address alone',
      `prune: true, computes: { a: { ${gone} } }`,
      [{ address: 'shop/b', id: 'ep-3', branch: 'br-1' }],
      ['ep-2 ambiguous stale_pin', 'ep-3 ambiguous stale_pin'],
    ],
    [
      'is ambiguous where the journal tells: it consents to nothing',
      `prune: true, computes: { a: { ${gone} } }`,
      [{ address: 'shop/a', id: 'ep-2', branch: 'br-1' }],
      ['ep-1 ambiguous', 'ep-3 ambiguous'],
    ],
    [
      'is blocked where the journal tells of one and not of the other',
      `prune: true, computes: { a: { ${gone} }, b: { ${gone} } }`,
      [{ address: 'shop/a', id: 'ep-2', branch: 'br-1' }],
      ['ep-3 ambiguous stale_pin'],
    ],
    [
      'is blocked where the file asks for the removal of any of them',
      `computes: { a: { ${gone} }, z: { branch: br-1, type: read_only, state: absent } }`,
      [],
      ['ep-2 ambiguous stale_pin'],
    ],
    ['goes on where the file says which', `computes: { a: { ${gone} }, z: { id: ep-2, state: absent } }`, [], ['ep-2']],
    [
      'goes on in other pools',
      `prune: true, computes: { a: { ${gone.replace('br-1', 'br-2')} } }`,
      [],
      ['ep-1', 'ep-2', 'ep-3'],
    ],
    [
      'is ambiguous without a stale pin',
      `prune: true, computes: { a: { ${free} } }`,
      [],
      ['ep-2 ambiguous', 'ep-3 ambiguous'],
    ],
  ])('%s', (_name, file, made, expected) => {
    expect(removals(file, made)).toEqual(expected);
  });

  it('says whose it may be', () => {
    const { changes } = planOf({
      file: `shop: { prune: true, computes: { a: { ${gone} }, b: { ${gone} } } }`,
      live: `shop:\n${THREE}`,
    });
    const pruned = changes.find(({ origin }) => origin === 'prune');
    expect(pruned?.notes).toContain('shop/a and shop/b may mean it: what their ids name does not exist here');
    expect(pruned && blockWords('stale_pin', [pruned])).toEqual({
      why: 'a declaration whose pinned id no longer exists may mean it',
      lift: 'write the id that it means (trueup pin --fix writes the one that this plan matched)',
    });
  });
});

describe('a stale pin that nothing matches', () => {
  const file = `shop: { computes: { a: { ${gone}, lifecycle: { protect: true } } } }`;
  const { changes, diagnostics } = planOf({ file, live: 'shop: {}' });

  it('is not said to be matched, and its removal is called what it leads to', () => {
    expect(diagnostics).toMatchObject([
      {
        code: 'stale_pin',
        message: 'ep-gone does not exist, and nothing else matches shop/a',
        hint: 'Write the id that is meant, if any: trueup pin --fix only removes this one, and the next plan then shows whether another is made.',
      },
    ]);
  });

  it('is not lifted by what would remove the guard with the id', () => {
    const [change] = changes;
    expect(change).toMatchObject({ action: 'create', blockedBy: ['stale_pin'] });
    expect(change && blockWords('stale_pin', [change]).lift).toBe(
      'correct the id in the file; if nothing is meant, take it out, and the next apply creates it',
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
