// What the executor is told of computes: replies understood or rejected, what may be repeated, what proves a step.
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/api/index.ts';
import type { Json } from '../../../src/base/json.ts';
import { toOperationRecord } from '../../../src/client/operations.ts';
import { mayHaveStarted } from '../../../src/model/operations/operation.ts';
import { compute as kind } from '../../../src/kinds/compute/compute.ts';
import type { OperationRecord } from '../../../src/model/live.ts';
import { createStep, deleteStep, restartStep, SHOP, updateStep } from './harness.ts';

const create = createStep('s', { branch_id: 'br-a', type: 'read_write' });
const update = updateStep('s', 'ep-x', {}, { disabled: true });
const remove = deleteStep('s', 'ep-x', {});
const restart = restartStep('s', 'ep-x', {});

const PLACE = { project_id: SHOP, branch_id: 'br-a', type: 'read_write' };
const compute = (more: object = {}): Json => ({ id: 'ep-x', ...PLACE, ...more });
const STARTS = { action: 'start_compute', status: 'running' };
const operation = (more: object = {}): Json => ({ id: 'op-1', ...STARTS, endpoint_id: 'ep-x', ...more });
const ref = toOperationRecord(operation() as unknown as Operation, SHOP);

describe('a usable reply', () => {
  it.each([
    ['of a creation', create, { endpoint: compute(), operations: [operation()] }, [ref]],
    ['of a creation without operations: they are looked up', create, { endpoint: compute(), operations: [] }, null],
    ['of an update of what rests', update, { endpoint: compute({ current_state: 'idle' }), operations: [] }, []],
    ['of an update that tells of none, but not that it rests', update, { endpoint: compute(), operations: [] }, null],
    ['of an update of what runs', update, { endpoint: compute({ current_state: 'active' }), operations: [] }, null],
    [
      'of an update of what is about to change',
      update,
      { endpoint: compute({ current_state: 'idle', pending_state: 'active' }), operations: [] },
      null,
    ],
    ['of a restart that tells of no operation', restart, { endpoint: compute(), operations: [] }, null],
    ['of an update that does not tell', update, { endpoint: compute() }, null],
    ['of a deletion', remove, { endpoint: compute(), operations: [] }, []],
    ['of a deletion without a body', remove, null, null],
    ['of a restart without a body', restart, null, null],
    ['of a restart with anything', restart, { fine: true }, null],
    ['of a restart with operations alone', restart, { operations: [operation()] }, [ref]],
    [
      'with unknown members',
      create,
      { endpoint: compute({ new_field: [1] }), operations: [operation({ more: 1 })], extra: {} },
      [ref],
    ],
    ['with one of another', update, { endpoint: compute(), operations: [operation({ endpoint_id: 'ep-y' })] }, null],
    ['of another project', update, { endpoint: compute(), operations: [operation({ project_id: 'other' })] }, null],
  ])('%s', (_, step, reply, operations) => {
    const made = step === create ? { madeAtMs: null } : {};
    const expected = { id: 'ep-x', operations, secret: null, record: {}, ...made };
    expect(kind.outcome(step, reply as Json)).toEqual(expected);
  });

  it('of a creation tells when it was made', () => {
    const reply = { endpoint: compute({ created_at: '2026-01-01T00:00:00.5Z' }), operations: [] };
    expect(kind.outcome(create, reply as Json)?.madeAtMs).toBe(Date.UTC(2026, 0, 1) + 500);
  });
});

describe('an unusable reply', () => {
  it.each([
    ['empty', create, null],
    ['an array', create, []],
    ['without the compute', create, { operations: [] }],
    ['an id that no path could take', create, { endpoint: compute({ id: '../x' }) }],
    ['another branch', create, { endpoint: compute({ branch_id: 'br-b' }) }],
    ['another project', create, { endpoint: compute({ project_id: 'other' }) }],
    ['another compute than was changed', update, { endpoint: compute({ id: 'ep-y' }), operations: [] }],
    ['another project than was changed', update, { endpoint: compute({ project_id: 'other' }), operations: [] }],
    ['another project than was restarted', restart, { endpoint: compute({ project_id: 'other' }) }],
    ['another compute than was restarted', restart, { endpoint: compute({ id: 'ep-y' }) }],
    ['an update without a body', update, null],
  ])('%s', (_, step, reply) => {
    expect(kind.outcome(step, reply as Json)).toBeNull();
  });
});

describe('a creation whose reply was lost', () => {
  it.each([
    ['a primary by its slot', create, 'slot'],
    ['a replica with a name by that', createStep('s', { branch_id: 'br-a', type: 'read_only', name: 'r' }), 'mark'],
    ['a replica without a name by nothing', createStep('s', { branch_id: 'br-a', type: 'read_only' }), 'nothing'],
    ['an unknown type by nothing', createStep('s', { branch_id: 'br-a', type: 'future' }), 'nothing'],
  ])('%s', (_, step, expected) => {
    expect(kind.recognise(step)).toBe(expected);
  });
});

describe('the table of operations', () => {
  const seen = (action: string, resourceId: string, branchId = 'br-a'): OperationRecord => ({
    id: 'op',
    action,
    status: 'finished',
    projectId: SHOP,
    branchId,
    resourceId,
    failuresCount: 0,
    error: null,
    retryAtMs: null,
    createdAtMs: 0,
    updatedAtMs: 0,
  });
  it.each([
    [restart, seen('start_compute', 'ep-x'), true],
    [restart, seen('suspend_compute', 'ep-x'), true],
    [restart, seen('check_availability', 'ep-x'), false],
    [restart, seen('start_compute', 'ep-y'), false],
    [update, seen('apply_config', 'ep-x'), true],
    [update, seen('suspend_compute', 'ep-x'), false],
    [create, seen('start_compute', 'ep-x'), true],
    [create, seen('start_compute', 'ep-n'), false],
  ])('of %o may have started %o: %s', ({ action }, operation, expected) => {
    const { operations: table } = kind;
    expect(table !== undefined && mayHaveStarted(table, action, { id: 'ep-x' }, operation)).toBe(expected);
  });
});
