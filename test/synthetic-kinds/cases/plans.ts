// Plans that name what is not known yet: for people, for programs, saved, hashed, and carried out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { syntheticDesk, leave, type SyntheticDesk } from '../desk.ts';
import type { Tree } from '../service.ts';
import { stateOf } from '../../support/state.ts';

afterAll(leave);

const HEAD = 'version: 1\nprojects:\n  shop:\n    id: shop-1\n    crates:\n';
const CRATES: readonly string[] = [
  '      north: { boxes: { tools: { items: { hammer: { holds: south/spare/nail } } } } }\n',
  '      south: { beside: north, boxes: { spare: { items: { nail: {} } } } }\n',
];
const WISH = HEAD + CRATES.join('');
const MADE: Tree = {
  north: { has: { tools: { has: { hammer: { holds: 'nail' } } } } },
  south: { beside: 'north', has: { spare: { has: { nail: {} } } } },
};
const HAMMER = 'shop/crates/north/boxes/tools/items/hammer';
const NAIL = 'shop/crates/south/boxes/spare/items/nail';

interface PlanJson {
  readonly resource_changes: readonly {
    readonly address: string;
    readonly change: { readonly after: JsonObject; readonly after_unknown: JsonObject };
  }[];
  readonly trueup: {
    readonly plan_hash: string;
    readonly steps: readonly {
      readonly address: string;
      readonly path: string;
      readonly parent_id?: string;
      readonly body: JsonObject;
    }[];
  };
}

async function planOf(desk: SyntheticDesk): Promise<PlanJson> {
  const { out, err } = await desk.run('plan', '--format', 'json');
  expect(err).toBe('');
  return JSON.parse(out) as PlanJson;
}

describe('a reference to what is still to be made', () => {
  test.each(['human', 'markdown', 'html'])('is known after apply (%s)', async (format) => {
    const desk = await syntheticDesk(WISH, { columns: 200 });
    const { out } = await desk.run('plan', '--format', format);
    expect(out).toContain(`${NAIL} (known after apply)`);
    expect(out).toContain('shop/crates/north (known after apply)');
    expect(out).not.toContain('"ref"');
  });

  test('stands as itself in the JSON, in paths by its address, and is unknown there', async () => {
    const { resource_changes: changes, trueup } = await planOf(await syntheticDesk(WISH));
    const change = changes.find(({ address }) => address === HAMMER)?.change;
    expect(change?.after).toEqual({ name: 'hammer', holds: { ref: NAIL, field: 'id' } });
    expect(change?.after_unknown).toEqual({ id: true, holds: true });
    expect(trueup.steps.find(({ address }) => address === HAMMER)).toMatchObject({
      path: '/projects/shop-1/boxes/{shop/crates/north/boxes/tools}/items',
      parent_id: '{shop/crates/north/boxes/tools}',
      body: { member: { name: 'hammer', holds: { ref: NAIL, field: 'id' } } },
    });
  });

  test('is an id like any other once that lives', async () => {
    const desk = await syntheticDesk(WISH, { columns: 200 });
    desk.service.plant({ south: { has: { spare: { has: { nail: {} } } } } });
    const { resource_changes: changes } = await planOf(desk);
    const change = changes.find(({ address }) => address === HAMMER)?.change;
    expect(change).toMatchObject({ after: { holds: 'it-000003' }, after_unknown: { id: true } });
  });
});

describe('the plan hash', () => {
  const hashOf = async (yaml: string): Promise<string> => (await planOf(await syntheticDesk(yaml))).trueup.plan_hash;

  test('is that of the same plan at another time, of a file in another order', async () => {
    expect(await hashOf(HEAD + CRATES.toReversed().join(''))).toBe(await hashOf(WISH));
  });

  test('is another one where something else is referred to', async () => {
    const with2 = `${WISH}      west: {}\n`;
    expect(await hashOf(with2.replace('beside: north', 'beside: west'))).not.toBe(await hashOf(with2));
  });
});

describe('a saved plan', () => {
  const saved = async (): Promise<SyntheticDesk> => {
    const desk = await syntheticDesk(WISH);
    const { code, err } = await desk.run('plan', '--out', 'plan.json');
    expect(code, err).toBe(0);
    return desk;
  };
  const COMPLETE = 'Apply complete! Resources: 6 added, 0 changed, 0 destroyed.\n';

  test('is carried out, and read back with the ids that were learned', async () => {
    const desk = await saved();
    expect(await desk.run('apply', 'plan.json', '--auto-approve')).toMatchObject({ code: 0, out: COMPLETE });
    expect(desk.service.tree()).toEqual(MADE);
    expect((await desk.run('plan')).out).toContain('No changes.');
  });

  test('is satisfied when it is carried out again', async () => {
    const desk = await saved();
    await desk.run('apply', 'plan.json', '--auto-approve');
    const again = await desk.run('apply', 'plan.json', '--auto-approve');
    expect(again).toMatchObject({ code: 0, ledger: [] });
    expect(again.err).toContain(`${HAMMER}: created already [id=it-000006]`);
  });

  test('does the rest where others have made a part of it', async () => {
    const desk = await saved();
    const north = desk.service.put('crate', 'north');
    desk.service.put('crate', 'south', null, { beside: north.id });
    const { code, ledger } = await desk.run('apply', 'plan.json', '--auto-approve');
    expect({ code, made: ledger.toSorted() }).toEqual({
      code: 0,
      made: ['create box spare', 'create box tools', 'create item hammer', 'create item nail'],
    });
    expect(desk.service.tree()).toEqual(MADE);
  });

  test('no longer fits where what is there refers to something else', async () => {
    const desk = await saved();
    const west = desk.service.put('crate', 'west');
    desk.service.put('crate', 'south', null, { beside: west.id });
    const { code, err, ledger } = await desk.run('apply', 'plan.json', '--auto-approve');
    expect({ code, ledger }).toEqual({ code: 4, ledger: [] });
    expect(err).toContain(
      'shop/crates/south: the resource cr-000002, which the plan does not know, has taken the slot',
    );
  });

  test('is refused where a path leads elsewhere', async () => {
    const desk = await saved();
    const text = desk.read('plan.json');
    desk.write('plan.json', text.replaceAll('{shop/crates/south}', '{shop/crates/north}'));
    const { code, err, wire } = await desk.run('apply', 'plan.json', '--auto-approve');
    expect({ code, wire }).toEqual({ code: 1, wire: [] });
    expect(err).toContain('the plan was changed');
  });

  test('shows what is known after apply', async () => {
    const desk = await saved();
    expect((await desk.run('show', 'plan.json')).out).toContain('(known after apply)');
  });
});

describe('--expect-hash', () => {
  test('takes the plan that was reviewed', async () => {
    const desk = await syntheticDesk(WISH);
    const { trueup } = await planOf(desk);
    const { code } = await desk.run('apply', '--auto-approve', '--expect-hash', trueup.plan_hash);
    expect({ code, tree: desk.service.tree() }).toEqual({ code: 0, tree: MADE });
  });

  test('refuses one in which an id has become known', async () => {
    const desk = await syntheticDesk(WISH);
    const { trueup } = await planOf(desk);
    desk.service.plant({ north: {} });
    const { code, err, ledger } = await desk.run('apply', '--auto-approve', '--expect-hash', trueup.plan_hash);
    expect({ code, ledger }).toEqual({ code: 4, ledger: [] });
    expect(err.replace(/\s+/g, ' ')).toContain('The files, the account or the flags differ from the reviewed plan.');
  });
});

test('the journal tells what was sent: ids, and no placeholder', async () => {
  const desk = await syntheticDesk(WISH);
  await desk.run('apply', '--auto-approve');
  const lines = readFileSync(join(stateOf(desk.cwd), 'journal'), 'utf8')
    .trim()
    .split('\n');
  const intents = lines.map((line) => JSON.parse(line) as JsonObject).filter(({ type }) => type === 'intent');
  expect(intents.map(({ verb, path }) => `${String(verb)} ${String(path)}`)).toEqual([
    'POST /projects/shop-1/crates',
    'POST /projects/shop-1/crates',
    'POST /projects/shop-1/crates/cr-000001/boxes',
    'POST /projects/shop-1/crates/cr-000002/boxes',
    'POST /projects/shop-1/boxes/bo-000004/items',
    'POST /projects/shop-1/boxes/bo-000003/items',
  ]);
});
