// The life of the local control plane's process: killed at any time, started again on the same folder, never two on one folder.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDesk, worldOf } from './support/desk.ts';
import { bin, cleanUp, newFolder, run, start, until, type Running } from './support/program.ts';
import { stateOf } from '../support/state.ts';
import { socketClock } from '../support/fake-io.ts';
import { play } from '../support/play.ts';
import { startServer } from './support/server.ts';

afterAll(cleanUp);

describe.concurrent('a folder in use', () => {
  it('is refused to --local and to a second server, naming the process; free again once that was killed', async () => {
    const server = await startServer({ world: worldOf('shop') });
    const desk = openDesk(server, 'shop');
    desk.wish({ stage: 'branch: staging' });
    const local = ['plan', `--local=${server.data}`];
    const env = { TRUEUP_BASE_URL: '' };
    const refused = await Promise.all([
      desk.run(local, { env }),
      run(['serve', '--port', '0', '--data', server.data], { cwd: desk.folder }),
    ]);
    for (const { code, err } of refused) {
      expect(err).toContain(`process ${server.process.pid}`);
      expect(code).toBe(1);
    }
    server.process.signal('SIGKILL');
    await server.process.ended;
    const taken = await desk.run(local, { env });
    expect(taken.err).not.toContain('error');
    expect(taken.code).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')(
    'is free although the killed server was not yet reaped by its parent',
    async () => {
      const folder = newFolder('zombie');
      const data = join(folder, 'data');
      // The shell becomes a program that never asks after its children.
      const parent = spawn(
        'sh',
        ['-c', `"$0" "$1" serve --port 0 --data "$2" & echo "pid $!"; exec sleep 60`, process.execPath, bin, data],
        { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
      );
      try {
        let shown = '';
        parent.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
        const pid = await until('the server listens', () =>
          shown.includes('listening on') ? Number(/^pid (\d+)$/m.exec(shown)?.[1]) : undefined,
        );
        process.kill(pid, 'SIGKILL');
        // On a busy machine a killed process may take a while to die.
        const dead = (): true | undefined => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ') || undefined;
        await until('the server is dead', dead);
        expect(await run(['ping', `--local=${data}`], { cwd: folder })).toMatchObject({ code: 0 });
        expect(dead()).toBe(true);
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );
});

describe.concurrent('a server that keeps nothing', () => {
  const ephemeral = ['serve', '--ephemeral', '--port', '0'];
  const keyFileOf = (server: Running): string => /^API key: in (.*)$/m.exec(server.err())?.[1] ?? '';
  const projectsAt = async (server: Running): Promise<number> => {
    const url = /^listening on (\S+)$/m.exec(server.out())?.[1] ?? '';
    const headers = { Authorization: `Bearer ${readFileSync(keyFileOf(server), 'utf8').trim()}` };
    return (await fetch(`${url}/api/v2/projects`, { headers })).status;
  };

  it('runs any number of times in one folder, also beside a server that holds it, and leaves nothing there', async () => {
    const cwd = newFolder('many');
    const holder = start(['serve', '--port', '0'], { cwd });
    await holder.shows('listening on');
    const held = readdirSync(join(stateOf(cwd), 'local')).sort();
    const servers = [start(ephemeral, { cwd }), start(ephemeral, { cwd })];
    for (const server of servers) await server.shows('listening on');
    expect(await Promise.all([holder, ...servers].map(projectsAt))).toEqual([200, 200, 200]);
    const files = servers.map(keyFileOf);
    expect(new Set(files).size).toBe(2);
    expect(readdirSync(join(stateOf(cwd), 'local')).sort()).toEqual(held);
    servers[0]?.signal('SIGTERM');
    servers[1]?.signal('SIGINT');
    expect((await Promise.all(servers.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
    expect(files.filter((file) => existsSync(dirname(file)))).toEqual([]);
    expect(readdirSync(join(stateOf(cwd), 'local')).sort()).toEqual(held);
  });

  it('makes no folder, and hands its key to its user alone', async () => {
    const cwd = newFolder('clean');
    const server = start(ephemeral, { cwd });
    await server.shows('listening on');
    expect(readdirSync(cwd)).toEqual([]);
    const file = keyFileOf(server);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('leaves no key behind where it cannot start', async () => {
    const cwd = newFolder('taken');
    const server = start(ephemeral, { cwd });
    await server.shows('listening on');
    const port = new URL(/^listening on (\S+)$/m.exec(server.out())?.[1] ?? '').port;
    const env = { TMPDIR: newFolder('tmp') };
    expect((await run(['serve', '--ephemeral', '--port', port], { cwd, env })).err).toContain(`port ${port} is in use`);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
  });
});

describe.concurrent('what a script needs of a server', () => {
  it('is on its streams, line by line, and in the ready file as long as it runs', async () => {
    const cwd = newFolder('ready');
    const ready = join(cwd, 'ready.json');
    writeFileSync(ready, 'of an earlier run');
    const server = start(['serve', '--port', '0', '--ready-file', 'ready.json'], { cwd });
    await server.shows('listening on');
    const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(server.out())?.[1] ?? '';
    const key_file = join(stateOf(cwd), 'local/root-key');
    const variables = `TRUEUP_BASE_URL=${url}/api/v2 TRUEUP_API_KEY_FILE=${key_file}`;
    expect(server.err()).toBe(`console: ${url}/\nAPI key: in ${key_file}\nto use the server:\nexport ${variables}\n`);
    expect(JSON.parse(readFileSync(ready, 'utf8'))).toEqual({ url, console: `${url}/`, key_file, postgres: null });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/`, { headers: { Accept: 'text/html' } })).status).toBe(200);
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(existsSync(ready)).toBe(false);
  });
});

describe.concurrent('a server that is told how to behave', () => {
  it('takes plan, switches, faults and the clock from the command line, and logs the requests', async () => {
    const cwd = newFolder('told');
    const flags = '--plan free --switch expiryStatus=400 --switch refusedDelete=409 --clock +30d,frozen'.split(' ');
    const fault = ['--fault', 'rate-limited,method=PATCH', '--fault', '{"lockedProjects":["autumn-lab-418822"]}'];
    const served = ['serve', '--ephemeral', '--port', '0', '--ready-file', 'r.json', '--request-log', 'log.jsonl'];
    const server = start([...served, ...flags, ...fault], { cwd });
    await server.shows('listening on');
    const ready = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as { url: string; key_file: string };
    const key = readFileSync(ready.key_file, 'utf8').trim();
    const ask = async (method: string, path: string, body?: object): Promise<[number, Headers]> => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const reply = await fetch(`${ready.url}/api/v2${path}`, { method, headers, ...sent });
      return [reply.status, reply.headers];
    };
    const main = '/projects/spring-example-302709/branches/br-wispy-meadow-118737';
    expect((await ask('PATCH', main, { branch: {} }))[0]).toBe(429);
    expect((await ask('PATCH', main, { branch: { protected: true } }))[0]).toBe(422);
    expect((await ask('PATCH', main, { branch: { expires_at: '2020-01-01T00:00:00Z' } }))[0]).toBe(400);
    expect((await ask('DELETE', main))[0]).toBe(409);
    expect((await ask('PATCH', '/projects/autumn-lab-418822', { project: { name: 'x' } }))[0]).toBe(423);
    const [status, headers] = await ask('GET', '/projects');
    expect(status).toBe(200);
    expect(Date.parse(headers.get('date') ?? '') - Date.now()).toBeGreaterThan(29 * 86_400_000);
    const log = readFileSync(join(cwd, 'log.jsonl'), 'utf8');
    expect(
      log
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { status: number }).status),
    ).toEqual([429, 422, 400, 409, 423, 200]);
    expect(log).not.toContain(key);
    expect(statSync(join(cwd, 'log.jsonl')).mode & 0o777).toBe(0o600);
  });
});

describe.concurrent('a server that strangers can reach', () => {
  it('says so', async () => {
    const cwd = newFolder('exposed');
    const serve = start(['serve', '--ephemeral', '--port', '0', '--host', '0.0.0.0', '--allow-insecure'], { cwd });
    await serve.shows('listening on');
    serve.signal('SIGTERM');
    const { err } = await serve.ended;
    expect(err).toMatch(/^warning: other machines can reach 0\.0\.0\.0: .*plaintext$/m);
  });

  it('cuts a request whose headers trickle after fifteen seconds', async () => {
    const server = await startServer({ world: worldOf('shop') });
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const sinceMs = performance.now();
    socket.write('GET /api/v2/projects HTTP/1.1\r\n');
    const trickle = setInterval(() => socket.write('x: y\r\n'), 1000);
    socket.resume();
    // A header sent just after the cut is an error, for which `once` would reject.
    await new Promise((resolve) => {
      socket.on('close', resolve);
    });
    clearInterval(trickle);
    expect((performance.now() - sinceMs) / 1000).toBeGreaterThan(14);
    expect((performance.now() - sinceMs) / 1000).toBeLessThan(20);
  });
});

describe.concurrent('the settings of serve', () => {
  const cases: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['--port', '70000'], /0 to 65535/],
    [['--port', 'x'], /0 to 65535/],
    [['--host', '0.0.0.0', '--port', '0'], /0\.0\.0\.0 is reachable from other machines/],
    [['--operation-ms', '9-1', '--port', '0'], /--operation-ms takes/],
    [['--seed', 'missing.yaml', '--port', '0'], /cannot read missing\.yaml: .*ENOENT/],
    [['--tls-cert', 'a.pem', '--port', '0'], /cannot read a\.pem/],
    [['--tls-cert', 'plain.txt', '--tls-key', 'plain.txt', '--port', '0'], /the TLS key pair cannot be used/],
    [['--data', 'plain.txt', '--port', '0'], /cannot make the folder plain\.txt: .*EEXIST/],
    [['--host', '', '--port', '0'], /--host takes an address/],
    [['--host-name', 'http://db', '--port', '0'], /"http:\/\/db" is no host name/],
    [['--ready-file', 'none/ready.json', '--port', '0'], /cannot write none\/ready\.json/],
    [['--plan', 'huge', '--port', '0'], /Allowed choices are free, launch, scale/],
    [['--switch', 'locking=maybe', '--port', '0'], /the switch locking can be/],
    [['--switch', 'locking', '--port', '0'], /NAME=VALUE/],
    [['--fault', 'nonsense', '--port', '0'], /kind can be/],
    [['--clock', 'yesterday', '--port', '0'], /--clock takes/],
    [['--clock', '2020-01-01T00:00:00Z', '--port', '0'], /is not set back/],
    [['--request-log', 'none/log', '--port', '0'], /the folder does not exist/],
  ];
  it('that cannot be used are refused', async () => {
    const folder = newFolder('settings');
    writeFileSync(join(folder, 'plain.txt'), 'nothing that a server can use');
    for (const [args, says] of cases) {
      const { code, err } = await play(['serve', ...args], { cwd: folder, clock: socketClock() });
      expect(err).toMatch(says);
      expect(code).toBe(1);
    }
  });
});
