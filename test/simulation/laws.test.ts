// The laws can be broken: each is shown a run that breaks it, and says so.
import { describe, expect, it } from 'vitest';
import { consentViolations } from './laws/consent.ts';
import { dataViolations } from './laws/data.ts';
import { differences } from './laws/end-state.ts';
import { guessViolations } from './laws/guesses.ts';
import { ledgerViolations } from './laws/ledger.ts';
import { orderViolations } from './laws/order.ts';
import { reportViolations } from './laws/report.ts';
import { reviewViolations } from './laws/reviewed.ts';
import { ruleViolations } from './laws/rules.ts';
import { leaks, watchPlaces } from './laws/secrets.ts';
import type { Story } from './laws/story.ts';
import { surplusBranches } from './laws/tree-state.ts';
import { polluted, unfaithful, wireViolations } from './laws/wire.ts';
import { writeViolations } from './laws/writes.ts';
import { RULE, SET } from './rule-worlds.ts';
import { FORMS, sceneOf } from './scene.ts';
import type { RunRecord } from './world/run.ts';
import { ask, SECRETS } from './world/site.ts';
import { desiredOf } from './world/workload.ts';

const SHOP = '/projects/shop-project-000001/endpoints';

const BRANCHES = '/projects/shop-project-000001/branches';
const STAGING = `${BRANCHES}/br-staging-000001`;

/** Time passes: what happens then has nothing to do with the run. */
const later = async ({ site }: Story): Promise<void> => site.time.run(site.time.clockOf().sleep(60_000), 120_000);
const eagerly = (story: Story): readonly string[] =>
  writeViolations({ ...story, site: { ...story.site, slow: false } });

describe('a request in the name of the run', () => {
  type Law = (story: Story) => readonly string[];
  const ends = { branch: { expires_at: '2026-01-09T00:00:00Z' } };
  const resized = { endpoint: { suspend_timeout_seconds: 600 } };
  const restart = `${SHOP}/ep-main-primary-01/restart`;
  it.each<readonly [string, string, Law, string, string, unknown, RegExp]>([
    ['deletes', 'W1', ledgerViolations, 'DELETE', `${SHOP}/ep-foreign-reader-09`, undefined, /was not in its plan/],
    ['restarts', 'W5', ledgerViolations, 'POST', restart, undefined, /was not in its plan/],
    ['restarts again', 'W18', eagerly, 'POST', restart, undefined, /for the second time/],
    ['revokes a key in use', 'W10', ledgerViolations, 'DELETE', '/api_keys/77', undefined, /which somebody uses/],
    ['revokes a key of before', 'W10', consentViolations, 'DELETE', '/api_keys/77', undefined, /was there before/],
    ['drops a branch', 'T6', dataViolations, 'DELETE', STAGING, undefined, /drops what nobody let go/],
    ['drops data', 'T6', dataViolations, 'DELETE', `${BRANCHES}/br-main-000001/databases/stock`, undefined, /drops/],
    ['drops a role', 'T10', dataViolations, 'DELETE', `${STAGING}/roles/report`, undefined, /drops what nobody let go/],
    ['sets a lease', 'T11', dataViolations, 'PATCH', `${BRANCHES}/br-other-000001`, ends, /a lease that nobody let/],
    ['changes a twin', 'W27', reviewViolations, 'PATCH', `${SHOP}/ep-main-primary-01`, resized, /several projects/],
  ])('%s, which no plan of %s lets', async (_, number, law, method, path, body, words) => {
    const { story, forge } = await sceneOf(number);
    story.site.consumers.add('77');
    await later(story);
    if (path.endsWith('/roles/report'))
      for (const name of ['orders', 'stock']) await forge('DELETE', `${STAGING}/databases/${name}`);
    await forge(method, path, body);
    expect(law(story).join('\n')).toMatch(words);
  });
});

describe('the ledger', () => {
  it("the run's own key revoked", async () => {
    const { story, forge } = await sceneOf('W10');
    await forge('DELETE', `/api_keys/${story.site.ownKeyId}`);
    expect(ledgerViolations(story).join('\n')).toMatch(/revoked its own key/);
  });

  it('a replica made once too often, sent again without a look', async () => {
    const { story, record, forge } = await sceneOf('W19');
    const step = record.plan?.steps.find(({ address }) => address === 'shop/small');
    await forge('POST', step?.path ?? '', step?.body);
    const found = ledgerViolations(story).join('\n');
    expect(found).toMatch(/was done 2 times for 1 steps/);
    expect(found).toMatch(/was sent 2 times for 1 steps/);
  });
});

describe('data', () => {
  it('a branch without its parent', async () => {
    const { story } = await sceneOf('T10');
    const { plane } = story.site;
    plane.engine.transact(() => plane.engine.remove('branches', 'br-main-000001'));
    expect(dataViolations(story).join('\n')).toMatch(/has lost its parent/);
  });

  it.each([
    ['a branch made once too often', 'POST', BRANCHES, { branch: { name: 'twice' } }, /was made once too often/],
    ['a name that is not as declared', 'PATCH', STAGING, { branch: { name: 'other' } }, /staging is not there/],
    [
      'an owner that is not as declared',
      'PATCH',
      `${STAGING}/databases/orders`,
      { database: { owner_name: 'report' } },
      /owner is "report"/,
    ],
    ['a role that is gone', 'DELETE', `${STAGING}/roles/app`, undefined, /roles\/app is not there/],
  ] as const)('%s', async (_, method, path, body, words) => {
    const { story, record, forge } = await sceneOf('T10');
    if (path.endsWith('/roles/app')) await forge('DELETE', `${STAGING}/databases/orders`);
    await forge(method, path, body);
    const desired = await desiredOf(story.workload);
    const found = [...differences(story, desired, record), ...surplusBranches(story, record)];
    expect(found.join('\n')).toMatch(words);
  });
});

describe('rules', () => {
  const renamed = (plan: RunRecord['plan'], address: string): RunRecord['plan'] =>
    plan && {
      ...plan,
      steps: plan.steps.map((step) => (step.kind === 'branch' ? { ...step, address } : step)),
    };
  const RULES = `version: 1
projects:
  shop:
    id: shop-project-000001
    branches: { main: br-main-000001 }
    previews: { pr: { each: [], name: "preview/{key}", from: main, ttl: 7d, max: 9, gone: delete } }
    retention: { old: { match: ["sta*"], older_than: 7d, idle_for: 1h, max: 9, keep: [] } }
`;
  const cases: readonly (readonly [string, string, string, string, RegExp])[] = [
    ['nothing', '', '', `${RULE}/**`, /^$/],
    ['another name', '"sta*"', '"other*"', `${RULE}/**`, /its name does not match/],
    ['a name that is kept', 'keep: []', 'keep: [staging]', `${RULE}/**`, /its name is in `keep`/],
    ['a young branch', 'older_than: 7d', 'older_than: 30d', `${RULE}/**`, /it is only \d+ ms old/],
    ['a branch in use', 'idle_for: 1h', 'idle_for: 1d', `${RULE}/**`, /was active/],
    ['no consent to the rule', '', '', 'shop/**', /nobody let it go/],
  ];
  const ofSets: readonly (readonly [string, string, string, string, RegExp])[] = [
    ['no note of the set', '', '', 'other', /it is not of the set/],
    ['a list that names it', 'each: []', 'each: [x]', 'pr', /its key is listed/],
    ['a set whose members stay', 'gone: delete', 'gone: keep', 'pr', /members of this set stay/],
    ['a list that names no member', '', '', 'pr', /the set lost 1 of 1 members/],
    ['a finished member', 'max: 9, gone', 'max: 9, closed: [staging], gone', 'pr', /^$/],
  ];
  it.each(ofSets)('a deletion by a set with %s', async (_, from, to, set, words) => {
    const { story, record } = await sceneOf('T5');
    const [key, workload] = [to.includes('staging') ? 'staging' : 'x', structuredClone(story.workload)];
    for (const branch of workload.world.projects?.[0]?.branches ?? [])
      if (branch.name === 'staging') branch.annotation_value = { 'trueup.set': `shop-project-000001/${set}` };
    const yaml = RULES.replace('preview/{key}', '{key}').replace(from, to);
    const plan = renamed(record.plan, `${SET}/${key}`);
    const run = { ...record, plan, desired: await desiredOf({ ...workload, yaml }) };
    expect(ruleViolations({ ...story, workload, runs: [run] }).join('\n')).toMatch(words);
  });

  it.each(cases)('a deletion with %s against it', async (_, from, to, address, words) => {
    const { story, record } = await sceneOf('T5');
    const plan = renamed(record.plan, `${RULE}/x`);
    const workload = { ...story.workload, allow: [{ action: 'drop', address }] };
    const desired = await desiredOf({ ...workload, yaml: RULES.replace(from, to) });
    const found = ruleViolations({ ...story, workload, runs: [{ ...record, plan, desired }] });
    expect(found.join('\n')).toMatch(words);
  });
});

type Result = NonNullable<RunRecord['result']>;
const told =
  (edit: (result: Result) => Result) =>
  (record: RunRecord): RunRecord => ({ ...record, result: record.result && edit(record.result) });
const ending =
  (outcome: Result['steps'][number]['outcome']) =>
  (result: Result): Result => ({ ...result, steps: result.steps.map((step) => ({ ...step, outcome })) });

it.each<readonly [string, (record: RunRecord) => RunRecord, RegExp]>([
  [
    'a count that is not the ledger’s',
    told((result) => ({ ...result, counts: { ...result.counts, added: 2 } })),
    /reports 2 added, the ledger has 1/,
  ],
  ['a step without an end', told(ending('running')), /is running at the end/],
  ['a step that was done and is said to be skipped', told(ending('skipped')), /but was committed/],
  ['a plan that writes', (record) => ({ ...record, planCalls: record.life.calls.length }), /while planning/],
  ['a run that leaves a timer behind', (record) => ({ ...record, timersLeft: 1 }), /left 1 timers behind/],
  ['a run that broke', (record) => ({ ...record, error: 'TypeError: no' }), /broke: TypeError/],
])('reports: %s', async (_, spoil, words) => {
  const { story, record } = await sceneOf('W1');
  expect(reportViolations(story)).toEqual([]);
  expect(reportViolations({ ...story, runs: [spoil(record)] }).join('\n')).toMatch(words);
});

describe('the order', () => {
  it('a change by a run that ended in an error as a whole', async () => {
    const { story, record } = await sceneOf('W5');
    expect(orderViolations(story)).toEqual([]);
    const failed = told((result) => ({ ...result, status: 'error' }))(record);
    expect(orderViolations({ ...story, runs: [failed] }).join()).toMatch(/ended in an error as a whole, but did PATCH/);
  });

  it('a key that is asked for before a place was tried', async () => {
    const { story, record } = await sceneOf('W10');
    expect(orderViolations(story)).toEqual([]);
    const reckless = record.life.calls.filter((call) => !call.startsWith('sync '));
    record.life.calls.splice(0, Infinity, ...reckless);
    expect(orderViolations(story).join()).toMatch(/before it had tried a place/);
  });

  it('an old key that is revoked before there is a new one', async () => {
    const { story, record, forge } = await sceneOf('W11');
    expect(orderViolations(story)).toEqual([]);
    await forge('DELETE', '/api_keys/9007199254740993');
    expect(orderViolations(story)).toEqual([]);
    const ledger = story.site.plane.ledger();
    const plane = { ...story.site.plane, ledger: () => ledger.toReversed() };
    const early: Story = { ...story, site: { ...story.site, plane }, runs: [record] };
    expect(orderViolations(early).join()).toMatch(/before there was another/);
  });

  it('a step that is begun after a stop', async () => {
    const { story, record } = await sceneOf('W5');
    record.stoppedMs = record.startedMs - 1;
    expect(orderViolations(story).join()).toMatch(/PATCH .* was begun after a stop/);
  });
});

describe('the wire', () => {
  it('a write with a key that is not the run’s own, and a request with a value of nobody', async () => {
    const { story } = await sceneOf('W10');
    expect(wireViolations(story)).toEqual([]);
    expect(story.site.wire.map(({ key }) => key)).toContain(story.site.plane.truth.keys().at(-1)?.id);
    const wire = story.site.wire.map((entry) => ({ ...entry, key: '77' }));
    expect(wireViolations({ ...story, site: { ...story.site, wire } }).join()).toMatch(/POST .* came with key 77/);
    const nobody = story.site.wire.map((entry) => ({ ...entry, key: null }));
    expect(wireViolations({ ...story, site: { ...story.site, wire: nobody } })).toHaveLength(nobody.length);
  });

  it('an id that was rounded on its way', async () => {
    const { story, forge } = await sceneOf('W11');
    await forge('DELETE', '/api_keys/9007199254740993');
    expect(wireViolations(story)).toEqual([]);
    const wire = story.site.wire.map((entry) => ({ ...entry, path: entry.path.replace(/993$/, '992') }));
    const rounded = { ...story, site: { ...story.site, wire } };
    expect(wireViolations(rounded).join()).toMatch(/DELETE .*992 names what never was/);
  });

  it('a reply that reached the prototype of all objects', () => {
    expect(polluted()).toEqual([]);
    expect(polluted([...Reflect.ownKeys(Object.prototype), 'polluted'])).toEqual([
      'all objects have got a property polluted',
    ]);
  });

  it.each(['lost', 500] as const)('a request that ended as %s without a fault', async (end) => {
    const { story, record } = await sceneOf('W5');
    expect(unfaithful(story, record.run)).toEqual([]);
    for (const entry of story.site.wire) if (entry.method === 'PATCH') entry.end = end;
    expect(unfaithful(story, record.run).join()).toMatch(/without faults, PATCH .* was answered/);
  });
});

describe('the end', () => {
  it('an attribute that somebody changed', async () => {
    const { story, record, forge } = await sceneOf('W5');
    const desired = await desiredOf(story.workload);
    expect(differences(story, desired, record)).toEqual([]);
    await forge('PATCH', `${SHOP}/ep-main-primary-01`, { endpoint: { suspend_timeout_seconds: 120 } });
    expect(differences(story, desired, record).join()).toMatch(/suspend_timeout_seconds is 120, not 600/);
  });

  it('a key that no longer works, and one that is left over', async () => {
    const { story, record, forge } = await sceneOf('W10');
    const desired = await desiredOf(story.workload);
    expect(differences(story, desired, record)).toEqual([]);
    const made = story.site.plane.truth.keys().find(({ name }) => name === 'ci');
    await forge('POST', '/api_keys', { key_name: 'ci' });
    expect(differences(story, desired, record).join()).toMatch(/is left over/);
    await forge('DELETE', `/api_keys/${made?.id ?? ''}`);
    expect(differences(story, desired, record).join()).toMatch(/which is not live/);
  });
});

describe('secrets', () => {
  it.each([...FORMS, ['a part', (value: string) => value.slice(20, 60)] as const])(
    'a value in the output, %s',
    async (_, form) => {
      const { story, record } = await sceneOf('W10');
      expect(leaks(story.site, [record])).toEqual([]);
      const value = [...story.site.keyValues.values()].at(-1) ?? '';
      record.said.push(`text ${form(value)} text`);
      expect(leaks(story.site, [record])).toHaveLength(1);
    },
  );

  it('half a record in a place', async () => {
    const { story } = await sceneOf('W10');
    const found: string[] = [];
    watchPlaces(story.site, (words) => found.push(words));
    const path = `${SECRETS}/ci.json`;
    const text = story.site.disk.text(path) ?? '';
    story.site.disk.onChange(path);
    expect(found).toEqual([]);
    story.site.disk.write(path, text.slice(0, 40));
    story.site.disk.onChange(path);
    expect(found).toEqual([`a reader of ${path} would see no whole record`]);
  });
});

describe('consent', () => {
  it('what nobody let is taken away', async () => {
    const { story, record } = await sceneOf('W12');
    expect(consentViolations(story)).toEqual([]);
    const unattended = { ...story, runs: [{ ...record, isUnattended: true }] };
    expect(consentViolations(unattended).join()).toMatch(/was let by nobody/);
    const workload = { ...story.workload, allow: [{ action: 'revoke', address: 'api_keys/*' }] as const };
    expect(consentViolations({ ...unattended, workload })).toEqual([]);
  });

  it('what may be a label is removed, or disturbed where another looks the same', async () => {
    const removed = await sceneOf('W25');
    const desired = await desiredOf(removed.story.workload);
    expect(guessViolations(removed.story, desired)).toEqual([]);
    await removed.forge('DELETE', `${SHOP}/ep-reader-01`);
    expect(guessViolations(removed.story, desired).join()).toMatch(/shop\/a may be it/);
    const resized = await sceneOf('W26');
    await resized.forge('PATCH', `${SHOP}/ep-reader-01`, { endpoint: { autoscaling_limit_max_cu: 4 } });
    expect(guessViolations(resized.story, await desiredOf(resized.story.workload)).join()).toMatch(
      /ep-reader-02 looks the same/,
    );
  });
});

describe('writes', () => {
  it('what somebody else changed long before is overwritten', async () => {
    const { story, record, forge } = await sceneOf('W5');
    const { site } = story;
    expect(eagerly(story)).toEqual([]);
    const [step] = record.plan?.steps ?? [];
    const body = { endpoint: { suspend_timeout_seconds: 120 } };
    await site.time.run(ask(site, 'PATCH', `${SHOP}/ep-main-primary-01`, { body }), 60_000);
    await later(story);
    await forge('PATCH', step?.path ?? '', step?.body);
    expect(eagerly(story).join()).toMatch(/suspend_timeout_seconds had been changed/);
  });

  it('a branch dropped with a role that somebody made since', async () => {
    const { story, forge } = await sceneOf('T6');
    const { site } = story;
    await later(story);
    await site.time.run(ask(site, 'POST', `${STAGING}/roles`, { body: { role: { name: 'theirs' } } }), 60_000);
    await later(story);
    expect(eagerly(story)).toEqual([]);
    await forge('DELETE', STAGING);
    expect(eagerly(story).join()).toMatch(/took theirs along/);
  });
});

it('plans that were shown or saved a step of a saved plan is done by both runs that carry it out', async () => {
  const { story, record, forge } = await sceneOf('W5');
  const [step] = record.plan?.steps ?? [];
  await later(story);
  await forge('PATCH', step?.path ?? '', { endpoint: { suspend_timeout_seconds: 120 } });
  await later(story);
  const first = { ...record, isSaved: true };
  const again = { ...first, run: 2, reviewed: first };
  const twice = { ...story, runs: [first, again] };
  expect(reviewViolations(twice)).toEqual([]);
  await forge('PATCH', step?.path ?? '', step?.body);
  expect(reviewViolations(twice).join()).toMatch(/was done 2 times by a plan of 1 such steps/);
});
