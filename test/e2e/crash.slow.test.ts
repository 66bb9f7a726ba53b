// Ends that nobody asked for: a bug that escapes everything, and a heap that is too small.
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { deeds, openDesk, worldOf } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { APPLY } from './support/recovery.ts';
import { startServer } from './support/server.ts';
import { silentServer } from './support/silent-server.ts';

const WAYS = { thrown: 'throw bug', rejected: 'void Promise.reject(bug)' };

afterAll(cleanUp);
const server = await startServer({ world: worldOf('memory', ...Object.keys(WAYS)), operationMs: '1500-1500' });

/** A callback that fails as soon as the service has answered a write; what hangs on its error is nobody's business. */
const bugIn = (way: string, journal: string): string => `
import { readFileSync } from 'node:fs';
const bug = Object.assign(new Error('a callback failed'), { request: { headers: { authorization: 'Bearer canary' } } });
const timer = setInterval(() => {
  let text = '';
  try { text = readFileSync('${journal}', 'utf8'); } catch {}
  if (!text.includes('acked')) return;
  clearInterval(timer);
  ${way};
}, 20);
timer.unref();
`;

describe.concurrent('P10 an error that nothing caught', () => {
  it.each(Object.entries(WAYS))('%s: one line and exit code 3, and the next run goes on', async (name, way) => {
    const desk = openDesk(server, name);
    desk.wish({ stage: 'branch: staging', dev: 'branch: dev' });
    desk.write('bug.mjs', bugIn(way, desk.state('journal')));
    const { code, err } = await desk.run(APPLY, { env: { NODE_OPTIONS: `--import=${desk.path('bug.mjs')}` } });
    expect(err).toContain('error: bug in trueup: a callback failed\n');
    expect(err).not.toMatch(/canary|^ +at /m);
    expect(code).toBe(3);
    const next = await desk.run(APPLY);
    expect(next.code, next.err).toBe(0);
    expect(deeds(await desk.ledger())).toEqual(['POST compute', 'POST compute']);
  });
});

describe.concurrent('P11 a heap that is too small', () => {
  it('for a large file: the process dies before it sends or writes anything', async () => {
    const desk = openDesk(server, 'memory');
    const computes = Array.from({ length: 60_000 }, (_, at) => [`c${at}`, `branch: main, type: read_only`]);
    desk.wish(Object.fromEntries(computes) as Record<string, string>);
    const mute = await silentServer();
    const env = { NODE_OPTIONS: '--max-old-space-size=24', TRUEUP_BASE_URL: mute.baseUrl };
    const { signal, err } = await desk.run(APPLY, { env });
    expect(signal, err).toBe('SIGABRT');
    expect(err).toContain('JavaScript heap out of memory');
    expect(await mute.close()).toBe(0);
    expect(readdirSync(desk.folder)).not.toContain('.local');
  });
});
