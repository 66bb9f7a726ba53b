// What the log of operations tells of a resource where a kind or the service says less than usual.
import { describe, expect, it } from 'vitest';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { OperationRecord } from '../../../src/model/live.ts';
import type { Change } from '../../../src/model/outcome/plan.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { inputOf, shop, type World } from './support/world.ts';

const CHANGED_MS = Date.UTC(2026, 10, 20, 10);
const CHANGED_AT = '2026-11-20T10:00:00.000Z';

interface Told {
  readonly kind?: KindRules;
  readonly operation?: Partial<OperationRecord>;
  readonly madeAtMs?: number | null;
  readonly complete?: boolean;
}

/** A compute that was changed at ten, and the one operation that the log has of it. */
function changeWith({ kind = compute, operation = {}, madeAtMs = 0, complete = false }: Told): Change | undefined {
  const input = inputOf(
    shop('a: { branch: br-1, max: 2 }', 'ep-a: { branch: br-1, max: 1, updated: 2026-11-20T10:00:00Z }', {
      log: ['2h suspend_compute finished ep-a'],
    }),
  );
  const { live } = input;
  const histories = [...live.histories].map(
    ([project, history]) =>
      [project, { complete, operations: history.operations.map((record) => ({ ...record, ...operation })) }] as const,
  );
  const resources = live.resources.map((resource) => ({ ...resource, createdAtMs: madeAtMs }));
  const world = { ...live, resources, histories: new Map(histories) };
  return makePlan({ ...input, kinds: [kind], live: world }).changes[0];
}

describe('the operation that may explain a difference', () => {
  it('is none that changes of the kind do not start', () => {
    expect(changeWith({})?.lastOperation).toBeNull();
  });

  it('may be one of which nobody knows when', () => {
    const lastOperation = changeWith({ operation: { action: 'apply_config', createdAtMs: null } })?.lastOperation;
    expect(lastOperation).toEqual({ id: 'op-0', action: 'apply_config', at: null });
  });
});

it('is for a restart the newest start: what happened since shows that it was done', () => {
  const input = inputOf(
    shop('a: { branch: br-1, restart: { not_before: 2026-11-20T00:00:00Z } }', 'ep-a: { branch: br-1 }', {
      log: ['1h apply_config finished ep-a', '3d start_compute finished ep-a'],
    }),
  );
  const [change] = makePlan(input).changes;
  expect([change?.action, change?.lastOperation?.action]).toEqual(['restart', 'start_compute']);
});

it.each([
  [null, 'last_operation_failed'],
  [0, 'last_operation_failed'],
  [1, 'file'],
])('a failed change counts unless the service tries it again: in %s h', (hours, origin) => {
  const input = inputOf(
    shop('a: { branch: br-1, max: 2 }', 'ep-a: { branch: br-1, max: 2 }', { log: ['1h apply_config failed ep-a'] }),
  );
  const retryAtMs = hours === null ? null : input.nowMs + hours * 3_600_000;
  const histories = [...input.live.histories].map(
    ([project, { operations, complete }]) =>
      [project, { complete, operations: operations.map((one) => ({ ...one, retryAtMs })) }] as const,
  );
  const [change] = makePlan({ ...input, live: { ...input.live, histories: new Map(histories) } }).changes;
  expect(change?.origin).toBe(origin);
});

const hour = (hours: number): number => CHANGED_MS + hours * 3_600_000;

it.each<[string, Told, string | undefined]>([
  ['is seen where the log reaches back', { operation: { createdAtMs: hour(-1), updatedAtMs: hour(-1) } }, CHANGED_AT],
  [
    'is seen where nobody knows when it was made',
    { operation: { createdAtMs: hour(-1), updatedAtMs: hour(-1) }, madeAtMs: null },
    CHANGED_AT,
  ],
  ['is not seen where an operation has no time', { operation: { createdAtMs: null, updatedAtMs: null } }, undefined],
  ['is none beside an operation without an end', { operation: { createdAtMs: hour(0), updatedAtMs: null } }, undefined],
  ['is one after an operation without an end', { operation: { createdAtMs: hour(-1), updatedAtMs: null } }, CHANGED_AT],
  ['is one before a later operation', { operation: { createdAtMs: hour(1), updatedAtMs: hour(2) } }, undefined],
])('a change without an operation: %s', (_name, told, changedAt) => {
  expect(changeWith(told)?.changedAt).toBe(changedAt);
});

const SLACK_MS = 5000;
const { operations: table } = compute;
const ofParent: KindRules = {
  ...compute,
  ...(table === undefined ? {} : { operations: { ...table, names: 'parent' } }),
};

it.each<[string, Told, string | undefined]>([
  ['soon after the creation', { madeAtMs: CHANGED_MS - SLACK_MS }, undefined],
  ['later than that', { madeAtMs: CHANGED_MS - SLACK_MS - 1 }, CHANGED_AT],
  ['soon before an operation', { operation: { createdAtMs: CHANGED_MS + SLACK_MS } }, undefined],
  ['earlier than that', { operation: { createdAtMs: CHANGED_MS + SLACK_MS + 1 } }, CHANGED_AT],
  [
    'soon after the end of an operation',
    { operation: { createdAtMs: 0, updatedAtMs: CHANGED_MS - SLACK_MS } },
    undefined,
  ],
  ['later than that end', { operation: { createdAtMs: 0, updatedAtMs: CHANGED_MS - SLACK_MS - 1 } }, CHANGED_AT],
  ['beside an operation without a time', { operation: { createdAtMs: null } }, CHANGED_AT],
  [
    'of a kind whose operations name the parent',
    { operation: { createdAtMs: 0, updatedAtMs: 0 }, kind: ofParent },
    undefined,
  ],
])('a change without an operation, by clocks that may differ a little: %s', (_name, told, changedAt) => {
  const operation = { createdAtMs: hour(-1), updatedAtMs: hour(1), ...told.operation };
  const own = told.madeAtMs === undefined ? operation : { ...operation, updatedAtMs: hour(-1) };
  expect(changeWith({ complete: true, ...told, operation: own })?.changedAt).toBe(changedAt);
});

it.each<[string, string, World, string]>([
  ['nothing differs', 'branch: br-1', { log: [] }, 'none'],
  ['no log was read', 'branch: br-1, max: 2', {}, 'update'],
])('a change without an operation is not told if %s', (_name, keys, more, action) => {
  const live = 'ep-a: { branch: br-1, updated: 2026-11-20T10:00:00Z }';
  const [change] = makePlan(inputOf(shop(`a: { ${keys} }`, live, more))).changes;
  expect([change?.action, change?.changedAt]).toEqual([action, undefined]);
});
