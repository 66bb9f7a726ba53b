// What is asked of the service: lists below what is declared and lives, and no other.
import { afterAll, describe, expect, test } from 'vitest';
import { syntheticDesk, leave } from '../desk.ts';
import type { Tree } from '../service.ts';

afterAll(leave);

const HEAD = 'version: 1\nprojects:\n  shop:\n    id: shop-1\n    crates:\n';
const LIVE: Tree = {
  north: { has: { tools: { has: { hammer: {}, wrench: {} } }, toys: { has: { ball: {} } } } },
  south: { has: { books: {} } },
};
const FIRST = ['/endpoints', '/crates', '/cellars'];

/** `north: cr-1, tools: bo-2 …` in the order in which the tree is planted. */
const ID = { north: 'cr-000001', tools: 'bo-000002', toys: 'bo-000005', south: 'cr-000007', books: 'bo-000008' };

const CASES: readonly { readonly name: string; readonly crates: string; readonly asks: readonly string[] }[] = [
  { name: 'a crate with nothing declared in it', crates: '      north: {}\n', asks: FIRST },
  {
    name: 'boxes of the crate that declares some, and of no other',
    crates: '      north: { boxes: { tools: {} } }\n      south: {}\n',
    asks: [...FIRST, `/crates/${ID.north}/boxes`],
  },
  {
    name: 'items of the one box that declares some',
    crates: '      north: { boxes: { tools: { items: { hammer: {} } }, toys: {} } }\n',
    asks: [...FIRST, `/crates/${ID.north}/boxes`, `/boxes/${ID.tools}/items`],
  },
  {
    name: 'nothing below a crate that does not exist',
    crates: '      west: { boxes: { tools: { items: { hammer: {} } } } }\n',
    asks: FIRST,
  },
  {
    name: 'nothing below a box that does not exist',
    crates: '      south: { boxes: { crumbs: { items: { hammer: {} } }, books: {} } }\n',
    asks: [...FIRST, `/crates/${ID.south}/boxes`],
  },
  {
    name: 'below one that is found by its id, whatever it is called here',
    crates: `      n: { id: ${ID.north}, name: north, boxes: { t: { id: ${ID.toys}, name: toys, items: { ball: {} } } } }\n`,
    asks: [...FIRST, `/crates/${ID.north}/boxes`, `/boxes/${ID.toys}/items`],
  },
  {
    name: 'below one that is to be renamed',
    crates: '      up: { renamed_from: north, boxes: { tools: {} } }\n',
    asks: [...FIRST, `/crates/${ID.north}/boxes`],
  },
  {
    name: 'scopes side by side, each once',
    crates:
      '      north: { boxes: { tools: { items: { hammer: {} } }, toys: { items: { ball: {} } } } }\n      south: { boxes: { books: {} } }\n',
    asks: [
      ...FIRST,
      `/crates/${ID.north}/boxes`,
      `/crates/${ID.south}/boxes`,
      `/boxes/${ID.tools}/items`,
      `/boxes/${ID.toys}/items`,
    ],
  },
];

describe('a plan reads', () => {
  test.each(CASES)('$name', async ({ crates, asks }) => {
    const desk = await syntheticDesk(HEAD + crates);
    desk.service.plant(LIVE);
    const { code, wire, err } = await desk.run('plan');
    expect({ code, err: err.split('\n').filter((line) => line.startsWith('Error')) }).toEqual({ code: 0, err: [] });
    expect(wire.filter((line) => !line.endsWith('/operations'))).toEqual(
      asks.map((path) => `GET /projects/shop-1${path}`),
    );
  });

  test('a list that fails leaves its project unread', async () => {
    const desk = await syntheticDesk(`${HEAD}      north: { boxes: { tools: { items: { hammer: {} } } } }\n`);
    desk.service.plant(LIVE);
    desk.service.faultAt = ({ path }) => (path.endsWith('/items') ? 500 : null);
    const { code, out } = await desk.run('plan');
    expect(code).toBe(3);
    expect(out).toContain('Not read: 1. This plan does not cover what could not be read.');
    expect(out).not.toContain('No changes.');
  });
});
