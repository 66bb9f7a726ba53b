// Since when something differs is told from the operation log, however busy the project was since.
import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import { openAccount, type Account } from './account.ts';

const opened: Account[] = [];
afterEach(() => {
  for (const account of opened.splice(0)) account.close();
});

const FILE = `version: 1
projects: { shop: { computes: { primary: { branch_id: br-wispy-meadow-118737, pooler_enabled: false } } } }
`;

/** A pooler that was switched on two hours ago, and so many other operations since. */
function world(since: number): World {
  const endpoint = { endpoint_id: 'ep-cool-darkness-123456', branch_id: 'br-wispy-meadow-118737' };
  return {
    version: 1,
    projects: [
      {
        name: 'shop',
        id: 'spring-example-302709',
        created_at: '-40d',
        branches: [{ id: 'br-wispy-meadow-118737', name: 'main', default: true, created_at: '-40d' }],
        computes: [
          {
            id: 'ep-cool-darkness-123456',
            branch: 'main',
            current_state: 'active',
            suspend_timeout_seconds: -1,
            pooler_enabled: true,
            created_at: '-40d',
            updated_at: '-2h',
          },
        ],
        operations: [
          { action: 'apply_config', ...endpoint, created_at: '-2h', updated_at: '-2h' },
          ...Array.from({ length: since }, (_, at) => ({
            action: 'check_availability',
            ...endpoint,
            created_at: `-${since - at}s`,
            updated_at: `-${since - at}s`,
          })),
        ],
      },
    ],
  };
}

describe('a difference', () => {
  it.each([
    { since: 3, logs: 1 },
    { since: 400, logs: 1 },
    { since: 1400, logs: 2 },
  ])('is dated although $since operations came after it, by $logs reads of the log', async ({ since, logs }) => {
    const account = await openAccount({ file: FILE, seed: world(since) });
    opened.push(account);
    const { clock, reconciler, desired, seen } = account;
    const { report, diagnostics } = await clock.run(reconciler.drift({ desired }));
    expect(diagnostics).toEqual([]);
    expect(report?.changed.map(({ lastOperation }) => lastOperation?.action)).toEqual(['apply_config']);
    expect(seen.filter((request) => request.endsWith('/operations'))).toHaveLength(logs);
  });
});
