// One look at the account serves both plans: what both touch is asked for once, failures included.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ComparisonOutcome } from '../../../src/reconciler/types.ts';
import { desiredOf } from '../../support/files.ts';
import { openSite } from '../../support/site.ts';

const SHOP = 'shop: { computes: { primary: { branch_id: br-wispy-meadow-118737, pooler_enabled: true } } }';
const LAB = 'lab: { computes: { primary: { branch_id: br-misty-field-330021 } } }';

const fileOf = (projects: string): string => `version: 1\nprojects: { ${projects} }\n`;

/** Compares two files on a new account; requests whose path matches `broken` are answered with 503. */
async function compared(
  head: string,
  base: string,
  broken: RegExp | null = null,
): Promise<{ readonly seen: readonly string[]; readonly outcome: ComparisonOutcome }> {
  const { clock, controlPlane, seen, started } = openSite({
    answers: ({ url }) => (broken?.test(new URL(url).pathname) === true ? new Response('{}', { status: 503 }) : null),
  });
  onTestFinished(() => controlPlane.close());
  const states = { desired: await desiredOf(fileOf(head)), base: { desired: await desiredOf(fileOf(base)) } };
  const outcome = await clock.run(started().compare(states));
  return { seen: seen.map((call) => call.replace(/^GET |\?.*/g, '')).toSorted(), outcome };
}

const LISTS = [
  '/projects/autumn-lab-418822/endpoints',
  '/projects/autumn-lab-418822/operations',
  '/projects/spring-example-302709/endpoints',
  '/projects/spring-example-302709/operations',
];

describe('requests of a comparison', () => {
  it.each([
    { name: 'both touch the same', head: `${SHOP}, ${LAB}`, base: `${SHOP}, ${LAB}` },
    { name: 'the base touches more', head: SHOP, base: `${SHOP}, ${LAB}` },
    { name: 'the base touches less', head: `${SHOP}, ${LAB}`, base: SHOP },
    { name: 'nothing in common', head: SHOP, base: LAB },
  ])('$name: every list and log is read once', async ({ head, base }) => {
    const { seen } = await compared(head, base);
    expect(seen).toEqual(['/projects', ...LISTS]);
  });

  it('a project that could not be read is not taken for one that was let go', async () => {
    const { outcome } = await compared(SHOP, `${SHOP}, ${LAB}`, /endpoints$/);
    expect(outcome.plan?.unread.map(({ what }) => what)).toEqual(['shop']);
    const { comparison } = outcome;
    expect(comparison).toEqual({ fromThisChange: [], alreadyPending: [], noLongerManaged: [], guardsChanged: [] });
  });
});
