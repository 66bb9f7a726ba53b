// One look at the account serves both plans: what both touch is asked for once, failures included.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { handlerTransport } from '../../../src/client/http/handler-transport.ts';
import { createControlPlane } from '../../../src/control-plane/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import { createReconciler } from '../../../src/reconciler/index.ts';
import type { ComparisonOutcome, Reconciler } from '../../../src/reconciler/types.ts';

const BASE_URL = 'http://localhost/api/v2';
const cwd = mkdtempSync(join(tmpdir(), 'trueup-one-read-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const SHOP = 'shop: { computes: { primary: { branch_id: br-wispy-meadow-118737, pooler_enabled: true } } }';
const LAB = 'lab: { computes: { primary: { branch_id: br-misty-field-330021 } } }';

async function desiredOf(reconciler: Reconciler, projects: string): Promise<DesiredState> {
  const file = join(cwd, 'trueup.yaml');
  writeFileSync(file, `version: 1\nprojects: { ${projects} }\n`);
  const variables = { flags: new Map(), files: [], env: new Map() };
  const { desired } = await reconciler.load({ paths: [file], cwd, stdin: async () => new Uint8Array(), variables });
  if (desired === null) throw new Error('the file is wrong');
  return desired;
}

/** Compares two files on a new account in memory; requests whose path matches `broken` are answered with 503. */
async function compared(
  head: string,
  base: string,
  broken: RegExp | null = null,
): Promise<{ readonly seen: readonly string[]; readonly outcome: ComparisonOutcome }> {
  const clock = new VirtualClock();
  const controlPlane = createControlPlane({ clock });
  const seen: string[] = [];
  const send = handlerTransport(
    async (request) => {
      const path = new URL(request.url).pathname.replace('/api/v2', '');
      if (broken?.test(path) === true) return new Response('{}', { status: 503 });
      seen.push(path);
      return controlPlane.handle(request);
    },
    { baseUrl: BASE_URL },
  );
  const reconciler = createReconciler({ baseUrl: BASE_URL, credential: controlPlane.rootKey ?? '', send, clock, cwd });
  const states = { desired: await desiredOf(reconciler, head), base: { desired: await desiredOf(reconciler, base) } };
  const outcome = await clock.run(reconciler.compare(states));
  controlPlane.close();
  return { seen: seen.toSorted(), outcome };
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
    expect(outcome.comparison).toEqual({
      fromThisChange: [],
      alreadyPending: [],
      noLongerManaged: [],
      guardsChanged: [],
    });
  });
});
