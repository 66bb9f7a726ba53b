// kill -9 at every named failpoint of the built program: the next run makes the account as the file says, and nothing twice.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_POINTS, type RunPoint } from '../../src/apply/run/run.ts';
import type { FaultRule } from '../../src/control-plane/faults/plan.ts';
import { sampleOf } from '../support/full-size.ts';
import { openDesk, worldOf } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { APPLY, converges, fileKey, WISH } from './support/recovery.ts';
import { startServer } from './support/server.ts';

interface Story {
  readonly point: RunPoint;
  /** The how many-th time that the run passes it; the first unless told. */
  readonly nth?: number;
  /** A reply of the project that is lost after the write was done. */
  readonly losesReply?: boolean;
  /** The place for the secret cannot take it, until the run was killed. */
  readonly sinkIsFull?: boolean;
}

const STORIES: readonly Story[] = [
  { point: 'approved' },
  { point: 'locked' },
  { point: 'reserved' },
  { point: 'intended' },
  { point: 'intended', nth: 3 },
  { point: 'answered' },
  { point: 'answered', nth: 3 },
  { point: 'settling', losesReply: true },
  { point: 'acked' },
  { point: 'waiting' },
  { point: 'stored' },
  { point: 'proved' },
  { point: 'removing', sinkIsFull: true },
  { point: 'ended' },
  { point: 'executed' },
  { point: 'verified' },
  { point: 'leaving' },
];

const nameOf = ({ point, nth = 1 }: Story): string => `${point}${nth}`;

afterAll(cleanUp);
const server = await startServer({ world: worldOf(...STORIES.map(nameOf)) });
await server.addFaults(
  ...STORIES.filter(({ losesReply = false }) => losesReply).map((story): FaultRule => ({
    when: { method: 'POST', path: `/projects/${nameOf(story)}-000001/endpoints` },
    times: 1,
    fault: { kind: 'after-commit-before-reply' },
  })),
);

it('each failpoint is documented', () => {
  const page = readFileSync(join(import.meta.dirname, '../simulation/README.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+)` +\| (.+?) +\|$/gm)].map(([, name = '', words = '']) => [name, words]);
  expect(Object.fromEntries(rows)).toEqual(RUN_POINTS);
});

it('has a story for each failpoint', () => {
  expect([...new Set(STORIES.map(({ point }) => point))]).toEqual(Object.keys(RUN_POINTS));
});

const PLAYED = sampleOf(STORIES, 2).map((story) => ({ ...story, name: nameOf(story) }));

describe.concurrent('killed', () => {
  it.each(PLAYED)('at $name', async ({ name, ...story }) => {
    const { point, nth = 1, sinkIsFull = false } = story;
    const desk = openDesk(server, name);
    const key = `key-${name}`;
    desk.wish(WISH, sinkIsFull ? `api_keys: { ${key}: { secret: { exec: vault } } }\n` : fileKey(key));
    desk.write(desk.tool('vault.sh'), VAULT);
    chmodSync(desk.tool('vault.sh'), 0o755);
    if (sinkIsFull) desk.write('full', '');
    const args = sinkIsFull ? ['--sink', `vault=${desk.tool('vault.sh')}`] : [];
    const killed = await desk.run([...APPLY, ...args], { env: { TRUEUP_FAILPOINT: `${point}:${nth}` } });
    expect(killed.signal, killed.out + killed.err).toBe('SIGKILL');
    rmSync(desk.path('full'), { force: true });
    await converges(server, desk, key, args);
    const { key: value } = JSON.parse(desk.read(sinkIsFull ? 'kept' : desk.state(`secrets/${key}.json`))) as {
      readonly key: string;
    };
    expect((await server.request<readonly unknown[]>('GET', '/api_keys', undefined, value)).length).toBeGreaterThan(0);
  });
});

describe('a failpoint', () => {
  it('that does not exist is an error, and nothing is sent', async () => {
    const desk = openDesk(server, nameOf({ point: 'approved' }));
    const { code, err } = await desk.run(['ping'], { env: { TRUEUP_FAILPOINT: 'somewhere' } });
    expect(err).toMatch(/^error: TRUEUP_FAILPOINT takes NAME or NAME:N\n {2}The names: approved, locked, /);
    expect(code).toBe(1);
  });
});

/** Keeps what it is given, when there is room. */
const VAULT = `#!/bin/sh
case "$1" in
  check) if [ -s kept ]; then exit 0; fi; exit 3 ;;
  put) if [ -e full ]; then echo 'no room' >&2; exit 1; fi; cat > kept ;;
esac
`;
