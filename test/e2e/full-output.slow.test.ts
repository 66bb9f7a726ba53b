// Standard output on a full disk: a result that could not be written is an error, and help has an exit code of its own.
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openDesk, RESIZE, worldOf } from './support/desk.ts';
import { cleanUp, newFolder, start } from './support/program.ts';
import { startServer } from './support/server.ts';

afterAll(cleanUp);
const server = await startServer({ world: worldOf('full', 'ndjson') });

/** Runs what follows with its standard output on a disk that takes nothing. */
const ON_FULL_DISK = ['sh', '-c', 'exec "$0" "$@" > /dev/full'];
const SAID = 'error: cannot write to standard output: ENOSPC\n';

describe.skipIf(!existsSync('/dev/full')).concurrent('standard output on a full disk', () => {
  it.each([['--version'], ['--help'], ['schema', 'plan']])('is an error of %s %s', async (...words) => {
    const { code, err } = await start(words, { cwd: newFolder(), via: ON_FULL_DISK }).ended;
    expect({ code, err }).toEqual({ code: 1, err: SAID });
  });

  it.each([
    ['full', 'human'],
    ['ndjson', 'ndjson'],
  ])('does not stop the apply of %s with --format %s, which does not count as done', async (name, format) => {
    const desk = openDesk(server, name);
    desk.wish(RESIZE);
    const apply = ['apply', '--auto-approve', '--format', format, '--write', 'json=result.json'];
    const { code, err } = await desk.run(apply, { via: ON_FULL_DISK });
    expect(err).toContain(SAID);
    expect(code).toBe(3);
    expect(JSON.parse(desk.read('result.json'))).toMatchObject({ status: 'converged' });
  });
});

it('help for a command is no error', async () => {
  const { code, out } = await start(['help', 'plan'], { cwd: newFolder() }).ended;
  expect(out).toContain('Usage: trueup plan');
  expect(code).toBe(0);
});
