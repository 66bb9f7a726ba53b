// The main job over sockets: plan, save, apply, again; and every reason to refuse, with nothing sent.
import { chmodSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deeds, openDesk, worldOf } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { silentServer } from './support/silent-server.ts';
import { startServer, type Server } from './support/server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let server: Server;
beforeAll(async () => {
  server = await startServer({
    world: worldOf('saved', 'refused', 'hash', 'seen', 'lock', 'lease', 'race', 'risk'),
  });
  const always = 'always' as const;
  await server.addFaults(
    {
      when: { method: 'POST', path: '/projects/lock-000001/endpoints' },
      times: 1,
      fault: { kind: 'latency', ms: 1000 },
    },
    {
      when: { method: 'DELETE', path: '/api_keys/*' },
      times: always,
      fault: { kind: 'reply', commit: false, status: 403 },
    },
  );
});
afterAll(cleanUp);

const RESIZE = { primary: 'branch: main, autoscaling_limit_max_cu: 2' };

describe.concurrent('a saved plan', () => {
  it('is applied exactly, and applying it again changes nothing', async () => {
    const desk = openDesk(server, 'saved');
    desk.wish({ ...RESIZE, stage: 'branch: staging' });
    const planned = await desk.run(['plan', '--detailed-exitcode', '-o', 'plan.json']);
    expect(planned.out).toMatch(/Plan: 1 to add, 1 to change, 0 to destroy\.\n$/);
    expect(planned.code).toBe(2);
    const applied = await desk.run(['apply', 'plan.json']);
    expect(applied.out).toMatch(/^Apply complete! Resources: 1 added, 1 changed, 0 destroyed\.$/m);
    expect(applied.code).toBe(0);
    const [again, replanned, drift] = await Promise.all([
      desk.run(['apply', 'plan.json'], { cwd: desk.folder }),
      desk.run(['plan', '--detailed-exitcode']),
      desk.run(['drift']),
    ]);
    expect(again.out).toMatch(/^Apply complete! Resources: 0 added, 0 changed, 0 destroyed\.$/m);
    expect(again.code).toBe(0);
    expect(replanned.out).toMatch(/\n\nNo changes\. Your infrastructure matches the configuration\.\n$/m);
    expect(replanned.code).toBe(0);
    expect(drift.code).toBe(0);
    expect(deeds(await desk.ledger()).toSorted()).toEqual(['PATCH compute', 'POST compute']);
  });

  it('is refused when edited, of another service, expired or beside another file: nothing is sent', async () => {
    const desk = openDesk(server, 'refused');
    desk.wish(RESIZE);
    const [made, short] = await Promise.all([
      desk.run(['plan', '-o', 'plan.json']),
      desk.run(['plan', '-o', 'short.json', '--expires-in', '1ms']),
    ]);
    expect([made.code, short.code]).toEqual([0, 0]);
    desk.write(
      'edited.json',
      desk.read('plan.json').replace(/"autoscaling_limit_max_cu": 2\b/g, '"autoscaling_limit_max_cu": 4'),
    );
    desk.write('cut.json', desk.read('plan.json').slice(0, -200));
    desk.write('other.yaml', desk.read('trueup.yaml').replace('max_cu: 2', 'max_cu: 4'));
    expect(desk.read('edited.json')).not.toBe(desk.read('plan.json'));
    const cases = [
      { args: ['apply', 'edited.json'], code: 1, says: /edited|digest/ },
      { args: ['apply', 'cut.json'], code: 1, says: /not JSON/ },
      {
        args: ['apply', 'plan.json', '--base-url', server.baseUrl.replace('127.0.0.1', 'localhost')],
        code: 1,
        says: /made for/,
      },
      { args: ['apply', 'short.json'], code: 4, says: /expired/ },
      {
        args: ['apply', 'plan.json', '-f', 'other.yaml'],
        code: 4,
        says: /declare\s+something\s+else\s+than\s+other\.yaml/,
      },
      { args: ['apply', 'missing.json'], code: 1, says: /cannot read missing\.json: there is no such file/ },
    ];
    const ends = await Promise.all(cases.map(({ args }) => desk.run(args)));
    ends.forEach((end, at) => {
      expect(end.err).toMatch(cases[at]?.says ?? /never/);
      expect(end.code).toBe(cases[at]?.code);
      expect(end.out).toBe('');
    });
    expect(await desk.ledger()).toEqual([]);
  });
});

describe.concurrent('approval', () => {
  it('by the hash of a reviewed plan: the right one applies, a wrong one lists what differs', async () => {
    const desk = openDesk(server, 'hash');
    desk.wish(RESIZE);
    const { out } = await desk.run(['plan', '--format', 'json']);
    const hash = (JSON.parse(out) as { trueup: { plan_hash: string } }).trueup.plan_hash;
    const wrong = await desk.run(['apply', '--expect-hash', `sha256:${'0'.repeat(64)}`]);
    expect(wrong.err).toMatch(/hash\/primary[\s\S]*stale/);
    expect(wrong.code).toBe(4);
    expect(await desk.ledger()).toEqual([]);
    expect(await desk.run(['apply', '--expect-hash', hash])).toMatchObject({ code: 0 });
    expect(deeds(await desk.ledger())).toEqual(['PATCH compute']);
  });

  it('cannot be given where nobody can be asked: no request is sent', async () => {
    const desk = openDesk(server, 'seen');
    desk.wish(RESIZE);
    const silent = await silentServer();
    const env = { TRUEUP_BASE_URL: silent.baseUrl };
    const ends = await Promise.all([
      desk.run(['apply'], { env }),
      desk.run(['apply'], { env, stdin: 'yes\n' }),
      desk.run(['apply', '--due', '--allow', '*:*'], { env }),
      desk.run(['apply', '--format', 'json'], { env }),
    ]);
    for (const { code, err } of ends) {
      expect(err).toContain('Give a saved plan (trueup apply plan.json), --expect-hash HASH or --auto-approve.');
      expect(code).toBe(1);
    }
    const named = await desk.run(['apply', 'trueup.yaml'], { env });
    expect(named.err).toContain('trueup.yaml is a file of desired state');
    expect(await silent.close()).toBe(0);
  });
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

it.concurrent('a key that can be neither stored nor revoked is named, and has an exit code of its own', async () => {
  const desk = openDesk(server, 'risk');
  desk.wish({}, 'api_keys: { at-risk: { secret: { exec: vault } } }\n');
  desk.write(desk.tool('vault.sh'), '#!/bin/sh\ncat > /dev/null\nif [ "$1" = check ]; then exit 3; fi\nexit 1\n');
  chmodSync(desk.tool('vault.sh'), 0o755);
  const { code, out, err } = await desk.run(['apply', '--auto-approve', '--sink', `vault=${desk.tool('vault.sh')}`]);
  const [made] = (await server.ledger()).filter(({ kind }) => kind === 'key');
  expect(out + err).toContain(made?.id);
  expect(code).toBe(6);
});
