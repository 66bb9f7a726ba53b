// kill -9 at any moment of an apply: run again, and the account is as the file says, with nothing made twice and no key lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDesk, worldOf, type Desk } from './support/desk.ts';
import { bin, cleanUp, until } from './support/program.ts';
import { APPLY, converges, fileKey, WISH } from './support/recovery.ts';
import { sampleOf } from '../support/full-size.ts';
import { startServer, type Server } from './support/server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const SWEEP_MS = sampleOf([350, 450, 600, 800, 1100], 3);
const MOMENTS = ['intent', 'committed', 'putting', 'zombie'] as const;

let server: Server;
beforeAll(async () => {
  server = await startServer({ world: worldOf(...MOMENTS, ...SWEEP_MS.map((ms) => `sweep${ms}`)) });
  const posts = (name: string): { method: string; path: string } => ({
    method: 'POST',
    path: `/projects/${name}-000001/endpoints`,
  });
  await server.addFaults(
    { when: posts('intent'), times: 1, fault: { kind: 'latency', ms: 2500 } },
    { when: posts('committed'), times: 1, fault: { kind: 'black-hole', commit: true } },
    { when: posts('zombie'), times: 1, fault: { kind: 'black-hole', commit: true } },
  );
});
afterAll(cleanUp);

describe.concurrent('killed', () => {
  const writes = async (desk: Desk, count: number): Promise<true | undefined> =>
    (await desk.ledger()).length >= count ? true : undefined;
  const moments: readonly {
    readonly name: (typeof MOMENTS)[number];
    readonly when: string;
    readonly reached: (desk: Desk) => true | undefined | Promise<true | undefined>;
  }[] = [
    {
      name: 'intent',
      when: 'with an intent written and nothing committed',
      reached: (desk) => (intent(desk) ? true : undefined),
    },
    {
      name: 'committed',
      when: 'with a write committed whose reply never came',
      reached: async (desk) => writes(desk, 1),
    },
  ];
  it.each(moments)('$when', async ({ name, reached }) => {
    const desk = openDesk(server, name);
    desk.wish(WISH, fileKey(`key-${name}`));
    const apply = desk.start(APPLY);
    await until(name, async () => reached(desk));
    apply.signal('SIGKILL');
    expect((await apply.ended).signal).toBe('SIGKILL');
    await converges(server, desk, `key-${name}`);
    const stored = JSON.parse(desk.read(desk.state(`secrets/key-${name}.json`))) as { readonly key: string };
    expect((await desk.run(['ping'], { env: { TRUEUP_API_KEY: stored.key } })).code).toBe(0);
  });

  it('with a key made that no place has yet: it is revoked and made anew', async () => {
    const desk = openDesk(server, 'putting');
    desk.wish(WISH, 'api_keys: { key-putting: { secret: { exec: somewhere } } }\n');
    writeFileSync(
      desk.tool('keep.sh'),
      `#!/bin/sh
case "$1" in
  check) if [ -s kept ]; then exit 0; fi; exit 3 ;;
  put) if [ ! -e putting ]; then touch putting; exec sleep 20; fi; cat > kept ;;
esac
`,
    );
    chmodSync(desk.tool('keep.sh'), 0o755);
    const sink = ['--sink', `somewhere=${desk.tool('keep.sh')}`];
    const apply = desk.start([...APPLY, ...sink]);
    await until('the program is asked to put', () => (existsSync(desk.path('putting')) ? true : undefined));
    apply.child.kill('SIGKILL');
    apply.child.stderr?.destroy();
    await until('it is dead', () => (apply.child.signalCode === null ? undefined : true));
    await converges(server, desk, 'key-putting', sink);
    const { key } = JSON.parse(desk.read('kept')) as { readonly key: string };
    expect((await desk.run(['ping'], { env: { TRUEUP_API_KEY: key } })).code).toBe(0);
  });

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
        await until('a write', async () => writes(desk, 1));
        process.kill(await pid, 'SIGKILL');
        expect(desk.read(desk.state('lock.1'))).toContain(`"pid":${await pid},`);
        await converges(server, desk, 'key-zombie');
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it.each(SWEEP_MS)('after %d ms', async (ms) => {
    const desk = openDesk(server, `sweep${ms}`);
    desk.wish(WISH, fileKey(`key-sweep${ms}`));
    const apply = desk.start(APPLY);
    await sleep(ms);
    apply.signal('SIGKILL');
    // On a fast machine it may have ended by itself.
    expect([null, 'SIGKILL']).toContain((await apply.ended).signal);
    await converges(server, desk, `key-sweep${ms}`);
  });
});

function intent(desk: Desk): boolean {
  return /"type":"intent"[^\n]*endpoints/.test(desk.read(desk.state('journal')));
}
