// Whole trees made, changed and removed: what is done, in which order, and with which ids.
import { afterAll, describe, expect, test } from 'vitest';
import { syntheticDesk, leave, type SyntheticDesk } from '../desk.ts';
import type { Tree } from '../service.ts';

afterAll(leave);

const HEAD = 'version: 1\nprojects:\n  shop:\n    id: shop-1\n    crates:\n';

const WISH = `${HEAD}      north:
        note: fragile
        boxes:
          tools:
            grade: 3
            items:
              cover: { material: steel }
              hammer: { holds: wrench, rests_on: cover }
              wrench: { holds: south/spare/nail }
      south: { beside: north, boxes: { spare: { beside: north/tools, items: { nail: {} } } } }
`;

const MADE: Tree = {
  north: {
    note: 'fragile',
    has: {
      tools: {
        grade: 3,
        has: {
          cover: { material: 'steel' },
          hammer: { holds: 'wrench', rests_on: 'cover' },
          wrench: { holds: 'nail' },
        },
      },
    },
  },
  south: { beside: 'north', has: { spare: { beside: 'tools', has: { nail: {} } } } },
};

const NO_CHANGES = 'No changes. Your infrastructure matches the configuration.';

/** Applies what the file says, and expects that nothing is left to do. */
async function applied(desk: SyntheticDesk, ...flags: readonly string[]): Promise<readonly string[]> {
  const { code, err, ledger } = await desk.run('apply', '--auto-approve', ...flags);
  expect(code, err).toBe(0);
  const { out } = await desk.run('plan');
  expect(out.trim().split('\n\n').slice(1)).toEqual([NO_CHANGES]);
  return ledger;
}

/** Eight lines, in which the first of each pair stands before the second. */
function inOrder(ledger: readonly string[], pairs: readonly (readonly [string, string])[]): void {
  const at = (name: string): number => ledger.findIndex((line) => line.endsWith(` ${name}`));
  expect(ledger).toHaveLength(8);
  for (const [first, then] of pairs) expect(at(first), `${first} before ${then}`).toBeLessThan(at(then));
}

describe('a tree', () => {
  test('is made parents first and what is referred to first, with the ids that the run learns', async () => {
    const desk = await syntheticDesk(WISH);
    const ledger = await applied(desk);
    expect(desk.service.tree()).toEqual(MADE);
    inOrder(ledger, [
      ['north', 'tools'],
      ['north', 'south'],
      ['tools', 'cover'],
      ['tools', 'spare'],
      ['spare', 'nail'],
      ['nail', 'wrench'],
      ['wrench', 'hammer'],
      ['cover', 'hammer'],
    ]);
  });

  test('is made as well where the project takes one write at a time', async () => {
    const desk = await syntheticDesk(WISH);
    desk.service.isLocking = true;
    await applied(desk);
    expect(desk.service.tree()).toEqual(MADE);
  });

  test('is removed children first, and what is referred to last', async () => {
    const desk = await syntheticDesk(WISH);
    await applied(desk);
    desk.write(
      'trueup.yaml',
      `${HEAD}      north:
        state: absent
        boxes:
          tools:
            state: absent
            items: { cover: { state: absent }, hammer: { state: absent }, wrench: { state: absent } }
      south: { state: absent, boxes: { spare: { state: absent, items: { nail: { state: absent } } } } }
`,
    );
    const ledger = await applied(desk, '--allow', 'delete:shop/*');
    expect(desk.service.tree()).toEqual({});
    inOrder(ledger, [
      ['hammer', 'cover'],
      ['hammer', 'wrench'],
      ['wrench', 'nail'],
      ['nail', 'spare'],
      ['spare', 'tools'],
      ['cover', 'tools'],
      ['tools', 'north'],
      ['south', 'north'],
    ]);
  });
});

interface Case {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly ledger: readonly string[];
  readonly tree: Tree;
  readonly flags?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'an attribute in place, three levels down',
    before: '      north: { boxes: { tools: { items: { hammer: { note: old } } } } }\n',
    after: '      north: { boxes: { tools: { items: { hammer: { note: new } } } } }\n',
    ledger: ['update item hammer'],
    tree: { north: { has: { tools: { has: { hammer: { note: 'new' } } } } } },
  },
  {
    name: 'an attribute that disturbs',
    before: '      north: { boxes: { tools: { grade: 1 } } }\n',
    after: '      north: { boxes: { tools: { grade: 2 } } }\n',
    ledger: ['update box tools'],
    tree: { north: { has: { tools: { grade: 2 } } } },
  },
  {
    name: 'the name of a crate, and what is in it with its own changes',
    before: '      north: { boxes: { tools: { items: { hammer: {} } } } }\n',
    after: '      up: { renamed_from: north, boxes: { tools: { note: seen, items: { hammer: {}, wrench: {} } } } }\n',
    ledger: ['update crate up', 'update box tools', 'create item wrench'],
    tree: { up: { has: { tools: { note: 'seen', has: { hammer: {}, wrench: {} } } } } },
  },
  {
    name: 'the name of what another one rests on, by name',
    before: '      north: { boxes: { tools: { items: { cover: {}, hammer: { rests_on: cover } } } } }\n',
    after:
      '      north: { boxes: { tools: { items: { lid: { renamed_from: cover }, hammer: { rests_on: lid } } } } }\n',
    ledger: ['update item lid'],
    tree: { north: { has: { tools: { has: { lid: {}, hammer: { rests_on: 'lid' } } } } } },
  },
  {
    name: 'the name of one that is pinned',
    before: '      north: {}\n',
    after: '      up: { id: cr-000001 }\n',
    ledger: ['update crate up'],
    tree: { up: {} },
  },
  {
    name: 'a name that another one leaves',
    before: '      north: {}\n      south: {}\n',
    after: '      up: { renamed_from: north }\n      north: { renamed_from: south }\n',
    ledger: ['update crate up', 'update crate north'],
    tree: { up: {}, north: {} },
  },
  {
    name: 'a reference to what is made in the same run',
    before: '      north: { boxes: { tools: { items: { hammer: {} } } } }\n',
    after: '      north: { boxes: { tools: { items: { hammer: { holds: nail }, nail: {} } } } }\n',
    ledger: ['create item nail', 'update item hammer'],
    tree: { north: { has: { tools: { has: { hammer: { holds: 'nail' }, nail: {} } } } } },
  },
  {
    name: 'a reference away from what is removed',
    before: '      north: { boxes: { tools: { items: { hammer: { holds: nail }, nail: {}, peg: {} } } } }\n',
    after:
      '      north: { boxes: { tools: { items: { hammer: { holds: peg }, nail: { state: absent }, peg: {} } } } }\n',
    ledger: ['update item hammer', 'delete item nail'],
    tree: { north: { has: { tools: { has: { hammer: { holds: 'peg' }, peg: {} } } } } },
    flags: ['--allow', 'delete:shop/crates/north/boxes/tools/items/nail'],
  },
  {
    name: 'one that cannot become what it shall be: another takes its place',
    before: '      north: { boxes: { tools: { items: { hammer: { maker: Ada } } } } }\n',
    after: '      north: { boxes: { tools: { items: { hammer: { maker: Bea } } } } }\n',
    ledger: ['delete item hammer', 'create item hammer'],
    tree: { north: { has: { tools: { has: { hammer: { maker: 'Bea' } } } } } },
    flags: ['--allow', 'replace:shop/crates/north/boxes/tools/items/hammer'],
  },
];

describe('an apply changes', () => {
  test.each(CASES)('$name', async ({ before, after, ledger, tree, flags = [] }) => {
    const desk = await syntheticDesk(HEAD + before);
    await applied(desk);
    desk.write('trueup.yaml', HEAD + after);
    expect(await applied(desk, ...flags)).toEqual(ledger);
    expect(desk.service.tree()).toEqual(tree);
  });
});
