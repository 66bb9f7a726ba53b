// Projects that somebody else makes while ours is planned or sent: neither is taken for the other.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite, somebody, type Site } from '../../../support/site.ts';

const NONE: World = { version: 1, projects: [] };
const CREATED = 'version: 1\nprojects: { shop: { create: {} } }\n';

describe('a project that somebody else makes meanwhile', () => {
  const callOf = (wire: readonly string[]): number => wire.indexOf('POST /projects') + 1;
  /** With the mark of a run, but of another one. */
  const theirs = async ({ controlPlane }: Site): Promise<unknown> =>
    somebody(controlPlane, 'POST', '/projects', {
      project: { name: 'shop', branch: { annotations: { 'trueup.run': 'somebody' } } },
    });

  it.each(['lost_before', 'lost_after'] as const)(
    'is not taken for ours where our reply is lost: %s',
    async (fault) => {
      const first = await openSite({ seed: NONE }).apply(CREATED, ['create:shop']);
      const call = callOf([...first.planned, ...first.sent]);
      const site = openSite({ seed: NONE });
      const { result } = await site.apply({
        file: CREATED,
        allow: ['create:shop'],
        faultAt: (number) => {
          if (number !== call) return null;
          void theirs(site);
          return fault;
        },
      });
      const made = site.controlPlane.ledger().filter(({ kind, before }) => kind === 'project' && before === null);
      expect(made).toHaveLength(fault === 'lost_before' ? 1 : 2);
      const [step] = result.steps;
      // Ours is known by its mark, whoever else made one of that name.
      expect(step?.outcome).toBe(fault === 'lost_before' ? 'unknown' : 'done');
      const marked = made.filter(({ id }) => id === step?.resourceId);
      expect(marked).toHaveLength(fault === 'lost_before' ? 0 : 1);
    },
  );

  it('keeps ours from being sent', async () => {
    const site = openSite({ seed: NONE });
    const { result } = await site.apply({
      file: CREATED,
      allow: ['create:shop'],
      faultAt: (number) => {
        // Right after the plan was made.
        if (number === 2) void theirs(site);
        return null;
      },
    });
    expect(result.status).toBe('stale');
    expect(site.controlPlane.ledger().filter(({ kind, before }) => kind === 'project' && before === null)).toHaveLength(
      1,
    );
  });
});
