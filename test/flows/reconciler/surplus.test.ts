// Protects against a silent surplus: what others made beside a run is named by its read-back, and what is declared holds all the same.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import type { ApplyRequest } from '../../../src/reconciler/types.ts';
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
      isSaved: saved,
    });
    await Promise.all(others);
    expect(result.status).toBe('converged');
    return result.diagnostics.map(({ severity, code, address, message }) =>
      `${severity} ${code} ${address}: ${message}`.replace(/ep-[a-z0-9-]+/, 'ID'),
    );
  });
}

describe('a key that somebody makes beside that of a run', () => {
  const KEYS = 'version: 1\napi_keys: { ci: { secret: { file: ci.json } } }\n';
  const options = { seed, file: KEYS, reconciler: { requestsPerMinute: Infinity } };

  /** Warnings of a run beside which somebody makes a key of this name, with the id of that one as `ID`. */
  async function warningsBeside(name: string, more: Partial<ApplyRequest> = {}): Promise<readonly string[]> {
    return withAccount(options, async ({ apply, reconciler, controlPlane, clock }) => {
      const others: Promise<unknown>[] = [];
      const { result } = await apply(undefined, {
        onEvent: ({ type }) => {
          if (type === 'secret_stored') others.push(reconciler.client.write('POST', '/api_keys', { key_name: name }));
        },
        ...more,
      });
      await clock.run(Promise.all(others));
      expect([result.status, others.length]).toEqual(['converged', 1]);
      const own = result.steps[0]?.resourceId;
      const other = controlPlane.truth.keys().find((key) => key.name === name && key.id !== own);
      return result.diagnostics.map(({ severity, code, address, message }) =>
        `${severity} ${code} ${address}: ${message}`.replace(String(other?.id), 'ID'),
      );
    });
  }
  const TOLD =
    'warning surplus api_keys/ci: ID appeared beside the resources of this run: another run may have created it, or the service carried out a request twice';

  it('under its name is named, whoever uses it', async () => {
    expect(await warningsBeside('ci')).toEqual([TOLD]);
    expect(await warningsBeside('ci', { isSaved: true })).toEqual([TOLD]);
  });

  it("under another name is nobody's business", async () => {
    expect(await warningsBeside('other')).toEqual([]);
  });
});

describe('a replica that somebody makes beside those of a run', () => {
  const TOLD =
    'warning surplus shop/s: ID appeared beside the resources of this run: another run may have created it, or the service carried out a request twice';

  it.each<[string, Story, readonly string[]]>([
    ['is named', {}, [TOLD]],
    ['is named after a saved plan too', { saved: true }, [TOLD]],
    ["is nobody's business where the branch is accepted", { file: fileOf(`unmanaged_ok: [${BRANCH}], `) }, []],
    ["is nobody's business on another branch", { on: OTHER }, []],
  ])('%s', async (_name, story, expected) => {
    expect(await warningsOf(story)).toEqual(expected);
  });
});
