// Protects what is concluded from a list of branches: one that is cut short, empty or at odds with itself proves no absence.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { branch } from '../../../../src/kinds/branch/branch.ts';
import { compute } from '../../../../src/kinds/compute/compute.ts';
import { branchFacts } from '../../../../src/kinds/compute/verdict.ts';
import { json, NEVER, worldOf } from '../../client/world.ts';

interface Page {
  /** Names by their ids. */
  readonly branches: Readonly<Record<string, string>>;
  readonly next?: string;
}

/** Ids of what is listed, or the words of the failure; the service serves the page that the cursor names. */
async function listed(pages: Readonly<Record<string, Page>>): Promise<readonly string[] | string> {
  const { clock, client } = worldOf((request) => {
    const { branches, next } = pages[new URL(request.url).searchParams.get('cursor') ?? ''] ?? { branches: {} };
    return json({
      branches: Object.entries(branches).map(([id, name]) => ({ id, name, project_id: 'proj-a' })),
      pagination: { ...(next === undefined ? {} : { next }), sort_by: 'updated_at', sort_order: 'DESC' },
    });
  });
  return clock.run(
    branch.list(client, { projectId: 'proj-a' }, NEVER).then(
      (live) => live.map(({ id }) => id),
      (error: unknown) => (error as Error).message,
    ),
  );
}

const FIRST: Page = { branches: { 'br-main-1': 'main' }, next: 'a' };

describe('the list of branches', () => {
  it.each<[string, Record<string, Page>, readonly string[]]>([
    [
      'goes on after an empty page that names the next',
      { '': { branches: {}, next: 'a' }, a: { branches: { 'br-main-1': 'main' } } },
      ['br-main-1'],
    ],
    [
      'shows once what two pages show alike',
      { '': FIRST, a: { branches: { 'br-main-1': 'main', 'br-dev-1': 'dev' } } },
      ['br-main-1', 'br-dev-1'],
    ],
  ])('%s', async (_name, pages, ids) => {
    expect(await listed(pages)).toEqual(ids);
  });

  it.each<[string, Record<string, Page>, RegExp]>([
    ['that is empty: every project has a default branch', { '': { branches: {} } }, /without any branch/],
    [
      'that shows one id on two pages, and differently',
      { '': FIRST, a: { branches: { 'br-main-1': 'other', 'br-dev-1': 'dev' } } },
      /"br-main-1" twice with different values/,
    ],
    ['whose second page is the first one again', { '': FIRST, a: FIRST }, /pages without end/],
  ])('tells nothing where it is one %s', async (_name, pages, words) => {
    expect(await listed(pages)).toMatch(words);
  });
});

it('of branches that is empty tells computes nothing: neither that a branch is missing, nor that none is kept', async () => {
  const { clock, client } = worldOf(() => json({ branches: [] }));
  const facts = await clock.run(
    branchFacts({
      desired: [],
      live: [{ kind: 'compute', id: 'ep-one-1', projectId: 'proj-a', spec: {}, observed: {}, createdAtMs: null }],
      around: [],
      projects: [{ label: 'shop', id: 'proj-a', name: 'shop' }],
      kinds: [branch],
      reader: client,
      signal: NEVER,
      prunedIn: ['shop'],
    }),
  );
  expect(facts).toEqual({ branches: { 'proj-a': null } });
});

it.each([
  ['branch', branch],
  ['compute', compute],
])('shows the state that a %s has, not the one that it is to get', (kind, remote) => {
  const own = { kind, id: 'x-1', projectId: 'proj-a', spec: {}, createdAtMs: null };
  const stateOf = (observed: JsonObject): unknown => remote.describe({ ...own, observed }).columns['state'];
  expect(stateOf({ current_state: 'init', pending_state: 'ready' })).toBe('init');
  expect(stateOf({ pending_state: 'ready' })).toBe('ready');
});
