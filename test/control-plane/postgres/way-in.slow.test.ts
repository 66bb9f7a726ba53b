// The way in outlives a restart, and `list` tells it without a password: the kept port, a port that is taken, and lines for psql.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, newFolder, run, start, type Running } from '../../e2e/support/program.ts';
import { PRIMARY, missingPostgres, openBeside } from './served.ts';

afterAll(cleanUp);

interface Program {
  readonly process: Running;
  readonly url: string;
  readonly port: number;
  readonly key: string;
}

async function serve(...more: string[]): Promise<Program> {
  const process = start(['serve', '--port', '0', '--postgres', '--data', data, ...more], { cwd: newFolder('pg') });
  await process.shows(/^postgres on \S+\n/m);
  return {
    process,
    url: /^listening on (\S+)$/m.exec(process.out())?.[1] ?? '',
    port: Number(/^postgres on \S+:(\d+)$/m.exec(process.out())?.[1]),
    key: readFileSync(join(data, 'root-key'), 'utf8').trim(),
  };
}

/** Served by one test after the other: a new cluster takes most of the time that a start takes. */
const data = newFolder('pg-data');

async function stop({ process }: Program): Promise<void> {
  process.signal('SIGTERM');
  expect((await process.ended).code).toBe(0);
}

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
    const first = await serve();
    const uri = await openBeside(first).uri();
    await stop(first);
    const second = await serve();
    expect(second.port).toBe(first.port);
    expect(await openBeside(second).rows(uri, 'SELECT 1')).toEqual([1]);
    await stop(second);
    const other = createServer().listen(first.port, '127.0.0.1');
    const refused = await run(['serve', '--postgres', '--port', '0', '--data', data], { cwd: newFolder('files') });
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `port ${first.port} is in use\n  Give another --postgres-port, or 0 to pick a free port.`,
      ) as string,
    });
    const third = await serve('--postgres-port', '0');
    expect(third.port).not.toBe(first.port);
    await stop(third);
    other.close();
    const fourth = await serve();
    expect(fourth.port).toBe(third.port);
    await stop(fourth);
  });

  it('is a line for psql in the list, and a variable, without a password', async () => {
    const served = await serve();
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
    const { password } = new URL(await openBeside(served).uri());
    const withPassword = new URL(uri);
    withPassword.password = password;
    expect(await openBeside(served).rows(withPassword.href, 'SELECT 1')).toEqual([1]);
    expect(human.out).not.toContain(password);
    await stop(served);
    const without = start(['serve', '--port', '0', '--data', data], { cwd });
    await without.shows(/^listening on \S+\n/m);
    const url = /^listening on (\S+)$/m.exec(without.out())?.[1] ?? '';
    const { out } = await run(['list'], { cwd, env: { ...env, TRUEUP_BASE_URL: `${url}/api/v2` } });
    expect(out).not.toContain('psql');
    without.signal('SIGTERM');
    await without.ended;
  });
});
