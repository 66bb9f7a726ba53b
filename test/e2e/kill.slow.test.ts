// kill -9 of an apply whose parent does not reap it: the next run takes the lock over, and makes nothing twice.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { openDesk, worldOf } from './support/desk.ts';
import { bin, cleanUp, until } from './support/program.ts';
import { APPLY, converges, fileKey, WISH } from './support/recovery.ts';
import { startServer } from './support/server.ts';

afterAll(cleanUp);
const server = await startServer({ world: worldOf('zombie') });
await server.addFaults({
  when: { method: 'POST', path: '/projects/zombie-000001/endpoints' },
  times: 1,
  fault: { kind: 'black-hole', commit: true },
});

describe.concurrent('killed', () => {
  it.skipIf(process.platform !== 'linux')(
    'and not yet reaped by its parent: its lock is taken over at once',
    async () => {
      const desk = openDesk(server, 'zombie');
      desk.wish(WISH, fileKey('key-zombie'));
      const parent = spawn('sh', ['-c', '"$0" "$@" & echo $!; exec sleep 60', process.execPath, bin, ...APPLY], {
        cwd: desk.folder,
        env: {
          PATH: process.env['PATH'],
          HOME: desk.folder,
          TRUEUP_API_KEY: server.key,
          TRUEUP_BASE_URL: server.baseUrl,
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const pid = once(parent.stdout, 'data').then(([chunk]) => Number(chunk));
        await until('a write', async () => ((await desk.ledger()).length > 0 ? true : undefined));
        process.kill(await pid, 'SIGKILL');
        expect(desk.read(desk.state('lock.1'))).toContain(`"pid":${await pid},`);
        await converges(server, desk, 'key-zombie');
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );
});
