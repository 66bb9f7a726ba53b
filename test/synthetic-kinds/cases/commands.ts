// The other commands on trees: what they select, show, guard and write, at every depth.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { syntheticDesk, leave, type SyntheticDesk } from '../desk.ts';

afterAll(leave);

const FILE = `version: 1
projects:
  shop:
    id: shop-1
    crates:
      north:
        boxes:
          tools:
            grade: 3
            items:
              hammer: { note: old, holds: nail } # by hand
              nail: {}
          toys: {}
      south: { note: here }
`;
const TOOLS = 'shop/crates/north/boxes/tools';
const HAMMER = `${TOOLS}/items/hammer`;

async function driftedDesk(file: string = FILE): Promise<SyntheticDesk> {
  const desk = await syntheticDesk(file, { columns: 200 });
  desk.service.plant({
    north: { has: { tools: { grade: 4, has: { hammer: { note: 'new' }, nail: {}, extra: {} } }, toys: {} } },
    south: { note: 'there' },
  });
  desk.service.change('it-000003', { holds: 'it-000004' });
  return desk;
}

/** Addresses that the plan changes. */
async function changed(desk: SyntheticDesk, ...flags: readonly string[]): Promise<readonly string[]> {
  const { code, out, err } = await desk.run('plan', '--format', 'json', ...flags);
  expect(code, err).toBe(0);
  const plan = JSON.parse(out) as { readonly resource_changes: readonly (JsonObject & { readonly address: string })[] };
  return plan.resource_changes
    .filter(({ change }) => !JSON.stringify(change).includes('"no-op"'))
    .map(({ address }) => address);
}

describe('a selection', () => {
  const SOUTH = 'shop/crates/south';
  test.each([
    ['--target', HAMMER, [HAMMER]],
    ['--target', 'shop', [TOOLS, HAMMER, SOUTH]],
    ['--target', 'shop/**', [TOOLS, HAMMER, SOUTH]],
    ['--target', 'shop/crates/*', [TOOLS, HAMMER, SOUTH]],
    ['--target', 'shop/crates/s*', [SOUTH]],
    ['--target', 'shop/crates/north', [TOOLS, HAMMER]],
    ['--target', `${TOOLS}/**`, [TOOLS, HAMMER]],
    ['--target', 'shop/crates/*/boxes/*/items/*', [HAMMER]],
    ['--target', '**/hammer', [HAMMER]],
    ['--exclude', TOOLS, [SOUTH]],
    ['--exclude', '**/items', [TOOLS, SOUTH]],
    ['--exclude', '**/items/*', [TOOLS, SOUTH]],
    ['--exclude', 'shop/crates/north/**', [SOUTH]],
  ])('%s %s', async (flag, pattern, addresses) => {
    expect(await changed(await driftedDesk(), flag, pattern)).toEqual(addresses);
  });

  test('does not reach across parts with one star', async () => {
    const { code, err } = await (await driftedDesk()).run('plan', '--target', 'shop/*/hammer');
    expect(code).toBe(1);
    expect(err).toContain('shop/*/hammer matches nothing');
  });

  test('of something in what is still to be made waits for that', async () => {
    const desk = await syntheticDesk(FILE, { columns: 200 });
    expect(await changed(desk, '--target', 'shop/crates/north')).toHaveLength(5);
    const { code, err, ledger } = await desk.run('apply', '--auto-approve', '--target', HAMMER);
    expect({ code, ledger }).toEqual({ code: 5, ledger: [] });
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`${HAMMER}: a change that this change depends on does not run`);
  });
});

describe('a protection', () => {
  const removing = FILE.replace(', holds: nail', '').replace('nail: {}', 'nail: { state: absent }');
  const NAIL = `${TOOLS}/items/nail`;
  test.each([
    ['shop/crates/north', true],
    ['shop/crates/*', true],
    [`${TOOLS}/**`, true],
    ['**/nail', true],
    ['shop', true],
    ['shop/crates/south', false],
    [`${TOOLS}/items/hammer`, false],
  ])('of %s covers what is below it', async (pattern, isProtected) => {
    const desk = await driftedDesk(`${removing}safety: { protect: ["${pattern}"] }\n`);
    const { out } = await desk.run('plan', '--allow', `delete:${NAIL}`);
    expect(out.includes(`${NAIL}  delete  it-000004`)).toBe(true);
    expect(/Blocked: 1\./.test(out)).toBe(isProtected);
  });

  test('of its own entry', async () => {
    const desk = await driftedDesk(removing.replace('state: absent', 'state: absent, lifecycle: { protect: true }'));
    const { out } = await desk.run('plan', '--allow', `delete:${NAIL}`);
    expect(out).toContain('Blocked: 1.');
  });
});

describe('a difference', () => {
  test('is left to others where its entry says so', async () => {
    const file = FILE.replace('note: old', 'note: old, lifecycle: { ignore: [note] }').replace('note: here', '');
    expect(await changed(await driftedDesk(file))).toEqual([TOOLS]);
  });

  test('is held, in its own entry', async () => {
    const desk = await driftedDesk();
    const words = ['--path', 'note', '--until', '2026-02-01', '--reason', 'known'];
    expect(await desk.run('hold', HAMMER, ...words)).toMatchObject({ code: 0 });
    expect(desk.read('trueup.yaml')).toContain(
      'hammer: { note: old, holds: nail, lifecycle: { hold: [{ path: note, value: new, until: 2026-02-01, reason: known }] } } # by hand\n',
    );
    expect(await changed(desk)).toEqual([TOOLS, 'shop/crates/south']);
  });

  test('is drift, with what no file lists at its address', async () => {
    const { code, out } = await (await driftedDesk()).run('drift');
    expect(code).toBe(2);
    for (const line of [
      `  ~ ${TOOLS}  bo-000002`,
      `  ~ ${HAMMER}  it-000003`,
      '  ~ shop/crates/south  cr-000007',
      `  ${TOOLS}/items/extra: in no file: the item named "extra"`,
    ])
      expect(out).toContain(`${line}\n`);
    expect(out).toContain('Drift: 3 changed and 1 unmanaged.');
  });

  test('is told apart from what another branch asks for as well', async () => {
    const desk = await driftedDesk();
    mkdirSync(join(desk.cwd, 'base'));
    desk.write('base/trueup.yaml', FILE.replace('note: old', 'note: older').replace('          toys: {}\n', ''));
    const { out } = await desk.run('plan', '--compare-with', 'base');
    const [own = '', pending = ''] = out.split('Already pending (without this change):');
    expect(own).toContain(`${HAMMER}  update`);
    expect(pending).toContain(`${TOOLS}  update`);
    expect(own).not.toContain(`${TOOLS}  update`);
  });
});

describe('a list', () => {
  const LIVE = ['shop/crates/north', TOOLS, HAMMER, `${TOOLS}/items/nail`, 'shop/crates/north/boxes/toys'];
  test.each([
    [[], [...LIVE, 'shop/crates/south']],
    [[`${TOOLS}/**`], LIVE.slice(1, 4)],
    [
      ['shop/crates/*/boxes/t*', '--exclude', '**/items/*'],
      [TOOLS, 'shop/crates/north/boxes/toys'],
    ],
  ])('of %j', async (words, addresses) => {
    const { out } = await (await driftedDesk()).run('list', '--format', 'json', ...words);
    expect(Object.keys((JSON.parse(out) as { readonly resources: JsonObject }).resources)).toEqual(addresses);
  });
});

describe('ids', () => {
  test('are pinned where each entry stands, and hold whatever the names become', async () => {
    const desk = await driftedDesk();
    expect(await desk.run('pin')).toMatchObject({ code: 0, err: '' });
    expect(desk.read('trueup.yaml')).toBe(`version: 1
projects:
  shop:
    id: shop-1
    crates:
      north:
        boxes:
          tools:
            grade: 3
            items:
              hammer: { note: old, holds: nail, id: it-000003 } # by hand
              nail: { id: it-000004 }
            id: bo-000002
          toys: { id: bo-000006 }
        id: cr-000001
      south: { note: here, id: cr-000007 }
`);
    desk.service.change('bo-000002', { name: 'renamed' });
    expect(await changed(desk)).toEqual([TOOLS, HAMMER, 'shop/crates/south']);
  });

  test('stand as well in a file of their own', async () => {
    const desk = await driftedDesk();
    expect(await desk.run('pin', '--to', 'ids.yaml')).toMatchObject({ code: 0, err: '' });
    expect(desk.read('ids.yaml')).toContain(
      '      north: { id: cr-000001, boxes: { tools: { id: bo-000002, items: { hammer: { id: it-000003 }, nail: { id: it-000004 } } }, toys: { id: bo-000006 } } }\n',
    );
    const { out } = await desk.run('plan', '-f', 'trueup.yaml', '-f', 'ids.yaml', '--format', 'json');
    const { resource_changes: changes } = JSON.parse(out) as { resource_changes: readonly JsonObject[] };
    expect(changes.find(({ address }) => address === HAMMER)).toMatchObject({
      trueup: { resource_id: 'it-000003', matched_by: 'pinned id' },
    });
  });

  test('of what an apply makes are pinned while it runs', async () => {
    const desk = await syntheticDesk(FILE);
    expect(await desk.run('apply', '--auto-approve', '--pin')).toMatchObject({ code: 0 });
    expect(desk.read('trueup.yaml').match(/\bid: (?:cr|bo|it)-/g)).toHaveLength(6);
    expect((await desk.run('plan')).out).toContain('No changes.');
  });
});

describe('the shell is offered', () => {
  test.each([
    ['list shop/crates/north/boxes/tools/', [`${TOOLS}/items/hammer`, `${TOOLS}/items/nail`]],
    ['plan --target shop/crates/s', ['shop/crates/south']],
    [
      'plan --exclude=shop/crates/north/boxes/to',
      [TOOLS, HAMMER, `${TOOLS}/items/nail`, 'shop/crates/north/boxes/toys'],
    ],
    ['hold shop/crates/north/boxes/toy', ['shop/crates/north/boxes/toys']],
    ['import --project s', ['shop']],
    ['explain rests', ['rests_on']],
    ['explain hammer', []],
  ])('%s', async (line, offered) => {
    const desk = await syntheticDesk(FILE);
    const { out } = await desk.run('completion', 'words', '--', ...line.split(' '));
    const flag = /--[a-z]+=/.exec(line)?.[0] ?? '';
    expect(out.split('\n').slice(0, -1)).toEqual(offered.map((one) => `${flag}${one}`));
  });
});

describe('an attribute', () => {
  interface Explained {
    readonly paths: readonly string[];
    readonly change: { readonly on_change: string; readonly restarts: boolean; readonly impact: readonly string[] };
  }
  const DEEP = 'projects.PROJECT.crates.NAME.boxes.NAME.items.NAME';
  test.each([
    ['rests_on', [`${DEEP}.rests_on`], { on_change: 'update', restarts: false, impact: [] }],
    ['items.NAME.grade', [`${DEEP}.grade`], { on_change: 'update', restarts: true, impact: ['drops_connections'] }],
    ['maker', [`${DEEP}.maker`], { on_change: 'replace', restarts: false, impact: ['permanent'] }],
    [
      'crates.NAME.boxes.NAME.material',
      [`${DEEP.slice(0, -11)}.material`],
      { on_change: 'never', restarts: false, impact: [] },
    ],
  ])('%s is explained by the kind that it is of', async (word, paths, change) => {
    const { code, out, err } = await (await syntheticDesk(null)).run('explain', word, '--format', 'json');
    expect(code, err).toBe(0);
    expect((JSON.parse(out) as readonly Explained[]).map((one) => ({ paths: one.paths, change: one.change }))).toEqual([
      { paths, change },
    ]);
  });

  test('stands in the schema at its depth', async () => {
    const { out } = await (await syntheticDesk(null)).run('schema', 'desired-state');
    const { $defs } = JSON.parse(out) as { readonly $defs: Readonly<Record<string, { properties: JsonObject }>> };
    expect($defs['Box']?.properties['items']).toMatchObject({ $ref: '#/$defs/Items' });
  });
});
