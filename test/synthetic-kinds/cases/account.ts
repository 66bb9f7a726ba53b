// Trees that no project holds: read, made, changed, saved, imported and removed as those of projects are.
import { afterAll, describe, expect, test } from 'vitest';
import { syntheticDesk, leave } from '../desk.ts';
import type { Tree } from '../service.ts';

afterAll(leave);

const WISH = `version: 1
barns:
  old: { beside: new, stalls: { left: { beside: right, note: dry }, right: {} } }
  new: {}
`;
const MADE: Tree = {
  old: { beside: 'new', has: { left: { beside: 'right', note: 'dry' }, right: {} } },
  new: {},
};
const NO_CHANGES = 'No changes. Your infrastructure matches the configuration.';

describe('what the account holds', () => {
  test('is made in order, read below what lives, changed and removed', async () => {
    const desk = await syntheticDesk(WISH);
    const made = await desk.run('apply', '--auto-approve');
    expect(made, made.err).toMatchObject({
      code: 0,
      ledger: ['create barn new', 'create barn old', 'create stall right', 'create stall left'],
    });
    expect(desk.service.tree(null)).toEqual(MADE);
    const { out, wire } = await desk.run('plan');
    expect(out).toContain(NO_CHANGES);
    expect(wire).toEqual(['GET /barns', 'GET /barns/ba-000002/stalls']);
    desk.write('trueup.yaml', WISH.replace('dry', 'wet').replace('right: {}', 'right: {}, spare: {}'));
    expect((await desk.run('apply', '--auto-approve')).ledger.toSorted()).toEqual([
      'create stall spare',
      'update stall left',
    ]);
    desk.write(
      'trueup.yaml',
      'version: 1\nbarns: { old: { stalls: { left: { state: absent }, right: { state: absent } } }, new: {} }\n',
    );
    expect((await desk.run('apply', '--auto-approve', '--allow', 'delete:**')).ledger).toEqual([
      'delete stall left',
      'delete stall right',
    ]);
  });

  test('is made by a saved plan, once', async () => {
    const desk = await syntheticDesk(WISH);
    await desk.run('plan', '--out', 'plan.json');
    expect(await desk.run('apply', 'plan.json', '--auto-approve')).toMatchObject({ code: 0 });
    expect(await desk.run('apply', 'plan.json', '--auto-approve')).toMatchObject({ code: 0, ledger: [] });
    expect(desk.service.tree(null)).toEqual(MADE);
  });

  test('is imported, listed and selected at its depth', async () => {
    const desk = await syntheticDesk(null);
    const barn = desk.service.put('barn', 'old');
    desk.service.put('stall', 'left', barn.id);
    const { out } = await desk.run('import');
    expect(out).toContain('barns:\n  old:\n    id: ba-000001\n    stalls:\n      left:\n        id: st-000002\n');
    desk.write('trueup.yaml', out);
    expect((await desk.run('plan')).out).toContain(NO_CHANGES);
    expect((await desk.run('list', 'barns/*/stalls/*')).out).toContain('barns/old/stalls/left  st-000002');
    desk.service.put('stall', 'right', barn.id);
    expect((await desk.run('plan')).out).toContain('  barns/old/stalls/right: the stall named "right"\n');
  });

  test('is no place for what a project holds', async () => {
    const { code, err } = await (
      await syntheticDesk('version: 1\nprojects: { shop: { barns: { old: {} } } }\n')
    ).run('plan');
    expect(code).toBe(1);
    expect(err).toContain('barns');
  });
});
