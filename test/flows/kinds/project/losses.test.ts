// What a change of a project loses, and what it can be refused: consents, impacts, and what an organization must allow first.
import { describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../support/site.ts';
import { COMPUTE, ID, inShop, shopWorld } from '../../../support/shop.ts';
import { always } from '../../../support/faults.ts';

const WORLD = shopWorld({ computes: [{ id: COMPUTE, branch: 'main' }] });

const file = (wish: string): string => inShop(`id: ${ID}`, wish);

describe('what a change of a project loses', () => {
  const rows: readonly (readonly [wish: string, now: object, words: readonly string[], impact: readonly string[]])[] = [
    ['history_retention_seconds: 6h', {}, ['shorten'], ['data_lost']],
    ['history_retention_seconds: 7d', {}, [], ['none']],
    ['settings: { quota: { compute_time_seconds: 5 } }', {}, ['access'], ['access_changes']],
    ['settings: { quota: { compute_time_seconds: 5 } }', { quota: { compute_time_seconds: 3 } }, [], ['none']],
    ['settings: { quota: { compute_time_seconds: 0 } }', { quota: { compute_time_seconds: 3 } }, [], ['none']],
    [
      'settings: { quota: { compute_time_seconds: 2 } }',
      { quota: { compute_time_seconds: 3 } },
      ['access'],
      ['access_changes'],
    ],
    ['settings: { allowed_ips: { ips: [192.0.2.1] } }', {}, ['access'], ['access_changes', 'drops_connections']],
    ['settings: { block_public_connections: true }', {}, ['access'], ['access_changes']],
    ['settings: { enable_logical_replication: true }', {}, ['oneway'], ['one_way', 'drops_connections']],
    ['settings: { hipaa: true }', {}, ['oneway'], ['one_way', 'drops_connections']],
    ['settings: { audit_log_level: extended }', {}, ['oneway'], ['one_way']],
    ['settings: { maintenance_window: { weekdays: [3] } }', {}, [], ['none']],
    ['default_endpoint_settings: { autoscaling_limit_max_cu: 4 }', {}, [], ['none']],
  ];
  it.each(rows)('%s', async (wish, live, words, impact) => {
    const site = openSite({ seed: WORLD });
    await site.api('PATCH', `/projects/${ID}`, { project: { settings: live } });
    const window = { weekdays: [1], start_time: '01:00', end_time: '02:00' };
    await site.api('PATCH', `/projects/${ID}`, { project: { settings: { maintenance_window: window } } });
    const plan = await site.plan(file(wish), ['*:*']);
    const [change] = plan.changes.filter(({ kind }) => kind === 'project');
    expect(change?.consents?.map(({ word, address }) => [word, address])).toEqual(words.map((word) => [word, 'shop']));
    expect(change?.impact).toEqual(impact);
    expect(change?.blockedBy).toEqual(words.length === 0 ? [] : ['allowance']);
    const allowed = await site.plan(
      file(wish),
      words.map((word) => `${word}:shop`),
    );
    expect(allowed.changes[0]?.blockedBy).toEqual([]);
  });

  it('names the computes that are cut off', async () => {
    const running = { id: COMPUTE, branch: 'main', current_state: 'active', suspend_timeout_seconds: -1 } as const;
    const site = openSite({ seed: shopWorld({ computes: [running] }) });
    const plan = await site.plan(file('settings: { enable_logical_replication: true }'));
    expect(plan.changes[0]?.impactDetails['drops_connections']).toEqual({
      words: `drops the connections of all active computes: now ${COMPUTE}`,
    });
  });

  it('is refused where it cannot be reverted', async () => {
    const site = openSite({ seed: WORLD });
    await site.api('PATCH', `/projects/${ID}`, { project: { settings: { enable_logical_replication: true } } });
    const plan = await site.plan(file('settings: { enable_logical_replication: false }'), ['oneway:shop']);
    expect(plan.changes[0]?.blockedBy).toEqual(['refused']);
    expect(plan.steps).toEqual([]);
  });
});

describe('what an organization must allow first', () => {
  /** As the service shows it where it was allowed. */
  function allowed(settings: Readonly<Record<string, unknown>>): Site {
    const site = openSite({ seed: WORLD });
    const rules = Object.entries(settings).map(([name, value]) =>
      always(
        { path: `/projects/${ID}` },
        { kind: 'rewrite' as const, at: `project.settings.${name}`, value: value as string },
      ),
    );
    site.controlPlane.setFaults({ rules });
    return site;
  }
  it.each<readonly [live: object, wish: string, consents: readonly string[] | null, blocked: readonly string[]]>([
    [{ audit_log_level: 'extended' }, 'audit_log_level: full', [], []],
    [{ audit_log_level: 'full' }, 'audit_log_level: extended', [], []],
    [{ audit_log_level: 'full' }, 'audit_log_level: base', null, ['refused']],
    [{ hipaa: true }, 'hipaa: false', null, ['refused']],
  ])('with %j, %s', async (live, wish, consents, blocked) => {
    const plan = await allowed(live as never).plan(file(`settings: { ${wish} }`), ['oneway:shop']);
    const [change] = plan.changes;
    expect(change?.blockedBy).toEqual(blocked);
    if (consents !== null) expect((change?.consents ?? []).map(({ word }) => word)).toEqual(consents);
  });

  it('is no difference where it is as written, nor where it is the default that nothing shows', async () => {
    for (const [live, wish] of [
      [{ hipaa: true, audit_log_level: 'full' }, 'hipaa: true, audit_log_level: full'],
      [{}, 'hipaa: false, audit_log_level: base'],
      [{ hipaa: true, audit_log_level: 'full' }, ''],
    ] as const)
      expect((await allowed(live).plan(file(`settings: { ${wish} }`))).steps).toEqual([]);
  });

  it('is sent with its consent, and told in the words of the service where that refuses it', async () => {
    const { result } = await openSite({ seed: WORLD }).apply(file('settings: { hipaa: true }'), ['oneway:shop']);
    expect(result.status).toBe('incomplete');
    expect(JSON.stringify(result.steps)).toContain('the organization must allow HIPAA first');
  });
});

describe('a quota that is lowered', () => {
  it.each([
    ['compute_time_seconds', 'when compute_time_seconds is used up, the service suspends all active computes'],
    ['logical_size_bytes', 'a branch larger than logical_size_bytes takes no more writes'],
  ])('%s says what happens when it is reached', async (name, words) => {
    const plan = await openSite({ seed: WORLD }).plan(file(`settings: { quota: { ${name}: 5 } }`));
    expect(plan.changes[0]?.impactDetails['access_changes']).toMatchObject({
      words: expect.stringContaining(words) as string,
    });
  });
});
