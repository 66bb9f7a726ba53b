// The rule of sets: what a plan does with live members that no key names, and with branches that only look like members.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { wordsChanged } from '../../../src/plan/guard/guards-in-force.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { desiredOf } from '../../support/files.ts';
import { branch, MAIN } from './support/whole-shop.ts';
import { allowing, bareInput } from './support/world.ts';

const PROJECT = { label: 'shop', id: 'shop-1', name: 'shop' } as const;

const LEASE = { ttl_seconds: 604_800, expires_at: '2026-11-27T12:00:00Z' };
type More = Parameters<typeof branch>[2];
const OWN = { marks: { set: 'shop-1/pr' }, days: 1 / 24 };
const member = (key: number | string, more: More = {}, spec: JsonObject = LEASE): LiveResource =>
  branch(`preview/pr-${key}`, spec, { ...OWN, ...more });
const members = (...keys: readonly number[]): readonly LiveResource[] => keys.map((key) => member(key));

async function planOf(
  set: string,
  live: readonly LiveResource[],
  more: Parameters<typeof bareInput>[0] & { readonly branches?: string } = {},
): Promise<Plan> {
  const { branches = '', ...input } = more;
  const desired = await desiredOf(`version: 1
projects:
  shop:
    id: shop-1
    branches: { main: br-main${branches} }
    previews:
      pr: { name: "preview/pr-{key}", from: main, ttl: 7d, max: 9, ${set} }
`);
  const reading = { projects: [PROJECT], resources: [MAIN, ...live], facts: new Map([['branch', { gone: [] }]]) };
  return makePlan(bareInput({ desired, live: reading, kinds, noHistory: true, consent: 'unattended', ...input }));
}

/** `125 delete`, `126 create blocked: foreign`, `125 none: its key is not listed, and …`. */
function outcomes({ changes }: Plan): readonly string[] {
  return changes
    .filter(
      ({ address, action, notes }) => address.startsWith('shop/previews/') && (action !== 'none' || notes.length > 0),
    )
    .map(({ address, action, blockedBy, notes }) => {
      const name = address.slice('shop/previews/pr/'.length);
      const why = blockedBy.length > 0 ? ` blocked: ${blockedBy.join(', ')}` : '';
      return `${name} ${action}${why}${action === 'none' ? `: ${notes.join('; ')}` : ''}`;
    });
}

describe('a member that no key names', () => {
  const young = { days: 5 / 1440 };
  const TWO = 'each: [1, 2], gone: delete';
  const cases: readonly (readonly [string, string, readonly LiveResource[], readonly string[]])[] = [
    ['is deleted', 'each: [1, 2], gone: delete', members(1, 2, 3), ['3 delete']],
    ['stays while it is young', 'each: [1, 2], gone: delete', [...members(1, 2), member(3, young)], ['3 none: grace']],
    ['is deleted at once without grace', `${TWO}, grace: 0s`, [...members(1, 2), member(3, young)], ['3 delete']],
    ['stays where its age is not known', TWO, [...members(1, 2), member(3, { createdAtMs: null })], ['3 none: grace']],
    ['expires by its TTL', 'each: [1, 2]', members(1, 2, 3), ['3 none: expires']],
    ['is kept', 'each: [1, 2], gone: keep', members(1, 2, 3), []],
    [
      'gets a TTL only with consent where it is kept',
      'each: [1], gone: keep',
      [member(1), member(3, {}, {})],
      ['3 update blocked: allowance'],
    ],
    ['is closed, however many', 'each: [], closed: [1, 2], gone: delete', members(1, 2), ['1 delete', '2 delete']],
    ['is closed and listed, and stays', 'each: [1], closed: [1], gone: delete', members(1), []],
    ['has an old name', TWO, [...members(1, 2), branch('old-3', {}, OWN)], ['br-old-3 delete blocked: foreign']],
    ['has another set', 'each: [1], gone: delete', [member(1), member(2, { marks: { set: 'shop-1/other' } })], []],
    [
      'is of a set in another project',
      'each: [1], gone: delete',
      [member(1), member(2, { marks: { set: 'shop-2/pr' } })],
      [],
    ],
    ['was made by somebody else', 'each: [1], gone: delete', [member(1), member(2, { marks: {} })], []],
  ];
  it.each(cases)('%s', async (_, set, live, expected) => {
    const plan = await planOf(set, live);
    const short = (text: string): string => text.replace(/none: .*(grace|expires).*/, 'none: $1');
    expect(outcomes(plan).map(short)).toEqual(expected);
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('needs an allowance where something depends on it', async () => {
    const child = branch('child', { parent_id: 'br-preview-pr-3' });
    for (const [more, blocks] of [
      [[member(3), child], /refused|allowance/],
      [[member(3, {}, { protected: true })], /refused/],
      [[member(3, {}, { parent_id: 'br-other' })], /allowance/],
    ] as const)
      expect(outcomes(await planOf('each: [1, 2], gone: delete', [...members(1, 2), ...more]))[0]).toMatch(blocks);
  });

  it.each([
    ['its name', ', kept: { name: preview/pr-3, new: true }'],
    ['its former name', ', kept: { renamed_from: preview/pr-3 }'],
    ['its id', ', kept: { id: br-preview-pr-3 }'],
    ['a label', ', kept: br-preview-pr-3'],
    ['a reference', ', kept: { from: br-preview-pr-3 }'],
  ])('stays where a declaration means it by %s', async (_, branches) => {
    const plan = await planOf('each: [1, 2], gone: delete', members(1, 2, 3), { branches });
    expect(plan.changes.filter(({ action }) => action === 'delete')).toEqual([]);
  });

  it('stays while the time is not known', async () => {
    const plan = await planOf('each: [1, 2], gone: delete', members(1, 2, 3), { clockDoubt: 'an hour ahead' });
    expect(outcomes(plan)).toEqual([expect.stringMatching(/^3 none/)]);
  });

  it('counts for no limit, and is protected by a pattern', async () => {
    const live = members(1, 2, 3, 4, 5, 6);
    const { limitsExceeded } = await planOf('each: [1, 2, 3, 4], gone: delete', live);
    expect(limitsExceeded).toEqual([]);
    const desired = await desiredOf(
      'version: 1\nprojects: { shop: { id: shop-1, branches: { main: br-main }, previews: { pr: { each: [1, 2, 3, 4], name: "preview/pr-{key}", ttl: 7d, max: 9, gone: delete } } } }\nsafety: { protect: ["shop/**"] }\n',
    );
    expect(outcomes(await planOf('each: [1]', live, { desired }))).toEqual([
      '5 delete blocked: protect',
      '6 delete blocked: protect',
    ]);
  });
});

describe('a list that would delete too many', () => {
  const block = (...keys: readonly number[]): readonly string[] =>
    keys.map((key) => `${key} delete blocked: list_in_doubt`);
  const drops = (...keys: readonly number[]): readonly string[] => keys.map((key) => `${key} delete`);
  const cases: readonly (readonly [string, string, readonly LiveResource[], readonly string[]])[] = [
    ['all', 'each: []', members(1, 2), block(1, 2)],
    ['the only one', 'each: []', members(1), block(1)],
    ['all, beside new keys', 'each: [7, 8]', members(1, 2), [...block(1, 2), '7 create', '8 create']],
    [
      'many, beside new keys, which would outnumber the rest in the next run',
      'each: [7, 8, 9]',
      members(1, 2, 3, 4),
      [...block(1, 2, 3, 4), ...[7, 8, 9].map((key) => `${key} create blocked: list_in_doubt`)],
    ],
    ['one of two', 'each: [1]', members(1, 2), drops(2)],
    ['two of three', 'each: [1]', members(1, 2, 3), drops(2, 3)],
    ['half of four', 'each: [1, 2]', members(1, 2, 3, 4), drops(3, 4)],
    ['three of four', 'each: [1]', members(1, 2, 3, 4), block(2, 3, 4)],
    ['all but closed ones', 'each: [], closed: [2]', members(1, 2), ['1 delete blocked: list_in_doubt', '2 delete']],
    ['all but young ones', 'each: []', [member(1), member(2, { days: 0 })], ['1 delete blocked: list_in_doubt']],
  ];
  it.each(cases)('%s', async (_, set, live, expected) => {
    const plan = await planOf(`${set}, gone: delete`, live);
    expect(outcomes(plan).filter((line) => !line.includes('none'))).toEqual(expected);
  });

  it.each([
    ['drop:shop/previews/pr/**', drops(1, 2)],
    ['drop:shop/previews/pr/1', ['1 delete', '2 delete blocked: list_in_doubt']],
    ['drop:shop/**', block(1, 2)],
    ['drop:shop/previews/other/**', block(1, 2)],
  ] as const)('is believed with %s', async (text, expected) => {
    const plan = await planOf('each: [], gone: delete', members(1, 2), allowing(text));
    expect(outcomes(plan)).toEqual(expected);
    expect(plan.limitsExceeded).toEqual([]);
  });
});

describe('a branch with the name of a member', () => {
  it('is foreign without the note of the set', async () => {
    for (const marks of [{}, { set: 'shop-1/other' }, { set: 'shop-2/pr' }]) {
      const plan = await planOf('each: [1]', [member(1, { marks })]);
      expect(outcomes(plan)).toEqual(['1 create blocked: foreign']);
      expect(plan.unmanaged.map(({ id }) => id)).toContain('br-preview-pr-1');
      expect(plan.steps).toEqual([]);
    }
  });

  it('is not judged where the service shows no notes', async () => {
    expect(outcomes(await planOf('each: [1]', [member(1, { marks: null })]))).toEqual(['1 create blocked: unread']);
  });

  it('is a member where the reply to this run says so', async () => {
    const made = new Map([['shop/previews/pr/1', 'br-preview-pr-1']]);
    expect(outcomes(await planOf('each: [1]', [member(1, { marks: {} })], { made }))).toEqual([]);
  });
});

it('a list of branches that could not be read makes and deletes nothing', async () => {
  const unread = [{ what: 'shop/branches', projectId: 'shop-1', reason: 'HTTP 500', kind: 'branch' }];
  const plan = await planOf('each: [1, 2], gone: delete', [], { live: { projects: [PROJECT], unread } });
  expect([plan.steps, plan.changes, plan.unread]).toEqual([[], [], unread]);
});

it('a plan that is repeated removes what the reviewed plan removes, and nothing else', async () => {
  const removals = new Map([['br-preview-pr-3', 'shop/previews/pr/3']]);
  const plan = await planOf('each: [1, 2, 5], gone: delete', members(1, 2, 3, 4, 5), { removals });
  expect(outcomes(plan)).toEqual(['3 delete', expect.stringMatching(/^4 none: .*reviewed plan/)]);
});

it('a set that deletes more is shown among the changed guards, whatever its keys', async () => {
  const fileOf = (set: string): string =>
    `version: 1\nprojects: { shop: { previews: { pr: { name: "preview/pr-{key}", ttl: 7d, max: 9, ${set} } } } }\n`;
  const [before, same, after] = await Promise.all(
    ['each: [1]', 'each: [2, 3]', 'each: [1], gone: delete, grace: 0s'].map(async (set) => desiredOf(fileOf(set))),
  );
  if (before === undefined || same === undefined || after === undefined) throw new Error('three files were read');
  const asked = { kinds, isThere: () => true };
  expect(wordsChanged(before, same, asked)).toEqual([]);
  expect(wordsChanged(before, after, asked)).toMatchObject([
    {
      guard: 'previews',
      address: 'shop/previews/pr',
      before: { gone: 'expire' },
      after: { gone: 'delete', grace_ms: 0 },
    },
  ]);
});

it('the note of a new member names its set', async () => {
  const { steps } = await planOf('each: [1]', []);
  expect(steps[0]?.body).toMatchObject({ annotation_value: { 'trueup.set': { set: 'pr' } } });
});
