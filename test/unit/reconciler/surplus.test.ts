// Protects against a silent surplus: what others made beside a run is named by its read-back, and what is declared holds all the same.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import { withAccount } from './fleet.ts';

const ID = 'calm-lake-100000';
const BRANCH = `br-${ID}`;
const OTHER = `${BRANCH}-2`;
const seed: World = {
  version: 1,
  projects: [
    {
      id: ID,
      name: 'shop',
      branches: [
        { id: BRANCH, name: 'main', default: true },
        { id: OTHER, name: 'second' },
      ],
      computes: [{ id: 'ep-r1', branch: 'main', type: 'read_only', created_at: '-1d' }],
    },
  ],
};
const fileOf = (more = ''): string =>
  `version: 1
projects: { shop: { ${more}computes: { r: { branch_id: ${BRANCH}, type: read_only }, s: { branch_id: ${BRANCH}, type: read_only } } } }
`;

interface Story {
  readonly file?: string;
  /** The branch on which somebody makes a replica while the run is under way. */
  readonly on?: string;
  readonly saved?: boolean;
}

/** Warnings of a run beside which somebody makes another replica, with the id of that one as `ID`. */
async function warningsOf({ file = fileOf(), on = BRANCH, saved = false }: Story): Promise<readonly string[]> {
  const options = { seed, file, reconciler: { requestsPerMinute: Infinity } };
  return withAccount(options, async ({ apply, reconciler }) => {
    const others: Promise<unknown>[] = [];
    const { result } = await apply(undefined, {
      onEvent: ({ type }) => {
        if (type !== 'apply_start' || others.length > 0) return;
        const endpoint = { endpoint: { branch_id: on, type: 'read_only' } };
        others.push(reconciler.client.write('POST', `/projects/${ID}/endpoints`, endpoint));
      },
      ...(saved ? { desired: null, reading: null } : {}),
    });
    await Promise.all(others);
    expect(result.status).toBe('converged');
    return result.diagnostics.map(({ severity, code, address, message }) =>
      `${severity} ${code} ${address}: ${message}`.replace(/ep-[a-z0-9-]+/, 'ID'),
    );
  });
}

describe('a replica that somebody makes beside those of a run', () => {
  const TOLD = 'warning surplus shop/s: ID appeared beside what this run made: another run may have made it';

  it.each<[string, Story, readonly string[]]>([
    ['is named', {}, [TOLD]],
    ['is named after a saved plan too', { saved: true }, [TOLD]],
    ["is nobody's business where the branch is accepted", { file: fileOf(`unmanaged_ok: [${BRANCH}], `) }, []],
    ["is nobody's business on another branch", { on: OTHER }, []],
  ])('%s', async (_name, story, expected) => {
    expect(await warningsOf(story)).toEqual(expected);
  });
});
