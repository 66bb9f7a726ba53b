// A swap of two primaries that is ended between its legs: the summary and the result name the branch without one, the next run ends it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDesk, worldOf } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { startServer, type Server } from './support/server.ts';

vi.setConfig({ testTimeout: 60_000 });

const NAMES = ['waits', 'leaves', 'hangs', 'twice', 'unasked'];

let server: Server;
beforeAll(async () => {
  const { projects = [] } = worldOf(...NAMES);
  server = await startServer({
    world: {
      version: 1,
      projects: projects.map((project) => ({
        ...project,
        computes: [...(project.computes ?? []), { id: `ep-${project.name}-staging`, branch: 'staging' }],
      })),
    },
  });
  const slow = { on: 'operation', kind: 'slow', durationMs: 2000 } as const;
  await server.addFaults({ when: {}, times: 'always', fault: slow });
});
afterAll(cleanUp);

const APPLY = ['apply', '--auto-approve', '--allow', 'move:*', '--poll-interval', '200ms'];
const swap = (name: string): Readonly<Record<string, string>> => ({
  blue: `id: ep-${name}-main, branch: staging, lifecycle: { via: dev }`,
  green: `id: ep-${name}-staging, branch: main`,
});

describe.concurrent('a swap is ended between its legs', () => {
  it.each<[string, readonly NodeJS.Signals[], number]>([
    ['waits', ['SIGINT'], 130],
    ['leaves', ['SIGTERM'], 143],
    ['hangs', ['SIGHUP'], 143],
    ['twice', ['SIGINT', 'SIGINT'], 130],
  ])('%s by %j', async (name, signals, expected) => {
    const desk = openDesk(server, name);
    desk.wish(swap(name));
    const apply = desk.start([...APPLY, '--write', 'json=result.json']);
    await apply.shows('moving out of the way...');
    for (const signal of signals) {
      apply.signal(signal);
      if (signals.length > 1) await apply.shows('a second signal stops at once');
    }
    const { code, out, err } = await apply.ended;
    expect(code, out + err).toBe(expected);
    // A second signal leaves no time to read the account: the next plan names the branch.
    const isRead = signals.length === 1;
    expect(JSON.parse(desk.read('result.json'))).toMatchObject({
      status: 'interrupted',
      without_primary: isRead ? [`br-${name}-main`] : [],
    });
    const told = (out + err).replace(/\s+/g, ' ');
    if (isRead) expect(told).toContain(`branch main (br-${name}-main) has no primary now`);
    else expect(told).toContain('Run trueup apply again');
    expect((await desk.run(['plan'])).out.replace(/\s+/g, ' ')).toMatch(/Warning: .*has no primary/);
    const next = await desk.run(APPLY);
    expect(next.code, next.out + next.err).toBe(0);
    expect((await desk.run(['plan', '--detailed-exitcode'])).code).toBe(0);
  });

  it('unless nobody consented to it: then it does not begin', async () => {
    const desk = openDesk(server, 'unasked');
    desk.wish(swap('unasked'));
    const { code, err } = await desk.run(['apply', '--auto-approve']);
    expect(code).toBe(5);
    expect(err).toMatch(/--allow\s+move:unasked\/blue/);
    expect(await desk.ledger()).toEqual([]);
  });
});
