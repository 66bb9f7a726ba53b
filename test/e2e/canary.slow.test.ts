// No secret outside its place: neither the run's own key nor one that it makes is in any output, file, argument or environment.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openDesk, worldOf } from './support/desk.ts';
import { cleanUp, type Running } from './support/program.ts';
import { startServer } from './support/server.ts';

afterAll(cleanUp);
const server = await startServer({ world: worldOf('shop'), operationMs: '300-600' });
const desk = openDesk(server, 'shop');

/** As a step of a workflow has it: its output may be redirected into a file that others read. */
const WORKFLOW = { GITHUB_ACTIONS: 'true', CI: 'true' };

const PROGRAM = `#!/bin/sh
echo "$@" >> argv.txt
env >> env.txt
case "$1" in
  check) if [ -s vault/kept ]; then exit 0; fi; exit 3 ;;
  put) echo "a word on the way" >&2; cat > vault/kept ;;
esac
`;

/** The arguments of every process that can be seen, again and again until the run has ended. */
async function argumentsDuring(running: Running): Promise<string> {
  const seen = new Set<string>();
  while (running.child.exitCode === null) {
    for (const entry of existsSync('/proc/self') ? readdirSync('/proc') : []) {
      if (!/^\d+$/.test(entry)) continue;
      try {
        seen.add(readFileSync(`/proc/${entry}/cmdline`, 'latin1'));
      } catch {
        // It has ended since.
      }
    }
    await sleep(20);
  }
  return [...seen].join('\n');
}

/** Every file below the folder with its text, but for those that are meant to hold a secret. */
function filesBelow(folder: string, except: RegExp): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !except.test(path) && statSync(join(folder, path)).isFile())
    .map((path) => `${path}\n${readFileSync(join(folder, path), 'utf8')}`)
    .join('\n');
}

describe('a run that makes keys', () => {
  it('leaves them in their places alone', async () => {
    desk.wish(
      { stage: 'branch: staging' },
      'api_keys: { in-file: { secret: { file: in-file.json } }, in-vault: { secret: [{ exec: vault }, { file: both.json }] } }\n',
    );
    desk.write(desk.tool('keep.sh'), PROGRAM);
    chmodSync(desk.tool('keep.sh'), 0o755);
    mkdirSync(desk.path('vault'));
    const sink = ['--sink', `vault=${desk.tool('keep.sh')}`];
    const writes = ['--write', 'markdown=plan.md', '--write', 'html=plan.html'];
    const planned = await desk.run(['plan', '-o', 'plan.json', ...writes, ...sink]);
    expect(planned.code, planned.err).toBe(0);
    const outputs = '--log-file apply.log --write json=result.json --write html=result.html --write markdown=result.md';
    const apply = desk.start(
      ['apply', 'plan.json', '--format', 'ndjson', '-v', ...outputs.split(' '), '--poll-interval', '200ms', ...sink],
      { env: WORKFLOW },
    );
    const seen = await argumentsDuring(apply);
    const applied = await apply.ended;
    expect(applied.code, applied.err).toBe(0);
    const others = await Promise.all([
      desk.run(['keys', '-v', ...sink]),
      desk.run(['list', '--format', 'env', ...sink]),
      desk.run(['show', 'result.json']),
      desk.run(['plan', '-v', ...sink]),
      desk.run(['plan', '-v', ...sink], { env: { NODE_DEBUG: 'http,http2,https,net,tls,undici,fetch' } }),
      desk.run(['plan', '-v'], { env: { TRUEUP_DEBUG: '1', TRUEUP_API_KEY: `${server.key}x` } }),
    ]);
    const secretOf = (path: string): string => (JSON.parse(desk.read(path)) as { readonly key: string }).key;
    const made = [
      secretOf(desk.state('secrets/in-file.json')),
      secretOf('vault/kept'),
      secretOf(desk.state('secrets/both.json')),
    ];
    expect(new Set(made).size).toBe(2);
    const shown = [planned, applied, ...others].flatMap(({ out, err }) => [out, err]).join('\n');
    const files = filesBelow(desk.folder, /(\/secrets\/|^vault\/kept)/);
    expect(files).toContain('argv.txt\ncheck vault\n');
    expect(files).toContain('put vault\n');
    expect(seen).toContain('--log-file');
    for (const secret of [...made, server.key]) {
      expect(secret.length).toBeGreaterThan(20);
      for (const text of [shown, files, seen]) {
        expect(text.includes(secret)).toBe(false);
        expect(text.includes(Buffer.from(secret).toString('base64').slice(0, 24))).toBe(false);
        expect(text.includes(secret.slice(0, 20))).toBe(false);
      }
    }
    for (const name of ['in-file.json', 'both.json'])
      expect(statSync(desk.state(`secrets/${name}`)).mode & 0o777).toBe(0o600);
  });
});
