// Pipes: readers that leave early, and readers that are slow.
import { afterAll, describe, expect, it } from 'vitest';
import { deeds, openDesk, RESIZE, worldOf } from './support/desk.ts';
import { cleanUp } from './support/program.ts';
import { startServer } from './support/server.ts';

afterAll(cleanUp);
const server = await startServer({ world: worldOf('head', 'ndjson', 'big') });

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
