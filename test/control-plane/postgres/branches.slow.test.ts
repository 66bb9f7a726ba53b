// Branches with data: clones, replicas, restores, deletion and recovery, each seen through SQL.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, SHOP } from '../world.ts';
import { missingPostgres, openDesk, signedIn } from './served.ts';

describe.skipIf(missingPostgres !== undefined)('data of branches', { timeout: 60_000 }, () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let main: string;
  beforeAll(async () => {
    desk = await openDesk();
    main = await desk.uri();
    await desk.rows(main, 'CREATE TABLE orders (id int)');
    await desk.rows(main, 'INSERT INTO orders VALUES (1), (2)');
  });
  afterAll(() => desk.close());

  const rows = (uri: string): Promise<unknown[]> => desk.rows(uri, 'SELECT id FROM orders ORDER BY id');

  it('a child has the rows of its parent and no later ones, and its own stay its own', async () => {
    const child = await desk.branchFrom(MAIN, 'clone-of-a-running-one');
    await desk.rows(main, 'INSERT INTO orders VALUES (3)');
    await desk.rows(child.uri, 'INSERT INTO orders VALUES (10)');
    expect(await rows(child.uri)).toEqual([1, 2, 10]);
    expect(await rows(main)).toEqual([1, 2, 3]);
  });

  it('a child of a branch at rest has its rows too', async () => {
    const first = await desk.branchFrom(MAIN, 'at-rest');
    await desk.done('POST', `${SHOP}/endpoints/${first.compute}/suspend`);
    expect(await rows((await desk.branchFrom(first.id, 'below-at-rest')).uri)).toEqual([1, 2, 3]);
  });

  it('a replica follows its primary and refuses writes', async () => {
    const asked = { endpoint: { branch_id: MAIN, type: 'read_only' } };
    const { endpoint } = await desk.done('POST', `${SHOP}/endpoints`, asked);
    const replica = await desk.uri({ endpoint_id: endpoint.id });
    await desk.rows(main, 'INSERT INTO orders VALUES (4)');
    const isThere = async (): Promise<boolean> => (await rows(replica)).includes(4);
    await expect.poll(isThere).toBe(true);
    expect(await desk.refusal(replica, 'INSERT INTO orders VALUES (5)')).toBe('25006');
    // It outlives a restart of its primary, and follows it again.
    const held = await desk.connect(replica);
    await desk.done('POST', `${SHOP}/endpoints/${main.split('%3D')[1]}/restart`);
    await desk.rows(main, 'DELETE FROM orders WHERE id = 4');
    const isGone = async (): Promise<boolean> =>
      !(await held.query<{ id: number }>('SELECT id FROM orders')).rows.some(({ id }) => id === 4);
    await expect.poll(isGone).toBe(true);
    await desk.done('DELETE', `${SHOP}/endpoints/${endpoint.id}`);
    expect(await desk.refusal(replica)).toBe('08001');
  });

  it('a replica shows what its primary did before it stopped', async () => {
    const { id, compute, uri } = await desk.branchFrom(MAIN, 'with-a-replica');
    const asked = { endpoint: { branch_id: id, type: 'read_only' } };
    const { endpoint } = await desk.done('POST', `${SHOP}/endpoints`, asked);
    const suspend = `${SHOP}/endpoints/${compute}/suspend`;
    await desk.done('POST', suspend);
    const { role } = await desk.done('POST', `${SHOP}/branches/${id}/roles`, { role: { name: 'reader' } });
    const replica = await desk.uri({ endpoint_id: endpoint.id });
    expect(await desk.refusal(signedIn(replica, 'reader', role.password))).toBeUndefined();
    await desk.rows(uri, 'INSERT INTO orders VALUES (40)');
    await desk.done('POST', suspend);
    expect(await rows(replica)).toContain(40);
  });

  it('a restored branch has the state of its parent, and keeps its own under another name', async () => {
    const child = await desk.branchFrom(MAIN, 'to-be-restored');
    await desk.rows(child.uri, 'INSERT INTO orders VALUES (20)');
    const asked = { source_branch_id: MAIN, preserve_under_name: 'as-it-was' };
    await desk.done('POST', `${SHOP}/branches/${child.id}/restore`, asked);
    expect(await rows(child.uri)).toEqual([1, 2, 3]);
    const { branches } = await desk.request('GET', `${SHOP}/branches?search=as-it-was`);
    const kept = await desk.branchFrom(branches[0]?.id ?? '', 'below-as-it-was');
    expect(await rows(kept.uri)).toEqual([1, 2, 3, 20]);
  });

  it('a deleted branch comes back with its rows', async () => {
    const child = await desk.branchFrom(MAIN, 'to-be-deleted');
    await desk.rows(child.uri, 'INSERT INTO orders VALUES (30)');
    await desk.done('DELETE', `${SHOP}/branches/${child.id}`);
    expect(await desk.refusal(child.uri)).toBe('08001');
    await desk.done('POST', `${SHOP}/branches/${child.id}/recover`);
    expect(await rows(child.uri)).toEqual([1, 2, 3, 30]);
  });

  it('what real data cannot give is refused by its name', async () => {
    const past = { branch: { parent_timestamp: '2026-01-01T00:00:00Z' } };
    const schema = { branch: { init_source: 'schema-only' } };
    const restore = { source_branch_id: MAIN, source_lsn: '0/14EE150', preserve_under_name: 'x' };
    expect(await desk.request('POST', `${SHOP}/branches`, past)).toMatchObject({ status: 501, code: 'NOT_MODELLED' });
    expect(await desk.request('POST', `${SHOP}/branches`, schema)).toMatchObject({ status: 501 });
    expect(await desk.request('POST', `${SHOP}/branches/${MAIN}/restore`, restore)).toMatchObject({ status: 501 });
  });

  it('the data of what can no longer be recovered is removed, and no other', async () => {
    const child = await desk.branchFrom(MAIN, 'to-be-purged');
    const made = await desk.done('POST', '/projects', { project: { name: 'to-be-purged' } });
    await desk.done('DELETE', `${SHOP}/branches/${child.id}`);
    await desk.done('DELETE', `/projects/${made.project.id}`);
    const gone = [child.id, made.branch.id];
    const left = (): string[] => readdirSync(join(desk.served.postgresOf?.folder ?? '', 'timelines'));
    expect(left()).toEqual(expect.arrayContaining(gone));
    desk.served.controlPlane.clock.setForward(Date.now() + 8 * 86_400_000);
    await expect.poll(() => left().filter((name) => gone.includes(name)), { timeout: 10_000 }).toEqual([]);
    expect(await rows(main)).toContain(1);
  });
});
