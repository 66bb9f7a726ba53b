// The last change of a resource by its log: whether it failed, how it is mended, and when nobody knows.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { LiveResource, OperationRecord } from '../../../src/model/live.ts';
import { tellsLastChange, usedOf } from '../../../src/plan/diff/history.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { living } from './support/whole-shop.ts';
import { inputOf, planOf, shop, type World } from './support/world.ts';

/** Computes by their file, by what lives, and by the log of their project, newest first. */
function worldAfter(log: readonly string[], computes = 'max: 2', live = 'max: 2', more: World = {}): World {
  return shop(`a: { branch: br-1, ${computes} }`, `ep-a: { branch: br-1, ${live} }`, { log, ...more });
}

const FAILED = '1h apply_config failed ep-a';
const { operations: table } = compute;
const kindWith = (own: Partial<NonNullable<typeof table>>): KindRules => ({
  ...compute,
  ...(table === undefined ? {} : { operations: { ...table, ...own } }),
});

describe('a failed change', () => {
  it.each<[string, readonly string[], string]>([
    ['is a difference', [FAILED], 'update'],
    ['that was called off is one', ['1h apply_config cancelled ep-a'], 'update'],
    ['is one after a stop that went well', ['5m suspend_compute finished ep-a', FAILED], 'update'],
    ['is one after a start that failed', ['5m start_compute failed ep-a', FAILED], 'update'],
    ['is none after a start, which applies the configuration', ['5m start_compute finished ep-a', FAILED], 'none'],
    ['is none after a change that went well', ['5m apply_config finished ep-a', FAILED], 'none'],
    ['is none while the next change runs', ['5m apply_config running ep-a', FAILED], 'none'],
    ['is none if it is of another compute', ['1h apply_config failed ep-b'], 'none'],
    ['is no failed start', ['1h start_compute failed ep-a'], 'none'],
  ])('%s', (_name, log, action) => {
    expect(planOf(worldAfter(log)).changes).toMatchObject([{ action }]);
  });

  const ENDED = 'the last apply_config (op-0) ended as failed';
  const next = '; the next start applies the configured values';
  const again = '; the managed attributes are sent again';
  const hold = 'lifecycle: { hold: [{ path: disabled, value: false, until: 2027-01-01 }] }';
  const both = { autoscaling_limit_max_cu: 2, autoscaling_limit_min_cu: 1 };
  const POOLED = 'name: n, pooler_enabled: true';
  it.each<[string, string, string, JsonObject, readonly string[]]>([
    ['that are equal', 'max: 2, min: 1', 'max: 2, min: 1', both, ['drops_connections']],
    ['beside one that differs', 'max: 2, min: 1', 'max: 2, min: 2', both, ['drops_connections', 'max_connections']],
    ['but no name and none held', `${POOLED}, disabled: true, ${hold}`, POOLED, { pooler_enabled: true }, ['none']],
  ])('is mended by the managed values %s', (_name, computes, live, endpoint, impact) => {
    const { changes, steps } = planOf(worldAfter([FAILED], computes, live));
    expect(changes).toMatchObject([{ origin: 'last_operation_failed', blockedBy: [], notes: [`${ENDED}${again}`] }]);
    expect(changes[0]?.impact).toEqual(impact);
    expect(steps.map(({ body }) => body)).toEqual([{ endpoint: { branch_id: 'br-1', ...endpoint } }]);
  });

  it('is blocked where the file manages nothing that could be sent', () => {
    const { changes } = planOf(shop('a: { id: ep-a }', 'ep-a: { branch: br-1 }', { log: [FAILED] }));
    const note = `${ENDED}, and the file has no attribute to send again: write one, or change one by hand`;
    expect(changes).toMatchObject([{ action: 'update', blockedBy: ['refused'], notes: [note] }]);
  });

  it.each<[string, JsonObject, string | null, string, string]>([
    ['to the next start of an idle compute', { current_state: 'idle' }, null, 'none', next],
    ['not to a start that has begun', { current_state: 'idle', pending_state: 'active' }, null, 'update', again],
    ['with the error of the service', {}, 'no room', 'update', `: no room${again}`],
  ])('is left, or told: %s', (_name, state, error, action, words) => {
    const { live, ...input } = inputOf(worldAfter([FAILED]));
    const resources = live.resources.map((one) => ({ ...one, observed: { ...one.observed, ...state } }));
    const histories = [...live.histories].map(([project, { operations, complete }]) => {
      return [project, { complete, operations: operations.map((one) => ({ ...one, error })) }] as const;
    });
    const [change] = makePlan({ ...input, live: { ...live, resources, histories: new Map(histories) } }).changes;
    expect([change?.action, change?.notes[0]]).toEqual([action, `${ENDED}${words}`]);
  });

  const mended = (by: string): KindRules => kindWith({ repairs: () => by });
  it.each<[string, KindRules, string, boolean]>([
    ['is over once another operation mends it', mended('ep-a'), 'prepare finished ep-b', true],
    ['is not over before that has ended well', mended('ep-a'), 'prepare failed ep-b', false],
    ['is not over by one that mends another', mended('ep-c'), 'prepare finished ep-b', false],
    ['is over after a start', compute, 'start_compute finished ep-a', true],
    ['is not over so where operations name more', kindWith({ names: 'whole' }), 'start_compute finished ep-a', false],
  ])('%s', (_name, kind, newer, isOver) => {
    const originAfter = (log: readonly string[]): string | undefined =>
      makePlan({ ...inputOf(worldAfter(log)), kinds: [kind] }).changes[0]?.origin;
    const older = ['2h apply_config failed ep-a', '3h prepare finished ep-b'];
    expect(originAfter(older)).toBe('last_operation_failed');
    expect(originAfter([`1h ${newer}`, ...older])).toBe(isOver ? 'file' : 'last_operation_failed');
  });
});

describe('whether the last change failed', () => {
  const unknown = 'it is not known whether the last change failed: ';
  const beyond = `${unknown}the change is not among the operations of the project that were read`;
  const last = 'the last apply_config (op-0) is';
  const STARTED = '1h start_compute finished ep-a';

  it.each<[string, readonly string[], boolean, string?]>([
    [
      'is open while it is called off',
      ['9m apply_config cancelling ep-a'],
      true,
      `${last} cancelling, so the outcome is not known`,
    ],
    ['is open for ten minutes', ['3h apply_config odd ep-a 10m'], true, `${last} odd, so the outcome is not known`],
    ['stays open after that', ['3h apply_config odd ep-a 601s'], true, `${unknown}${last} still odd`],
    ['is of no account after a newer success', [STARTED, '2h apply_config odd ep-a'], true],
    ['is known in a whole log without a change', [STARTED], true],
    ['is not known beyond what was read', ['1h apply_config finished ep-b'], false, beyond],
    ['is known where the change was read', ['1h apply_config finished ep-a'], false],
  ])('%s', (_name, log, logComplete, expected) => {
    const { changes, unread } = planOf(worldAfter(log, 'max: 2', 'max: 2, created: 2026-01-01', { logComplete }));
    const said = [...(changes[0]?.notes ?? []), ...unread.map(({ reason }) => reason)];
    expect(said).toEqual(expected === undefined ? [] : [expected]);
  });
});

describe('a log', () => {
  const operation = (own: Partial<OperationRecord>): OperationRecord => ({
    id: 'op',
    action: 'apply_config',
    status: 'finished',
    projectId: 'shop-1',
    branchId: null,
    resourceId: 'ep-a',
    failuresCount: 0,
    error: null,
    retryAtMs: null,
    createdAtMs: 5,
    updatedAtMs: 5,
    ...own,
  });
  const made = (createdAtMs: number | null): LiveResource => living('compute', 'ep-a', {}, { createdAtMs });

  it.each<[string, number | null, Partial<OperationRecord>, boolean]>([
    ['shows the last change', 9, {}, true],
    ['shows another operation', 4, { action: 'start_compute' }, false],
    ['shows the change of another', 4, { resourceId: 'ep-b' }, false],
    ['reaches back to the creation', 5, { resourceId: 'ep-b' }, true],
    ['may not reach back to an unknown creation', null, { resourceId: 'ep-b' }, false],
    ['has no time', 9, { resourceId: 'ep-b', createdAtMs: null }, false],
  ])('that %s tells of the last change: %s', (_name, createdAtMs, own, tells) => {
    expect(tellsLastChange(compute, made(createdAtMs), [operation(own)])).toBe(tells);
    expect(tellsLastChange({}, made(createdAtMs), [operation(own)])).toBe(true);
  });

  it('is kept as far as plans use it: what is open, the newest of each sort, and the oldest', () => {
    const operations = [
      operation({ id: '1', createdAtMs: 9, error: 'x', failuresCount: 3 }),
      operation({ id: '2', status: 'running' }),
      operation({ id: '3', status: 'running' }),
      operation({ id: '4', retryAtMs: 4 }),
      operation({ id: '5', resourceId: 'ep-b' }),
      operation({ id: '6', updatedAtMs: 3 }),
      operation({ id: '7', action: 'start_compute' }),
      operation({ id: '8', createdAtMs: 1 }),
    ];
    const { operations: kept, complete } = usedOf({ operations, complete: false });
    expect([kept.map(({ id }) => id).join(''), complete]).toEqual(['123578', false]);
  });
});
