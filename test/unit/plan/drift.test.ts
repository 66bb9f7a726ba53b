// Drift: what a plan found, sorted into classes, and the report as JSON and back.
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from '../../../src/base/json.ts';
import { DriftFile } from '../../../src/model/generated/validators.js';
import type { DriftReport } from '../../../src/model/outcome/drift.ts';
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

describe('as JSON', () => {
  it('fits its schema and comes back as it went', () => {
    const json = driftToJson(reportOf(EVERYTHING), STAMP);
    expect(DriftFile(json)).toBe(true);
    const again = driftFromJson(parseJson(stringifyJson(json)));
    expect(again === undefined ? null : driftToJson(again, STAMP)).toEqual(json);
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
