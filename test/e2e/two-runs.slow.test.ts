// Two runs of the built program at once: one waits for nobody, takes nothing over, and makes nothing twice.
import { afterAll, describe, expect, it } from 'vitest';
import { deeds, openDesk, worldOf } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { startServer } from './support/server.ts';

afterAll(cleanUp);
const server = await startServer({ world: worldOf('lock', 'lease', 'race') });
await server.addFaults({
  when: { method: 'POST', path: '/projects/lock-000001/endpoints' },
  times: 1,
  fault: { kind: 'latency', ms: 1000 },
});

describe.concurrent('two runs at once', () => {
  it('in one folder: the second is refused and names the first', async () => {
    const desk = openDesk(server, 'lock');
    desk.wish({ stage: 'branch: staging', dev: 'branch: dev' });
    const first = desk.start(['apply', '--auto-approve', '--poll-interval', '200ms']);
    await first.shows('creating...');
    // However long the second takes: the first still has something to do.
    first.signal('SIGSTOP');
    const second = await desk.run(['apply', '--auto-approve']);
    expect(second.err).toContain(`another apply is running in this folder (process ${first.pid})`);
    expect(second.code).toBe(1);
    first.signal('SIGCONT');
    expect((await first.ended).code).toBe(0);
    expect(deeds(await desk.ledger())).toEqual(['POST compute', 'POST compute']);
  });

  it('in one folder of two machines: the second names the process and the file, and takes nothing over', async () => {
    const desk = openDesk(server, 'lease');
    desk.wish({ stage: 'branch: staging' });
    const first = desk.start(['apply', '--auto-approve'], { env: { TRUEUP_FAILPOINT: 'locked' } });
    expect((await first.ended).signal).toBe('SIGKILL');
    // As a container leaves it behind on a volume that is kept.
    desk.write(
      desk.state('lock.1'),
      desk.read(desk.state('lock.1')).replace(/"host":"[^"]*"/, '"host":"a-container pid:[1]"'),
    );
    const { code, err } = await desk.run(['apply', '--auto-approve']);
    expect(code).toBe(1);
    expect(err).toContain(`process ${first.pid} on a-container`);
    expect(err.replaceAll(/\s+/g, '')).toContain(`delete${desk.state('lock.1')}`);
    expect(JSON.parse(desk.read(desk.state('lock.1')))).toMatchObject({ pid: first.pid });
  });

  it('in two folders: each tells the truth, nothing is made twice', async () => {
    const desks = [openDesk(server, 'race'), openDesk(server, 'race')];
    const ends = await Promise.all(
      desks.map((desk) => {
        desk.wish({ stage: 'branch: staging', dev: 'branch: dev' });
        return desk.run(['apply', '--auto-approve', '--poll-interval', '200ms']);
      }),
    );
    for (const { code, err } of ends) expect([0, 3, 4], err).toContain(code);
    const next = await desks[0]?.run(['apply', '--auto-approve', '--poll-interval', '200ms']);
    expect(next?.code).toBe(0);
    expect(deeds(await server.ledger('race-000001'))).toEqual(['POST compute', 'POST compute']);
  });
});
