// Pipes and terminals: readers that leave, readers that are slow, a person who types, and one who hangs up.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deeds, openDesk, worldOf, type Desk } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { startServer, type Server } from './support/server.ts';

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const REFUSALS = [
  ['a single letter', 'y\n'],
  ['capitals', 'YES\n'],
  ['spaces around it', ' yes \n'],
  ['nothing', '\n'],
  ['another line first', 'no\nyes\n'],
] as const;

let server: Server;
beforeAll(async () => {
  server = await startServer({
    world: worldOf('head', 'ndjson', 'big', 'typed', 'eof', 'ctrl', ...REFUSALS.map((_, at) => `refusal${at}`)),
  });
});
afterAll(cleanUp);

const RESIZE = { primary: 'branch: main, autoscaling_limit_max_cu: 2' };
/** Runs what follows with its standard output into another program, and tells trueup's own exit code. */
const into = (reader: string): readonly string[] => ['bash', '-c', `"$0" "$@" | ${reader}; exit \${PIPESTATUS[0]}`];

describe.concurrent('a reader', () => {
  it('that leaves early ends a plan quietly', async () => {
    const desk = openDesk(server, 'head');
    desk.wish(many(400));
    const { code, out, err } = await desk.run(['plan', '--format', 'json'], { via: into('head -c 1') });
    expect(out).toBe('{');
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  it('that leaves early does not stop an apply', async () => {
    const desk = openDesk(server, 'ndjson');
    desk.wish({ ...RESIZE, stage: 'branch: staging' });
    const { code, err } = await desk.run(['apply', '--auto-approve', '--format', 'ndjson'], { via: into('true') });
    expect(err).not.toMatch(/EPIPE|at .*\.js/);
    expect(code).toBe(0);
    expect(deeds(await desk.ledger()).toSorted()).toEqual(['PATCH compute', 'POST compute']);
  });

  it('that is slow gets all of a large plan', async () => {
    const desk = openDesk(server, 'big');
    desk.wish(many(800));
    const { code, out } = await desk.run(['plan', '--format', 'json'], { via: into('(sleep 1; cat)') });
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(1_000_000);
    const plan = JSON.parse(out) as { readonly resource_changes: readonly unknown[] };
    expect(plan.resource_changes.length).toBeGreaterThanOrEqual(800);
  });
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `reader-${String(at).padStart(5, '0')}`,
      'branch: main, type: read_only',
    ]),
  );
}

const hasScript = spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasScript)('a person at a terminal', { concurrent: true }, () => {
  /** A pseudo-terminal around the program. */
  const terminal = ['sh', '-c', `exec script -qec "'$0' '$1' apply" /dev/null`];
  const apply = async (desk: Desk, typed: string | null): Promise<{ code: number | null; out: string }> => {
    const running = desk.start([], {
      via: terminal,
      stdin: null,
      env: { TERM: 'xterm' },
    });
    await running.shows("Only 'yes' will be accepted: ");
    if (typed === null) running.child.stdin?.end();
    else running.child.stdin?.write(typed);
    return running.ended;
  };

  it("approves with 'yes'", async () => {
    const desk = openDesk(server, 'typed');
    desk.wish(RESIZE);
    const { code, out } = await apply(desk, 'yes\n');
    expect(out).toContain('Apply complete! Resources: 0 added, 1 changed, 0 destroyed.');
    expect(code).toBe(0);
    expect(deeds(await desk.ledger())).toEqual(['PATCH compute']);
  });

  it.each(REFUSALS.map(([name, typed], at) => ({ name, typed, at })))(
    'does not approve with $name',
    async ({ typed, at }) => {
      const desk = openDesk(server, `refusal${at}`);
      desk.wish(RESIZE);
      const { code, out } = await apply(desk, typed);
      expect(out).toContain('Nothing was changed.');
      expect(code).toBe(1);
      expect(await desk.ledger()).toEqual([]);
    },
  );

  it('who hangs up approves nothing', async () => {
    const desk = openDesk(server, 'eof');
    desk.wish(RESIZE);
    const { code, out } = await apply(desk, null);
    expect(out).toContain('Nothing was changed.');
    expect(code).toBe(1);
    expect(await desk.ledger()).toEqual([]);
  });

  it('who presses Ctrl-C approves nothing', async () => {
    const desk = openDesk(server, 'ctrl');
    desk.wish(RESIZE);
    const { code } = await apply(desk, '\u0003');
    expect(code).toBe(130);
    expect(await desk.ledger()).toEqual([]);
  });
});
