// Every member of a project that can be set: written, applied, read back, unwritten, changed by somebody else, repaired.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite } from '../../../support/site.ts';
import { COMPUTE, ID, inShop, shopOf } from '../../../support/shop.ts';

const SHOP = shopOf({ computes: [{ id: COMPUTE, branch: 'main' }] });
const WORLD: World = { version: 1, projects: [SHOP] };

/** As it is written, and as somebody else sends it to change it; null where nothing changes it back. */
type Member = readonly [wish: string, drift: unknown, allow?: string];

const SUNDAY = 'weekdays: [7], start_time: "01:00"';
const WINDOW = { maintenance_window: { weekdays: [1], start_time: '04:00', end_time: '05:00' } };
const LIBRARIES = { preload_libraries: { use_defaults: true, enabled_libraries: [] } };
const ACCESS = 'access:shop';

/** By the path of the member below the project. */
const MEMBERS: Readonly<Record<string, Member>> = {
  history_retention_seconds: ['12h', 3600, 'shorten:shop'],
  ...below('default_endpoint_settings', {
    autoscaling_limit_min_cu: ['{ autoscaling_limit_min_cu: 0.5 }', { autoscaling_limit_min_cu: 1 }],
    autoscaling_limit_max_cu: ['{ autoscaling_limit_max_cu: 2 }', { autoscaling_limit_max_cu: 1 }],
    suspend_timeout_seconds: ['{ suspend_timeout_seconds: 10m }', { suspend_timeout_seconds: 120 }],
    pg_settings: [
      '{ pg_settings: { work_mem: 64MB, max_connections: 200 } }',
      { pg_settings: { work_mem: '8MB', max_connections: '200' } },
    ],
    pgbouncer_settings: [
      '{ pgbouncer_settings: { default_pool_size: 40 } }',
      { pgbouncer_settings: { default_pool_size: '20' } },
    ],
  }),
  ...below('settings', {
    'allowed_ips.ips': [
      '{ allowed_ips: { ips: [203.0.113.0/24, 198.51.100.7] } }',
      { allowed_ips: { ips: ['203.0.113.0/24'], protected_branches_only: false } },
      ACCESS,
    ],
    'allowed_ips.protected_branches_only': [
      '{ allowed_ips: { protected_branches_only: true } }',
      { allowed_ips: { ips: [], protected_branches_only: false } },
      ACCESS,
    ],
    enable_logical_replication: ['{ enable_logical_replication: true }', null, 'oneway:shop'],
    'maintenance_window.weekdays': [
      '{ maintenance_window: { weekdays: [7, 6], start_time: "02:00", end_time: "03:00" } }',
      WINDOW,
    ],
    'maintenance_window.start_time': [`{ maintenance_window: { ${SUNDAY}, end_time: "03:00" } }`, WINDOW],
    'maintenance_window.end_time': [`{ maintenance_window: { ${SUNDAY}, end_time: "06:00" } }`, WINDOW],
    block_public_connections: ['{ block_public_connections: true }', { block_public_connections: false }, ACCESS],
    block_vpc_connections: ['{ block_vpc_connections: true }', { block_vpc_connections: false }, ACCESS],
    // Times may be durations.
    ...quotas('100h', 'active_time_seconds', 'compute_time_seconds'),
    ...quotas('360000', 'written_data_bytes', 'data_transfer_bytes', 'logical_size_bytes'),
    'preload_libraries.enabled_libraries': [
      '{ preload_libraries: { enabled_libraries: [timescaledb, pg_cron] } }',
      LIBRARIES,
    ],
    'preload_libraries.use_defaults': ['{ preload_libraries: { use_defaults: false } }', LIBRARIES],
  }),
};

function below(section: string, members: Readonly<Record<string, Member>>): Readonly<Record<string, Member>> {
  return Object.fromEntries(Object.entries(members).map(([path, member]) => [`${section}.${path}`, member]));
}

function quotas(limit: string, ...names: readonly string[]): Readonly<Record<string, Member>> {
  const one = (name: string): Member => [`{ quota: { ${name}: ${limit} } }`, { quota: { [name]: 720_000 } }, ACCESS];
  return Object.fromEntries(names.map((name) => [`quota.${name}`, one(name)]));
}

/** Keys of a project that are no attributes of it: which one it is, what is in it, and what trueup may do with it. */
const NO_MEMBERS = 'id name renamed_from state create retention lifecycle safety prune unmanaged_ok use'.split(' ');
const SECTIONS = ['branches', 'computes', 'permissions', 'previews', 'retention'];
/** What no account of the local control plane allows: judged below. */
const OF_OTHER_ORGANIZATIONS = ['settings.hipaa', 'settings.audit_log_level'];

interface Node {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Node>>;
}
const { $defs } = JSON.parse(readFileSync('schemas/desired-state.schema.json', 'utf8')) as {
  readonly $defs: Readonly<Record<string, Node>>;
};

/** Paths of all that can be written below a definition. */
function leavesIn(node: Node, path: readonly string[] = []): readonly string[] {
  const { properties } = node.$ref === undefined ? node : ($defs[node.$ref.replace('#/$defs/', '')] ?? {});
  if (properties === undefined) return [path.join('.')];
  return Object.entries(properties).flatMap(([name, one]) => leavesIn(one, [...path, name]));
}

const file = (wish: string): string => inShop(`id: ${ID}`, wish);
/** Something else is written in place of what was. */
const UNWRITTEN = file('settings: {}');

describe('what can be set of a project', () => {
  it('is all in the table', () => {
    const { properties = {} } = $defs['Project'] ?? {};
    const members = Object.entries(properties)
      .filter(([name]) => ![...NO_MEMBERS, ...SECTIONS].includes(name))
      .flatMap(([name, node]) => leavesIn(node, [name]));
    expect([...Object.keys(MEMBERS), ...OF_OTHER_ORGANIZATIONS].sort()).toEqual([...members].sort());
  });

  it.each(Object.entries(MEMBERS))('%s holds, is let be, and is repaired', async (path, [written, drift, allow]) => {
    const [section = ''] = path.split('.');
    const wish = `${section}: ${written}`;
    const site = openSite({ seed: WORLD });
    const first = await site.apply(file(wish), allow === undefined ? [] : [allow]);
    expect(first.plan.changes.flatMap(({ attributes }) => attributes.map((one) => one.path))).toContainEqual(
      expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')}`)),
    );
    expect(first.result.status).toBe('converged');
    expect(first.writes).toEqual([`PATCH /projects/${ID}`]);
    expect((await site.plan(file(wish))).steps).toEqual([]);

    const unwritten = await site.apply(UNWRITTEN);
    expect(unwritten.plan.steps).toEqual([]);
    expect(unwritten.sent).toEqual([]);

    if (drift === null) return;
    expect((await site.api('PATCH', `/projects/${ID}`, { project: { [section]: drift } })).status).toBe(200);
    expect((await site.plan(UNWRITTEN)).steps).toEqual([]);
    const repaired = await site.apply(file(wish), ['access:shop', 'shorten:shop']);
    expect(repaired.plan.steps).toHaveLength(1);
    expect(repaired.result.status).toBe('converged');
    expect((await site.plan(file(wish))).steps).toEqual([]);
  });

  it.each(['1500ms', '-1', '1w', '"x"', '[1]'])('is no quota of time: %s', async (value) => {
    await expect(
      openSite({ seed: WORLD }).plan(file(`settings: { quota: { active_time_seconds: ${value} } }`)),
    ).rejects.toThrow(/wrong_value|wrong_type|bad_value|pattern|expected/);
  });

  it('is sent as wholes where the service takes wholes, with what nobody wrote', async () => {
    const site = openSite({ seed: WORLD });
    await site.api('PATCH', `/projects/${ID}`, {
      project: {
        settings: {
          allowed_ips: { ips: ['192.0.2.1'], protected_branches_only: true },
          quota: { written_data_bytes: 5 },
        },
        default_endpoint_settings: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 },
      },
    });
    const plan = await site.plan(
      file(
        'settings: { allowed_ips: { ips: [] }, quota: { compute_time_seconds: 9 } }\n    default_endpoint_settings: { autoscaling_limit_max_cu: 4 }',
      ),
      ['access:shop'],
    );
    expect(plan.steps[0]?.body).toEqual({
      project: {
        settings: { allowed_ips: { ips: [], protected_branches_only: true }, quota: { compute_time_seconds: 9 } },
        default_endpoint_settings: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4 },
      },
    });
  });

  it('is compared as sets where order says nothing', async () => {
    const site = openSite({ seed: WORLD });
    const ips = ['203.0.113.0/24', '2001:DB8::/32', '198.51.100.1-198.51.100.9'];
    await site.api('PATCH', `/projects/${ID}`, { project: { settings: { allowed_ips: { ips } } } });
    const other =
      'settings: { allowed_ips: { ips: [198.51.100.1 - 198.51.100.9, "2001:db8::/32", 203.0.113.0/24, 203.0.113.0/24] } }';
    expect((await site.plan(file(other))).steps).toEqual([]);
  });
});

describe('the name of a project', () => {
  const named = (lines: string): string => `version: 1\nprojects:\n  store:\n${lines}`;

  it('changes by renamed_from, and by nothing else', async () => {
    const site = openSite({ seed: WORLD });
    const pinned = await site.plan(named(`    id: ${ID}\n    settings: {}\n`));
    expect(pinned.steps).toEqual([]);
    const renamed = await site.apply(named('    renamed_from: shop\n'));
    expect(renamed.plan.steps.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', `/projects/${ID}`, { project: { name: 'store' } }],
    ]);
    expect(renamed.result.status).toBe('converged');
    expect((await site.plan(named('    renamed_from: shop\n'))).steps).toEqual([]);
  });

  it('is an error where both names live', async () => {
    const branches = [{ id: 'br-calm-lake-1', name: 'main', default: true }];
    const second = shopOf({ id: 'calm-lake-100000', name: 'store', branches });
    const site = openSite({ seed: { version: 1, projects: [SHOP, second] } });
    const { diagnostics } = await site.outcome(named('    renamed_from: shop\n'));
    expect(diagnostics.map(({ code }) => code)).toContain('both_names_live');
  });
});
