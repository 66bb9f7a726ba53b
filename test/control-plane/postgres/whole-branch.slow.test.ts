// What a file keeps of a branch, with the built program and a real Postgres: connections that work, passwords that end, data that stays.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, newFolder, run } from '../../e2e/support/program.ts';
import { MAIN, PRIMARY, SHOP } from '../world.ts';
import { missingPostgres, openDesk } from './served.ts';
import { stateOf } from '../../support/state.ts';

/** What may differ between one version of the file and the next. */
interface Wish {
  readonly database?: string;
  readonly renamedFrom?: string;
  readonly rotate?: string;
  readonly pooled?: boolean;
  readonly spare?: 'there' | 'absent' | null;
}

function fileOf({ database = 'orders', renamedFrom, rotate, pooled = false, spare = null }: Wish): string {
  const renamed = renamedFrom === undefined ? '' : `, renamed_from: ${renamedFrom}`;
  const rotated = rotate === undefined ? '' : `, rotate: { not_before: ${rotate} }`;
  const branch = spare === 'absent' ? 'spare: { state: absent }' : 'spare: { from: main }';
  return `version: 1
projects:
  shop:
    branches:
      main:
        id: ${MAIN}
        roles: { app: { password: { file: role.json }${rotated} } }
        databases: { ${database}: { owner: app${renamed} } }
        connections: { app: { role: app, database: ${database}, pooled: ${pooled}, secret: { file: app.json } } }
${spare === null ? '' : `      ${branch}\n`}    computes:
      primary: { id: ${PRIMARY}, branch: main }
${spare === 'there' ? '      spare: { branch: spare }\n' : ''}`;
}

afterAll(cleanUp);

describe.skipIf(missingPostgres !== undefined)('a branch kept by a file', { timeout: 120_000 }, () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let folder: string;
  beforeAll(async () => {
    desk = await openDesk();
    folder = newFolder('whole-branch');
  });
  afterAll(() => desk.close());

  const apply = async (wish: Wish, ...more: string[]): Promise<{ code: number; out: string }> => {
    writeFileSync(join(folder, 'trueup.yaml'), fileOf(wish));
    const { url, key } = desk.served;
    const env = { TRUEUP_API_KEY: key, TRUEUP_BASE_URL: `${url}/api/v2` };
    const { code, out, err } = await run(['apply', '--auto-approve', ...more], { cwd: folder, env });
    return { code: code ?? -1, out: `${out}${err}` };
  };
  const stored = (name: string): Readonly<Record<string, string>> =>
    JSON.parse(readFileSync(join(stateOf(folder), 'secrets', name), 'utf8')) as Readonly<Record<string, string>>;
  const uri = (): string => stored('app.json')['uri'] ?? '';
  const done = async (wish: Wish, ...more: readonly string[]): Promise<string> => {
    const { code, out } = await apply(wish, ...more);
    expect(code, out).toBe(0);
    return out;
  };

  it('the connection that was just written works', async () => {
    const out = await done({});
    expect(await desk.rows(uri(), 'SELECT current_user')).toEqual(['app']);
    expect(await desk.rows(uri(), 'SELECT current_database()')).toEqual(['orders']);
    expect(out).not.toContain(stored('role.json')['password'] ?? '?');
    await desk.rows(uri(), "CREATE TABLE kept AS SELECT 'row' AS word");
  });

  it('one through the pooler works as well', async () => {
    await done({ pooled: true });
    expect(await desk.rows(uri(), 'SELECT word FROM kept')).toEqual(['row']);
    await done({});
  });

  it('a renamed database keeps its rows, and the connection follows', async () => {
    await done({ database: 'sales', renamedFrom: 'orders' }, '--allow', '*:*');
    expect(stored('app.json')['database']).toBe('sales');
    expect(await desk.rows(uri(), 'SELECT word FROM kept')).toEqual(['row']);
  });

  it('after a rotation the old password fails and the new one works', async () => {
    const before = uri();
    await done({ database: 'sales', rotate: new Date().toISOString() }, '--allow', '*:*');
    expect(await desk.refusal(before)).toBe('28P01');
    expect(stored('role.json')['password']).not.toBe(new URL(before).password);
    expect(await desk.rows(uri(), 'SELECT word FROM kept')).toEqual(['row']);
  });

  it('a drop that nobody lets loses nothing; one by consent can be taken back as the plan says', async () => {
    await done({ database: 'sales', spare: 'there' });
    const { branches } = await desk.request('GET', `${SHOP}/branches`);
    const spare = branches.find(({ name }) => name === 'spare')?.id ?? '';
    const read = async (): Promise<unknown[]> => {
      const asked = { branch_id: spare, role_name: 'app', database_name: 'sales' };
      const { endpoints } = await desk.request('GET', `${SHOP}/branches/${spare}/endpoints`);
      return desk.rows(await desk.uri({ ...asked, endpoint_id: endpoints[0]?.id ?? '' }), 'SELECT word FROM kept');
    };
    expect(await read()).toEqual(['row']);
    const blocked = await apply({ database: 'sales', spare: 'absent' });
    expect(blocked.code, blocked.out).toBe(5);
    expect(await read()).toEqual(['row']);
    const out = await done({ database: 'sales', spare: 'absent' }, '--allow', 'drop:shop/branches/spare');
    expect(out.replaceAll(/\s+/g, '')).toContain(`/branches/${spare}/recover`);
    await desk.done('POST', `${SHOP}/branches/${spare}/recover`);
    expect(await read()).toEqual(['row']);
  });
});
