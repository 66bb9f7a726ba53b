// Drift: what a plan found, sorted into classes, and the report as JSON and back.
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../../src/base/json.ts';
import { DriftFile } from '../../../src/model/generated/validators.js';
import type { DriftReport } from '../../../src/model/outcome/drift.ts';
import type { Change } from '../../../src/model/outcome/plan.ts';
import { driftOf, driftToJson } from '../../../src/plan/drift.ts';
import { driftFromJson } from '../../../src/plan/json/saved-drift.ts';
import { inputOf, planOf, type World, shop } from './support/world.ts';

const STAMP = { timestamp: '2026-11-20T12:00:00.000Z', toolVersion: '0.1.0' };

/** Something of every class. */
const EVERYTHING: World = {
  file: `
shop:
  prune: true
  computes:
    changed: { branch: br-1, min: 2, max: 4, lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 8, until: 2027-01-01 }] } }
    missing: { branch: br-2, type: read_only, lifecycle: { ignore: [pooler_mode, pooler_enabled] } }
    moved: { id: ep-b, branch: br-3 }
    resting: { branch: br-4, restart: { max_age: 1d } }
    same: { branch: br-5 }
blog: { computes: { unread: { branch: br-8, lifecycle: { ignore: [pooler_enabled] } } } }`,
  live: `
shop:
  ep-a: { branch: br-1, min: 1, max: 8 }
  ep-b: { branch: br-9 }
  ep-c: { branch: br-4, created: 2026-01-01 }
  ep-d: { branch: br-5 }
  ep-odd: { branch: br-5, type: turbo }
  ep-x: { branch: br-6, type: read_only }
  ep-y: { branch: br-7 }
  ep-z: { branch: br-7 }`,
  log: ['3d apply_config finished ep-a', '5d start_compute finished ep-c'],
  unread: ['blog'],
};

/** A replacement, and a change of one of several replicas that only counting tells apart. */
const ODD: World = shop(
  `a: { branch: br-1, type: read_only, max: 2, name: null }
    , b: { branch: br-1, type: read_only, max: 3, name: null }
    , one: { id: ep-z, branch: br-2, type: read_only }`,
  `ep-a: { branch: br-1, type: read_only, max: 2, host: host-a }
    , ep-b: { branch: br-1, type: read_only, max: 2, last_active: 2026-11-01T00:00:00Z }
    , ep-c: { branch: br-1, type: read_only, max: 2 }
    , ep-z: { branch: br-2 }`,
);

function reportOf(world: World): DriftReport {
  return driftOf(planOf(world), inputOf(world).desired);
}

const addresses = (list: readonly { readonly address: string }[]): string[] => list.map(({ address }) => address);

describe('a report', () => {
  it('sorts what was found into classes', () => {
    const report = reportOf(EVERYTHING);
    expect(addresses(report.changed)).toEqual(['shop/changed', 'shop/moved']);
    expect(addresses(report.missing)).toEqual(['shop/missing']);
    expect(addresses(report.held)).toEqual(['shop/changed']);
    expect(addresses(report.due)).toEqual(['shop/resting']);
    expect(report.unmanaged.map(({ address, pruned }) => [address, pruned])).toEqual([
      ['shop/ep-odd', false],
      ['shop/ep-x', true],
      ['shop/ep-y', false],
      ['shop/ep-z', false],
    ]);
    expect(report.unread).toEqual([{ what: 'blog', projectId: 'blog-1', reason: 'HTTP 500' }]);
  });

  it('shapes what no file lists like a change of a plan', () => {
    const { changed, unmanaged } = driftToJson(reportOf(EVERYTHING), STAMP) as Record<string, Record<string, never>[]>;
    const [odd, pruned] = unmanaged ?? [];
    expect(Object.keys(odd ?? {})).toEqual(expect.arrayContaining(Object.keys(changed?.[0] ?? {})));
    expect(odd).toMatchObject({ address: 'shop/ep-odd', change: { actions: ['no-op'] }, trueup: { action: 'none' } });
    expect(pruned).toMatchObject({
      address: 'shop/ep-x',
      kind: 'compute',
      pruned: true,
      change: { actions: ['delete'], after: null },
      trueup: { action: 'delete', origin: 'prune' },
    });
  });

  it('names the operation that a difference goes back to', () => {
    const [changed] = reportOf(EVERYTHING).changed;
    expect(changed?.lastOperation).toEqual({ id: 'op-0', action: 'apply_config', at: '2026-11-17T12:00:00.000Z' });
  });

  it('says at what nobody looked, and why', () => {
    expect(reportOf(EVERYTHING).notCompared).toEqual([
      {
        address: 'shop/ep-odd',
        paths: [],
        reason: 'ep-odd is neither matched nor pruned: this version of trueup does not know its type',
      },
      {
        address: 'shop/ep-y',
        paths: [],
        reason:
          'only one live resource can be the primary of br-7, but the account has ep-y and ep-z; trueup changes none of these resources',
      },
      {
        address: 'shop/missing',
        paths: ['pooler_enabled', 'pooler_mode'],
        reason: 'lifecycle.ignore leaves this attribute to others',
      },
    ]);
  });

  it('without the file, says nothing of what that leaves to others', () => {
    expect(addresses(driftOf(planOf(EVERYTHING)).notCompared)).toEqual(['shop/ep-odd', 'shop/ep-y']);
  });

  it.each<[string, World]>([
    ['an unlisted primary', shop('a: { branch: br-1 }', 'ep-b: { branch: br-2 }')],
    [
      'a place that the file wants and that two hold: that is an error of the plan',
      shop('a: { branch: br-1 }', 'ep-a: { branch: br-1 }, ep-b: { branch: br-1 }'),
    ],
  ])('does not count as not compared: %s', (_name, world) => {
    expect(planOf(world).diagnostics).toHaveLength(1);
    expect(reportOf(world).notCompared).toEqual([]);
  });
});

const FITS = shop('a: { branch: br-1 }', 'ep-a: { branch: br-1 }');
const UNLISTED = 'ep-x: { branch: br-6, type: read_only }, ep-y: { branch: br-7 }';

describe('the status of a report', () => {
  it.each<[DriftReport['status'], string, World]>([
    ['in_sync', 'where everything fits', FITS],
    [
      'in_sync',
      'where no file asks to prune what is unlisted',
      shop('a: { branch: br-1 }', `ep-a: { branch: br-1 }, ${UNLISTED}`),
    ],
    [
      'in_sync',
      'where only time asks for a change',
      shop('a: { branch: br-4, restart: { max_age: 1d } }', 'ep-c: { branch: br-4, created: 2026-01-01 }', {
        log: ['5d start_compute finished ep-c'],
      }),
    ],
    ['drifted', 'where an attribute differs', shop('a: { branch: br-1, max: 2 }', 'ep-a: { branch: br-1, max: 1 }')],
    ['drifted', 'where a resource is missing', shop('a: { branch: br-1 }')],
    [
      'drifted',
      'where prune deletes some of what is unlisted',
      {
        file: 'shop: { prune: { type: [read_only] }, computes: { a: { branch: br-1 } } }',
        live: `shop: { ep-a: { branch: br-1 }, ${UNLISTED} }`,
      },
    ],
    ['incomplete', 'where a project was not read', { ...FITS, unread: ['blog'] }],
    [
      'incomplete',
      'where the rest of a plan differs',
      { file: 'shop: { computes: { a: { branch: br-1 } } }', unread: ['blog'] },
    ],
  ])('is %s %s', (status, _name, world) => {
    expect(reportOf(world).status).toBe(status);
  });
});

describe('made from changes', () => {
  const plan = planOf(shop('a: { branch: br-1 }'));
  const [made] = plan.changes;
  const change = (address: string, own: Partial<Change> = {}): Change => ({ ...(made as Change), address, ...own });
  const from = (changes: readonly Change[], ...rest: readonly never[]): DriftReport =>
    driftOf({ ...plan, changes }, ...rest);

  it('sets what expired apart, with its contents and nothing else: the file asked for its end', () => {
    const gone = change('shop/pr/1', { origin: 'expired' });
    const inside = change('shop/pr/1/roles/app');
    expect(from([gone, inside])).toMatchObject({ status: 'in_sync', missing: [], expired: [gone, inside] });
    const beside = [change('shop/pr/10'), change('shop/pr')];
    expect(from([gone, ...beside])).toMatchObject({ status: 'drifted', missing: beside, expired: [gone] });
    expect(from(beside)).not.toHaveProperty('expired');
  });

  it('says what could not be compared of what stays, and nothing of what is made or not planned', () => {
    const untold = ['shop/update', 'shop/create', 'shop/replace', 'shop/elsewhere'].map((address) => ({
      address,
      paths: ['secret'],
      reason: 'the sink was not asked',
    }));
    const changes = (['update', 'create', 'replace'] as const).map((action) => change(`shop/${action}`, { action }));
    expect(driftOf({ ...plan, changes }, null, untold).notCompared).toEqual(untold.slice(0, 1));
    expect(from(changes).notCompared).toEqual([]);
  });
});

it('says of which resource the log does not tell the last change, and no other note', () => {
  const world = shop(
    'a: { branch: br-1, max: 2 }',
    'ep-a: { branch: br-1, max: 2, created: 2026-01-01, updated: 2026-11-01 }',
    { log: ['1h start_compute finished ep-a'], logComplete: false },
  );
  const plan = planOf(world);
  const notes = plan.changes.map((one) => ({ ...one, notes: ['something else', ...one.notes, 'and more'] }));
  const reason =
    'it is not known whether the last change failed: the change is not among the operations of the project that were read';
  expect(driftOf({ ...plan, changes: notes }).notCompared).toEqual([
    { address: 'shop/a', paths: ['last_operation'], reason },
  ]);
});

it('links what is unlisted to its own deletion alone, not to a declaration of the same address', () => {
  const [unlisted] = reportOf(shop('ep-x: { branch: br-1 }', UNLISTED)).unmanaged;
  expect(unlisted).toMatchObject({ address: 'shop/ep-x', pruned: false });
  expect(unlisted).not.toHaveProperty('change');
});

it('names the branches whose ids it shows', () => {
  const file = 'shop: { branches: { main: br-2, other: br-3 }, computes: { a: { id: ep-a, branch: br-2 } } }';
  expect(reportOf({ file, live: 'shop: { ep-a: { branch: br-1 } }' }).names).toEqual({ 'br-2': 'main' });
});

describe('as JSON', () => {
  it('fits its schema and comes back as it went', () => {
    const json = driftToJson(reportOf(EVERYTHING), STAMP);
    expect(DriftFile(json)).toBe(true);
    const again = driftFromJson(parseJson(stringifyJson(json)));
    expect(again === undefined ? null : driftToJson(again, STAMP)).toEqual(json);
  });

  it('comes back with the values that it had, for replacements and for what is ambiguous, too', () => {
    const report = reportOf(ODD);
    const { names: _names, ...values } = report;
    expect(driftFromJson(parseJson(stringifyJson(driftToJson(report, STAMP))))).toMatchObject(values);
    expect(report.changed.map(({ replacePaths, candidates }) => [replacePaths, candidates?.length])).toEqual([
      [[], 3],
      [['type'], undefined],
    ]);
  });

  it('has what sets candidates apart beside their ids', () => {
    const { changed } = driftToJson(reportOf(ODD), STAMP) as Record<string, Record<string, never>[]>;
    expect(changed?.[0]).toMatchObject({
      trueup: {
        candidates: [
          { id: 'ep-a', address: 'shop/a', host: 'host-a', size: '0.25–2 CU', last_active: null },
          { id: 'ep-b', address: 'shop/b', host: null, size: '0.25–2 CU', last_active: '2026-11-01T00:00:00Z' },
          { id: 'ep-c', address: null, host: null, size: '0.25–2 CU', last_active: null },
        ],
      },
    });
  });

  it('says of what is only unlisted that nothing is done with it', () => {
    const { unmanaged } = driftToJson(reportOf(shop('', UNLISTED)), STAMP) as Record<string, Record<string, never>[]>;
    const nothing = { attributes: [], impact: [], notes: [], blocked_by: [], held: [], impact_details: {} };
    expect(unmanaged?.[0]).toMatchObject({
      change: { after_unknown: {}, replace_paths: [] },
      trueup: { ...nothing, reasons: ['no file lists the resource'], due: false, origin: 'unmanaged' },
    });
  });

  it('of a version that did not tell what was selected is one of everything', () => {
    const { target, exclude, ...json } = driftToJson(reportOf({ ...FITS, input: { target: ['shop'] } }), STAMP);
    expect([target, exclude]).toEqual([['shop'], []]);
    expect(driftFromJson(json)?.selection).toEqual({ target: [], exclude: [] });
  });

  it.each(['yesterday', '2026-13-01T00:00:00Z', '2026-11-20T12:00:00'])(
    'is no report where nothing tells when it was made, or how long something is held: %s',
    (time) => {
      expect(driftFromJson(driftToJson(reportOf(EVERYTHING), { ...STAMP, timestamp: time }))).toBeUndefined();
      const json = stringifyJson(driftToJson(reportOf(EVERYTHING), STAMP));
      const held = parseJson(json.replaceAll(/"until":"[^"]*"/g, `"until":"${time}"`));
      expect([json.includes('"until"'), driftFromJson(held)]).toEqual([true, undefined]);
    },
  );

  it('is one also where something is held beyond the year 9999, as a time with its zone may be', () => {
    const far = stringifyJson(driftToJson(reportOf(EVERYTHING), STAMP)).replaceAll(
      /"until":"[^"]*"/g,
      '"until":"+010000-01-01T04:59:59.000Z"',
    );
    expect(driftFromJson(parseJson(far))).toBeDefined();
  });

  it.each([[{ status: 'in_sync' }], [null], ['text']])('is no report: %j', (json) => {
    expect(driftFromJson(json)).toBeUndefined();
  });
});
