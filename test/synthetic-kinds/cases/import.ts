// What lives becomes a file: at every depth, under names that a file can hold, and with an empty plan after it.
import { afterAll, describe, expect, test } from 'vitest';
import { syntheticDesk, leave, type SyntheticDesk } from '../desk.ts';
import type { Tree } from '../service.ts';

afterAll(leave);

const HEAD = 'version: 1\nprojects:\n  shop:\n    id: shop-1\n';
const LIVE: Tree = {
  north: {
    note: 'fragile',
    has: { tools: { grade: 3, has: { hammer: {}, 'a nail': {} } }, 'to/ys': { has: { ball: {} } } },
  },
  south: { has: { books: {} } },
};
const NO_CHANGES = 'No changes. Your infrastructure matches the configuration.';

async function liveDesk(file: string | null): Promise<SyntheticDesk> {
  const desk = await syntheticDesk(file);
  desk.service.plant(LIVE);
  desk.service.change('it-000003', { holds: 'it-000006' });
  return desk;
}

/** The lines of the imported file from the crates on, once its plan, with the files that were there, is empty. */
async function imported(desk: SyntheticDesk, ...flags: readonly string[]): Promise<string> {
  const { code, out, err } = await desk.run('import', ...flags);
  expect(code, err).toBe(0);
  desk.write('rest.yaml', out);
  const files = flags.includes('-f') ? ['-f', 'trueup.yaml', '-f', 'rest.yaml'] : ['-f', 'rest.yaml'];
  const plan = await desk.run('plan', ...files);
  expect(plan.out, plan.err).toContain(NO_CHANGES);
  return out.slice(out.indexOf('    crates:\n') + '    crates:\n'.length);
}

const EVERYTHING = `      north:
        id: cr-000001
        boxes:
          tools:
            id: bo-000002
            items:
              hammer:
                id: it-000003
              a-nail:
                id: it-000004
                name: "a nail"
          to-ys:
            id: bo-000005
            name: to/ys
            items:
              ball:
                id: it-000006
      south:
        id: cr-000007
        boxes:
          books:
            id: bo-000008
`;

describe('an import', () => {
  test('nests what is below others', async () => {
    const desk = await liveDesk(null);
    expect(await imported(desk)).toBe(EVERYTHING);
    expect((await desk.run('import')).err).toContain('Imported 2 crates, 3 boxes and 3 items of 1 project.');
    expect((await desk.run('import', '-f', 'rest.yaml')).err).toBe(
      'Nothing to import: the files list all live resources.\n',
    );
  });

  test('writes attributes, with what they refer to by its id', async () => {
    expect(await imported(await liveDesk(null), '--attributes', 'full')).toBe(
      EVERYTHING.replace('cr-000001\n', 'cr-000001\n        note: fragile\n')
        .replace('bo-000002\n', 'bo-000002\n            grade: 3\n')
        .replace('it-000003\n', 'it-000003\n                holds: it-000006\n'),
    );
  });

  test('writes a part of it, with what that is below', async () => {
    const desk = await liveDesk(null);
    expect(await imported(desk, '--target', 'shop/crates/north/boxes/tools/items/hammer')).toBe(`      north:
        id: cr-000001
        boxes:
          tools:
            id: bo-000002
            items:
              hammer:
                id: it-000003
`);
    expect(await imported(desk, '--exclude', 'shop/crates/north', '--exclude', '**/books')).toBe(
      '      south:\n        id: cr-000007\n',
    );
  });

  test('adds to what files declare, also to an entry of which nothing is written', async () => {
    const file = `${HEAD}    crates:\n      n: { name: north, boxes: { tools: {} } }\n      south: {}\n`;
    expect(await imported(await liveDesk(file), '-f', 'trueup.yaml')).toBe(`      "n":
        boxes:
          to-ys:
            id: bo-000005
            name: to/ys
            items:
              ball:
                id: it-000006
          tools:
            items:
              hammer:
                id: it-000003
              a-nail:
                id: it-000004
                name: "a nail"
      south:
        boxes:
          books:
            id: bo-000008
`);
  });

  test('takes no label that the file has given', async () => {
    const file = `${HEAD}    crates:\n      north: { boxes: { to-ys: { name: tools }, to_ys: { name: spare } } }\n`;
    const desk = await liveDesk(file);
    desk.service.put('box', 'spare', 'cr-000001');
    const text = await imported(desk, '-f', 'trueup.yaml', '--target', 'shop/crates/north');
    expect(text).toContain('          to-ys-2:\n            id: bo-000005\n            name: to/ys\n');
  });

  test('leaves out what a file cannot say, with what is in it', async () => {
    const desk = await syntheticDesk(null);
    desk.service.plant({ 'north\u0007': { has: { tools: { has: { hammer: {} } } } }, south: {} });
    expect(await imported(desk)).toBe('      south:\n        id: cr-000004\n');
    expect((await desk.run('import')).err).toContain(
      'shop/cr-000001: warning not_imported: the content of cr-000001 (1 resource) is\n  left out: no file declares cr-000001 itself\n',
    );
  });
});

describe('what no file lists', () => {
  const unlisted = async (boxes: string): Promise<readonly string[]> => {
    const desk = await syntheticDesk(`${HEAD}    crates: { north: { boxes: ${boxes} } }\n`, { columns: 200 });
    desk.service.plant({ north: { has: { 'to/ys 100%': {}, tools: {}, spare: {} } }, south: {} });
    const { out } = await desk.run('plan');
    return out
      .split('\n')
      .filter((line) => line.startsWith('  shop/'))
      .map((line) => line.replace(/:.*/, ''));
  };

  test('is addressed by its name, of which no character divides the address', async () => {
    expect(await unlisted('{ tools: {} }')).toEqual([
      '  shop/crates/north/boxes/spare',
      '  shop/crates/north/boxes/to%2Fys%20100%25',
      '  shop/crates/south',
    ]);
  });

  test('is addressed by its id where a label is its name', async () => {
    expect(await unlisted('{ spare: { name: tools } }')).toEqual([
      '  shop/crates/north/boxes/bo-000004',
      '  shop/crates/north/boxes/to%2Fys%20100%25',
      '  shop/crates/south',
    ]);
  });
});
