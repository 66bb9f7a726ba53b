// What the operator protects by the name of a project: whatever the files call it, and where they give its id alone.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { withAccount } from '../../reconciler/fleet.ts';

const ID = 'spring-example-302709';
const BRANCHES = [
  { id: 'br-wispy-meadow-118737', name: 'main', default: true },
  { id: 'br-calm-sea-220011', name: 'staging' },
];
const seed: World = { version: 1, projects: [{ name: 'api-orders', id: ID, branches: BRANCHES }] };
const GONE = 'branches: { gone: { name: staging, state: absent } }';

/** Blocks of the drop, requests for the project itself, and what could not be read. */
async function planned(protect: string, project: string, isOperators: boolean, status = 200): Promise<unknown> {
  const file = `version: 1\nprojects:\n  ${project}\nsafety: { protect: ["${protect}"] }\n`;
  return withAccount({ file, seed }, async ({ clock, controlPlane, desired, reconciler, seen }) => {
    const fault = { kind: 'reply', commit: false, status, body: '{}' } as const;
    const when = { path: `/projects/${ID}` } as const;
    if (status !== 200) controlPlane.setFaults({ rules: [{ when, times: 'always', fault }] });
    const safety = desired.safety.map((block) => (isOperators ? ({ ...block, isOperators: true } as const) : block));
    const allow = [{ action: 'drop', address: 'other/branches/gone' }] as const;
    const { plan } = await clock.run(reconciler.plan({ desired: { ...desired, safety }, allow }));
    const change = plan?.changes.find(({ address }) => address === 'other/branches/gone');
    const asked = seen.filter((request) => request === `GET /projects/${ID}`).length;
    return { blocks: change?.blockedBy ?? null, asked, unread: plan?.unread.map(({ what }) => what) };
  });
}

describe('a project that the file calls otherwise', () => {
  it.each([
    ['by its id alone', 'api-orders/**', `other: { id: ${ID}, ${GONE} }`],
    ['by its id and a wrong name', 'api-orders/branches/*', `other: { id: ${ID}, name: blog, ${GONE} }`],
    [
      'where a label of another one is protected',
      'api-orders/**',
      `other: { id: ${ID}, ${GONE} }\n  api-orders: { id: calm-sun-100000, computes: {} }`,
    ],
    ['by a pattern that a section has as well', 'api*/**', `other: { id: ${ID}, ${GONE} }`],
  ])('is protected: %s', async (_name, protect, project) => {
    expect(await planned(protect, project, true)).toMatchObject({ blocks: ['protect'], asked: 1 });
  });

  it('is not planned where its name cannot be read', async () => {
    const project = `other: { id: ${ID}, ${GONE} }`;
    expect(await planned('api-orders/**', project, true, 403)).toMatchObject({ blocks: null, unread: ['other'] });
  });

  it.each([
    ['its label is meant', 'other/roles/*', true],
    ['keys are meant', 'api_keys/*', true],
    ['the files protect it, which know it by its label', 'api-orders/**', false],
  ])('is not asked for its name where %s', async (_name, protect, isOperators) => {
    const project = `other: { id: ${ID}, ${GONE} }`;
    expect(await planned(protect, project, isOperators)).toMatchObject({ blocks: [], asked: 0 });
  });
});
