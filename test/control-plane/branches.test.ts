// Branches, as far as clients of computes meet them: names, the default, protection, children, and what goes with a branch.
import { describe, expect, it } from 'vitest';
import { DEV, ENDPOINTS, MAIN, PRIMARY, SHOP, createActive, makeWorld } from './world.ts';

const BRANCHES = `${SHOP}/branches`;

describe('the default branch', () => {
  it('is one, whichever it is, and the ledger tells of both that changed', async () => {
    const world = makeWorld();
    expect((await world.send('POST', `${BRANCHES}/${DEV}/set_as_default`)).body.branch.default).toBe(true);
    const { branches } = (await world.send('GET', BRANCHES)).body;
    expect(branches.filter((branch) => branch.default).map(({ id }) => id)).toEqual([DEV]);
    const noted = world.plane.ledger().filter(({ kind }) => kind === 'branch');
    expect(noted.map(({ id, after }) => [id, (after as { default: boolean }).default])).toEqual([
      [MAIN, false],
      [DEV, true],
    ]);
    const again = world.plane.ledger().length;
    await world.send('POST', `${BRANCHES}/${DEV}/set_as_default`);
    expect(world.plane.ledger().slice(again)).toMatchObject([{ id: DEV }]);
  });
});

describe('the ledger', () => {
  it('tells of a project with its branches and computes, when it is made and when it goes', async () => {
    const world = makeWorld();
    const { project } = (await world.send('POST', '/projects', { project: { name: 'fresh' } })).body;
    await world.pass(3000);
    await world.send('DELETE', `/projects/${project.id}`);
    const noted = world.plane.ledger().filter((entry) => entry.projectId === project.id);
    expect(noted.map(({ verb, kind }) => `${verb} ${kind}`)).toEqual([
      'POST branch',
      'POST compute',
      'POST project',
      'DELETE compute',
      'DELETE branch',
      'DELETE project',
    ]);
  });
});

describe('a delete', () => {
  it('takes the computes with it and drops their connections, and the ledger says so', async () => {
    const world = makeWorld();
    const active = await createActive(world, DEV);
    const idle = await createActive(world, DEV, { type: 'read_only' });
    await world.send('POST', `${ENDPOINTS}/${idle}/suspend`);
    await world.pass(2000);
    const connection = world.plane.truth.connect(active);
    const gone = await world.send('DELETE', `${BRANCHES}/${DEV}`);
    expect(gone.body.operations.map(({ action, endpoint_id: id }) => [action, id])).toEqual([
      ['suspend_compute', active],
      ['delete_timeline', undefined],
    ]);
    expect(connection.isOpen()).toBe(false);
    const noted = world.plane.ledger().slice(-3);
    expect(noted.map(({ id, droppedConnections }) => [id, droppedConnections])).toEqual([
      [active, true],
      [idle, false],
      [DEV, false],
    ]);
    expect((await world.send('GET', ENDPOINTS)).body.endpoints.map(({ id }) => id)).toEqual([PRIMARY]);
    expect((await world.send('DELETE', `${BRANCHES}/${DEV}`)).status).toBe(204);
  });
});
