// The way in outlives a restart, and `list` tells it without a password: the kept port, a port that is taken, and lines for psql.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, newFolder, run, start } from '../../e2e/support/program.ts';
import { PRIMARY } from '../world.ts';
import { missingPostgres, startProgram, stop } from './served.ts';

afterAll(cleanUp);

/** Served by one test after the other: a new cluster takes most of the time that a start takes. */
const data = newFolder('pg-data');

const FILE = `version: 1
projects:
  shop:
    branches:
      main:
        roles: { shop_owner: {} } # has the id of the connection
        connections: { shop_owner: { role: shop_owner, database: shopdb, secret: { file: app.json } } }
    computes:
      primary: { branch: main }
`;

describe.skipIf(missingPostgres !== undefined)('the way in', { timeout: 120_000 }, () => {
  it('is the same after a restart, and somebody else at its port is refused, not evaded', async () => {
    const first = await startProgram(data);
    const uri = await first.desk.uri();
    await stop(first);
    const second = await startProgram(data);
    expect(second.port).toBe(first.port);
    expect(await second.desk.rows(uri, 'SELECT 1')).toEqual([1]);
    await stop(second);
    const other = createServer().listen(first.port, '127.0.0.1');
    const refused = await run(['serve', '--postgres', '--port', '0', '--data', data], { cwd: newFolder('files') });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(
      `port ${first.port} is in use\n  Give another --postgres-port, or 0 to pick a free port.`,
    );
    const third = await startProgram(data, ['--postgres-port', '0']);
    expect(third.port).not.toBe(first.port);
    await stop(third);
    other.close();
    const fourth = await startProgram(data);
    expect(fourth.port).toBe(third.port);
    await stop(fourth);
  });

  it('is a line for psql in the list, and a variable, without a password', async () => {
    const served = await startProgram(data);
    const cwd = newFolder('files');
    writeFileSync(join(cwd, 'trueup.yaml'), FILE);
    const env = { TRUEUP_BASE_URL: `${served.url}/api/v2`, TRUEUP_API_KEY: served.key };
    const uri = `postgresql://shop_owner@127.0.0.1:${served.port}/shopdb?sslmode=require&options=endpoint%3D${PRIMARY}`;
    const human = await run(['list'], { cwd, env });
    const lines = ['shop/branches/main/connections/shop_owner', 'shop/primary'].map(
      (at) => `  psql '${uri}'  # ${at}\n`,
    );
    expect(human.out).toContain(`\nTo connect (psql asks for the password):\n${lines.join('')}`);
    expect((await run(['list', '--format', 'env'], { cwd, env })).out).toContain(`SHOP_PRIMARY_URI='${uri}'\n`);
    const { password } = new URL(await served.desk.uri());
    const withPassword = new URL(uri);
    withPassword.password = password;
    expect(await served.desk.rows(withPassword.href, 'SELECT 1')).toEqual([1]);
    expect(human.out).not.toContain(password);
    await stop(served);
    const without = start(['serve', '--port', '0', '--data', data], { cwd });
    await without.shows(/^listening on \S+\n/m);
    const url = /^listening on (\S+)$/m.exec(without.out())?.[1] ?? '';
    const { out } = await run(['list'], { cwd, env: { ...env, TRUEUP_BASE_URL: `${url}/api/v2` } });
    expect(out).not.toContain('psql');
    await stop({ process: without });
  });
});
