// What the operator protects by the name of a project: whatever the files call it, and where they give its id alone.
import { describe, expect, it } from 'vitest';
import type { FaultRule, World } from '../../../../src/control-plane/index.ts';
import { always, refuses } from '../../../support/faults.ts';
import { desiredOf } from '../../../support/files.ts';
import { openSite } from '../../../support/site.ts';
import { NO_LIMITS } from '../../../unit/plan/support/world.ts';
import { ID } from '../../../support/shop.ts';

const BRANCHES = [
  { id: 'br-wispy-meadow-118737', name: 'main', default: true },
  { id: 'br-calm-sea-220011', name: 'staging' },
];
const worldOf = (name: string): World => ({
  version: 1,
  projects: [
    { name, id: ID, branches: BRANCHES, computes: [{ id: 'ep-cool-night-400001', branch: 'main' }] },
    { name: 'blog', id: 'calm-lake-200001', branches: [{ id: 'br-blue-hill-300001', name: 'main', default: true }] },
  ],
});
const seed = worldOf('api-orders');
const GONE = 'branches: { gone: { name: staging, state: absent } }';

interface Case {
  readonly protect: string;
  readonly project: string;
  /** What the account calls it. */
  readonly name?: string;
  readonly isOperators?: boolean;
  /** What the operator protects besides. */
  readonly more?: readonly string[];
  /** What the service answers to the question for the project itself, and what below it. */
  readonly fault?: readonly [path: string, status: number, ...more: readonly string[]];
  readonly target?: readonly string[];
}

/** Blocks of the drop, requests for the project itself, what could not be read, and what is warned of. */
async function planned({
  protect,
  project,
  name = 'api-orders',
  isOperators = true,
  more = [],
  fault,
  target = [],
}: Case): Promise<unknown> {
  const { controlPlane, outcome, seen } = openSite({ seed: worldOf(name) });
  if (fault !== undefined) {
    const [path, status, ...below] = fault;
    controlPlane.setFaults({ rules: [path, ...below].map((one) => refuses({ path: one }, status)) });
  }
  const desired = await desiredOf(`version: 1\nprojects:\n  ${project}\nsafety: { protect: ["${protect}"] }\n`);
  const own = desired.safety.map((block) => (isOperators ? ({ ...block, isOperators: true } as const) : block));
  const besides = desired.safety.map((block) => ({ ...block, protect: more, isOperators: true }) as const);
  const safety = more.length === 0 ? own : [...own, ...besides];
  const { plan } = await outcome({ desired: { ...desired, safety }, allow: ['drop:other/branches/gone'], target });
  const change = plan?.changes.find(({ address }) => address === 'other/branches/gone');
  return {
    blocks: change?.blockedBy ?? null,
    asked: seen.filter((request) => request === `GET /projects/${ID}`).length,
    unread: plan?.unread.map(({ what }) => what),
    said: plan?.diagnostics.map(({ code }) => code),
  };
}

const OTHER = `other: { id: ${ID}, ${GONE} }`;

describe('a project that the file calls otherwise', () => {
  it.each([
    ['by its id alone', 'api-orders/**', OTHER],
    ['by its id and a wrong name', 'api-orders/branches/*', `other: { id: ${ID}, name: blog, ${GONE} }`],
    ["where another one's label is", 'api-orders/**', `${OTHER}\n  api-orders: { id: calm-sun-100000, computes: {} }`],
    ['by a pattern that a section has as well', 'api*/**', OTHER],
  ])('is protected: %s', async (_name, protect, project) => {
    expect(await planned({ protect, project })).toMatchObject({ blocks: ['protect'], asked: 1 });
  });

  it.each([
    ['My Shop', 'My%20Shop/**'],
    ['Käse', 'Käse/**'],
    ['a:b', 'a:b'],
  ])('is protected where it is called %s', async (name, protect) => {
    expect(await planned({ protect, project: OTHER, name })).toMatchObject({ blocks: ['protect'] });
  });

  it.each([403, 404])('is held for protected, and planned, where its name cannot be read: %i', async (status) => {
    const fault = [`/projects/${ID}`, status] as const;
    const found = await planned({ protect: 'api-orders/**', project: OTHER, fault });
    expect(found).toMatchObject({
      blocks: ['protect'],
      unread: [],
      said: expect.arrayContaining(['name_unread']) as unknown,
    });
  });

  it.each(['zzz/primary', 'zzz/branches/gone'])(
    'is protected by what begins in any project too, where its name cannot be read, beside %s',
    async (other) => {
      const fault = [`/projects/${ID}`, 403] as const;
      const found = await planned({ protect: '**/gone', project: OTHER, fault, more: [other] });
      expect(found).toMatchObject({ blocks: ['protect'] });
    },
  );

  it.each([undefined, [`/projects/${ID}`, 403] as const])(
    'is protected by the files as they call it, whatever the operator protects: %s',
    async (fault) => {
      const what = { project: OTHER, isOperators: false, more: ['zzz/primary'], ...(fault && { fault }) };
      expect(await planned({ ...what, protect: 'api-orders/**' })).toMatchObject({ blocks: [], asked: 1 });
      expect(await planned({ ...what, protect: 'other/**' })).toMatchObject({ blocks: ['protect'] });
    },
  );

  it('is said to have a name that could not be read where its log could not be read either', async () => {
    const computes = 'computes: { p: { id: ep-cool-night-400001, branch_id: br-wispy-meadow-118737 } }';
    const fault = [`/projects/${ID}`, 403, `/projects/${ID}/operations`] as const;
    const found = await planned({ protect: 'api-orders/**', project: `other: { id: ${ID}, ${computes} }`, fault });
    expect(found).toMatchObject({ unread: ['other'], said: ['name_unread'] });
  });

  it.each([404, 403])('is said to be unread where all of it is, and nothing of its name: %i', async (status) => {
    const fault = [`/projects/${ID}**`, status] as const;
    const found = await planned({ protect: 'api-orders/**', project: OTHER, fault });
    expect(found).toMatchObject({ unread: ['other'], said: expect.not.arrayContaining(['name_unread']) as unknown });
  });

  it.each([
    ['its label is meant', 'other/roles/*', true],
    ['keys are meant', 'api_keys/*', true],
    ['the files protect it, which know it by its label', 'api-orders/**', false],
  ])('is not asked for its name where %s', async (_name, protect, isOperators) => {
    expect(await planned({ protect, project: OTHER, isOperators })).toMatchObject({ blocks: [], asked: 0 });
  });

  it.each([
    ['what else they declare', 'api-orders/**', `${OTHER}\n  blog: {}`, [], [], 0],
    ['what of them is planned', 'api-orders/**', `${OTHER}\n  blog: {}`, ['other'], [], 0],
    // A written name is compared with the live one.
    ['the name that they give it', 'blog/**', `other: { id: ${ID}, name: blog, ${GONE} }`, [], ['protect'], 1],
  ])(
    'is protected by the files themselves whatever the account calls it, by %s',
    async (_n, protect, project, target, blocks, asked) => {
      expect(await planned({ protect, project, isOperators: false, target })).toMatchObject({ blocks, asked });
    },
  );

  it('is not asked for its name by what only shows it', async () => {
    const desired = await desiredOf(`version: 1\nprojects:\n  ${OTHER}\nsafety: { protect: ["api-orders/**"] }\n`);
    const { clock, seen, started } = openSite({ seed });
    const safety = desired.safety.map((block) => ({ ...block, isOperators: true }) as const);
    await clock.run(started().list({ desired: { ...desired, safety } }));
    expect(seen).not.toContain(`GET /projects/${ID}`);
  });
});

describe('the projects of a saved plan', () => {
  const projects = [{ label: 'other', id: ID, name: 'other', namesInAccount: ['once'] }];
  const safety = [{ ...NO_LIMITS, protect: ['api-orders/**'], isOperators: true }] as const;
  const ITSELF = { path: `/projects/${ID}` };
  /** With their names, as this answer to the question for each gives them. */
  async function named(...rules: readonly FaultRule[]): Promise<unknown> {
    const { clock, started } = openSite({ seed, faults: { rules } });
    const { signal } = new AbortController();
    const { projects: found, diagnostics } = await clock.run(started().named({ projects, safety, signal }));
    return [found[0]?.namesInAccount, diagnostics.map(({ code }) => code)];
  }

  it.each([
    ['as they are called now as well', [], ['once', 'api-orders'], []],
    ['as nobody can tell', [refuses(ITSELF, 403)], ['once', null], ['name_unread']],
    ['as no list shows', [refuses(ITSELF, 404)], ['once', null], ['name_unread']],
  ])('are called what they were, and %s', async (_what, rules, names, said) => {
    expect(await named(...rules)).toEqual([names, said]);
  });

  it('are not told by a service that does not answer', async () => {
    const rule: FaultRule = always(ITSELF, { kind: 'before-connect' });
    await expect(named(rule)).rejects.toMatchObject({ name: 'ApiFailure', status: null });
  });
});
