// Signals to the real process: what is running is finished or named, nothing new starts, and the next run converges.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { deeds, openDesk, worldOf, type Desk } from './support/desk.ts';
import { cleanUp, until, type Running } from './support/program.ts';
import { APPLY, runAgain } from './support/recovery.ts';
import { silentServer } from './support/silent-server.ts';
import { startServer } from './support/server.ts';

/** Ends of the process while a program stores a key. */
const AT_ONCE = ['interrupts', 'hangup'] as const;

afterAll(cleanUp);
const server = await startServer({
  world: worldOf('soft', 'term', 'hung-up', 'request', 'twice', 'planning', 'first', 'init', ...AT_ONCE),
});
const always = 'always' as const;
const writesOf = (name: string): { method: string; path: string } => ({
  method: 'POST',
  path: `/projects/${name}-000001/endpoints`,
});
await server.addFaults(
  { when: writesOf('soft'), times: always, fault: { kind: 'latency', ms: 700 } },
  { when: { projectId: 'term-000001' }, times: always, fault: { on: 'operation', kind: 'slow', durationMs: 4000 } },
  { when: { projectId: 'hung-up-000001' }, times: always, fault: { on: 'operation', kind: 'slow', durationMs: 4000 } },
  { when: writesOf('first'), times: 1, fault: { kind: 'latency', ms: 1200 } },
  { when: writesOf('request'), times: 1, fault: { kind: 'latency', ms: 1200 } },
  { when: { projectId: 'twice-000001' }, times: always, fault: { on: 'operation', kind: 'slow', durationMs: 4000 } },
);

const THREE = { stage: 'branch: staging', dev: 'branch: dev', test: 'branch: test' };
/** Process ids of its own, of which the program has the first. */
const IN_CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc'];

const committed = async (desk: Desk, count: number): Promise<unknown> =>
  until(`${count} writes`, async () => ((await desk.ledger()).length >= count ? true : undefined));

/** How long the process took to end from now on. */
async function timeToEnd(running: Running): Promise<number> {
  const sinceMs = performance.now();
  await running.ended;
  return performance.now() - sinceMs;
}

/** The next run ends what is left, and nothing is made twice. */
async function converges(desk: Desk, expected: readonly string[]): Promise<void> {
  const next = await desk.run(APPLY);
  expect(next.code, next.out + next.err).toBe(0);
  expect(deeds(await desk.ledger())).toEqual(expected);
  expect((await desk.run(['plan', '--detailed-exitcode'])).code).toBe(0);
}

describe.concurrent('SIGINT', () => {
  it('once: the write under way and its operation are finished, no other step starts', async () => {
    const desk = openDesk(server, 'soft');
    desk.wish(THREE);
    const apply = desk.start([...APPLY, '--write', 'json=result.json']);
    await apply.shows('creating...');
    apply.signal('SIGINT');
    const { code, out } = await apply.ended;
    expect(code).toBe(130);
    expect(out).not.toContain('Apply complete!');
    expect(deeds(await desk.ledger())).toEqual(['POST compute']);
    const result = JSON.parse(desk.read('result.json')) as { status: string; steps: { outcome: string }[] };
    expect(result.status).toBe('interrupted');
    expect(result.steps.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'not_started', 'not_started']);
    await converges(desk, ['POST compute', 'POST compute', 'POST compute']);
  });

  it('while a plan is read: it ends at once', async () => {
    const desk = openDesk(server, 'planning');
    desk.wish(THREE);
    const mute = await silentServer({ hangsUp: false });
    const plan = desk.start(['plan'], { env: { TRUEUP_BASE_URL: mute.baseUrl } });
    await mute.knocked;
    plan.signal('SIGINT');
    expect(await timeToEnd(plan)).toBeLessThan(2000);
    expect(await plan.ended).toMatchObject({ code: 130, out: '' });
    await mute.close();
  });

  it('twice: the process ends at once, and the next run joins the operations that still run', async () => {
    const desk = openDesk(server, 'twice');
    desk.wish(THREE);
    const apply = desk.start([...APPLY, '--format', 'ndjson', '--write', 'json=result.json']);
    await committed(desk, 3);
    apply.signal('SIGINT');
    await apply.shows('a second signal stops at once');
    apply.signal('SIGINT');
    expect(await timeToEnd(apply)).toBeLessThan(2500);
    const { code, out } = await apply.ended;
    expect(code).toBe(130);
    const [last = ''] = out.trimEnd().split('\n').slice(-1);
    const counts = { unknown: 3, not_started: 0 };
    expect(JSON.parse(last)).toMatchObject({ type: 'run_finished', status: 'interrupted', counts });
    const { status, steps } = JSON.parse(desk.read('result.json')) as { status: string; steps: { outcome: string }[] };
    expect({ status, outcomes: steps.map(({ outcome }) => outcome) }).toEqual({
      status: 'interrupted',
      outcomes: ['unknown', 'unknown', 'unknown'],
    });
    await converges(desk, ['POST compute', 'POST compute', 'POST compute']);
  });
});

describe.concurrent('while a program stores a key', () => {
  /** Stores what it is given; the first time after the run is over, unless somebody ends it. */
  const SLOW_VAULT = `#!/bin/sh
if [ "$1" = check ]; then [ -s vault ] && exit 0; exit 3; fi
record=$(cat)
if [ ! -e putting ]; then echo $$ > putting; while [ ! -e proceed ]; do sleep 0.1; done; fi
printf '%s\\n' "$record" > vault
`;

  /** The state of a process, in a letter; empty where there is none. */
  const stateOf = (pid: string): string =>
    spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.slice(0, 1);

  /** An apply whose program is at it, and how the next one converges with a key that works. */
  async function storing(
    name: (typeof AT_ONCE)[number],
  ): Promise<{ desk: Desk; apply: Running; next: () => Promise<void> }> {
    const desk = openDesk(server, name);
    desk.wish({}, `api_keys: { key-${name}: { secret: { exec: vault } } }\n`);
    desk.write(desk.tool('vault.sh'), SLOW_VAULT);
    chmodSync(desk.tool('vault.sh'), 0o755);
    const args = [...APPLY, '--sink', `vault=${desk.tool('vault.sh')}`];
    const apply = desk.start([...args, '--format', 'json', '--write', 'markdown=result.md']);
    await until('the program stores', () => (desk.read('putting') === '' ? undefined : true));
    const next = async (): Promise<void> => {
      await runAgain(desk, args);
      // Whoever had been left behind would store its old value now; nobody is, but perhaps one that is dead and not yet buried.
      expect(stateOf(desk.read('putting').trim())).toMatch(/^Z?$/);
      desk.write('proceed', '');
      const { key } = JSON.parse(desk.read('vault')) as { readonly key: string };
      expect((await desk.run(['ping'], { env: { TRUEUP_API_KEY: key } })).code).toBe(0);
      const keys = await server.request<readonly { readonly name: string }[]>('GET', '/api_keys');
      expect(keys.filter((one) => one.name === `key-${name}`)).toHaveLength(1);
    };
    return { desk, apply, next };
  }

  it('SIGINT twice ends it too, and names the key that is kept nowhere: exit code 6', async () => {
    const { desk, apply, next } = await storing('interrupts');
    apply.signal('SIGINT');
    await apply.shows('a second signal stops at once');
    apply.signal('SIGINT');
    const { code, out, err } = await apply.ended;
    expect(code, out + err).toBe(6);
    const result = JSON.parse(out) as { secrets_at_risk: { id: string }[]; steps: { resource_id: string }[] };
    const [{ id } = { id: '' }] = result.secrets_at_risk;
    expect(result.steps).toMatchObject([{ outcome: 'unknown', resource_id: id }]);
    expect(err).toMatch(new RegExp(`${id} was created, and neither stored nor revoked`));
    expect(err).toMatch(new RegExp(`curl -X DELETE .*/api_keys/${id}'`));
    expect(desk.read('result.md')).toContain(id);
    await next();
    // The next run waits half a minute for what the first one asked for.
  }, 120_000);

  it('a terminal that is closed (SIGHUP) ends it in time, and what is kept nowhere is revoked', async () => {
    const { apply, next } = await storing('hangup');
    apply.signal('SIGHUP');
    const tookMs = await timeToEnd(apply);
    const { code, out, err } = await apply.ended;
    expect(code, out + err).toBe(143);
    expect(tookMs).toBeLessThan(9500);
    expect(err).toContain('The terminal was closed: no new step starts; finishing open requests.');
    const keys = await server.request<readonly { readonly name: string }[]>('GET', '/api_keys');
    expect(keys.filter(({ name }) => name === 'key-hangup')).toEqual([]);
    await next();
  });
});

describe.concurrent.each([
  ['SIGTERM', 'term'],
  ['SIGHUP', 'hung-up'],
] as const)('%s', (signal, name) => {
  it('stops waiting for operations and names them as still running', async () => {
    const desk = openDesk(server, name);
    desk.wish(THREE);
    const apply = desk.start(APPLY);
    await committed(desk, 3);
    apply.signal(signal);
    expect(await timeToEnd(apply)).toBeLessThan(3500);
    const { code, out } = await apply.ended;
    expect(code).toBe(143);
    expect(out).toMatch(/still running/);
    await converges(desk, ['POST compute', 'POST compute', 'POST compute']);
  });
});

describe.concurrent('SIGTERM', () => {
  it('lets the request under way finish', async () => {
    const desk = openDesk(server, 'request');
    desk.wish({ stage: 'branch: staging' });
    const apply = desk.start(APPLY);
    await apply.shows('creating...');
    apply.signal('SIGTERM');
    const { code } = await apply.ended;
    expect(code).toBe(143);
    expect(deeds(await desk.ledger())).toEqual(['POST compute']);
    await converges(desk, ['POST compute']);
  });
});

describe.skipIf(spawnSync('unshare', [...IN_CONTAINER.slice(1), 'true']).status !== 0)(
  'P20 as the first process of a container',
  () => {
    /** The program itself, behind the one that made the container. */
    const inside = ({ pid }: Running): number =>
      Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());

    it.each([
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)('%s ends a plan at once', async (signal, code) => {
      const desk = openDesk(server, 'init');
      desk.wish(THREE);
      const mute = await silentServer({ hangsUp: false });
      const plan = desk.start(['plan'], { env: { TRUEUP_BASE_URL: mute.baseUrl }, via: IN_CONTAINER });
      await mute.knocked;
      process.kill(inside(plan), signal);
      expect((await plan.ended).code).toBe(code);
      await mute.close();
    });

    it('SIGTERM lets an apply finish the request under way', async () => {
      const desk = openDesk(server, 'first');
      desk.wish({ stage: 'branch: staging' });
      const apply = desk.start(APPLY, { via: IN_CONTAINER });
      await apply.shows('creating...');
      process.kill(inside(apply), 'SIGTERM');
      expect((await apply.ended).code).toBe(143);
      expect(deeds(await desk.ledger())).toEqual(['POST compute']);
      await converges(desk, ['POST compute']);
    });
  },
);
