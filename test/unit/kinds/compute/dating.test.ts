// When a difference came about: the operation that explains it, or the time of a change that started none.
import { describe, expect, it } from 'vitest';
import { planOf } from '../../plan/support/world.ts';

interface Case {
  readonly name: string;
  readonly log?: readonly string[];
  readonly logComplete?: boolean;
  readonly live?: string;
  readonly changedAt?: string;
  readonly operation?: string;
}

const UPDATED = ', updated: 2026-11-20T10:00:00Z';

const cases: readonly Case[] = [
  {
    name: 'an operation at that time explains it',
    log: ['2h apply_config finished ep-a'],
    live: UPDATED,
    operation: '2026-11-20T10:00:00.000Z',
  },
  {
    name: 'nothing in a whole log does',
    log: [],
    live: UPDATED,
    changedAt: '2026-11-20T10:00:00.000Z',
  },
  {
    name: 'only an older operation does',
    log: ['5h apply_config finished ep-a'],
    live: UPDATED,
    changedAt: '2026-11-20T10:00:00.000Z',
    operation: '2026-11-20T07:00:00.000Z',
  },
  {
    name: 'another compute was busy then',
    log: ['2h apply_config finished ep-b'],
    live: UPDATED,
    changedAt: '2026-11-20T10:00:00.000Z',
  },
  {
    name: 'it only went to sleep then',
    log: ['2h suspend_compute finished ep-a', '5h apply_config finished ep-a'],
    live: UPDATED,
    operation: '2026-11-20T07:00:00.000Z',
  },
  {
    name: 'the log that was read does not reach back',
    log: ['1h start_compute finished ep-b'],
    logComplete: false,
    live: UPDATED,
  },
  {
    name: 'the log reaches back far enough',
    log: ['1h start_compute finished ep-b', '3h start_compute finished ep-b'],
    logComplete: false,
    live: UPDATED,
    changedAt: '2026-11-20T10:00:00.000Z',
  },
  {
    name: 'an operation that went on until then explains it',
    log: ['3h apply_config finished ep-a 2h'],
    live: UPDATED,
    operation: '2026-11-20T09:00:00.000Z',
  },
  {
    name: 'an operation explains it by a clock that is five seconds ahead',
    log: ['7195s apply_config finished ep-a'],
    live: UPDATED,
    operation: '2026-11-20T10:00:05.000Z',
  },
  {
    name: 'no operation began so late',
    log: ['7194s apply_config finished ep-a'],
    live: UPDATED,
    changedAt: '2026-11-20T10:00:00.000Z',
    operation: '2026-11-20T10:00:06.000Z',
  },
  {
    name: 'an operation explains it by a clock that is five seconds behind',
    log: ['7205s apply_config finished ep-a'],
    live: UPDATED,
    operation: '2026-11-20T09:59:55.000Z',
  },
  {
    name: 'no operation ended so early',
    log: ['7206s apply_config finished ep-a'],
    live: UPDATED,
    changedAt: '2026-11-20T10:00:00.000Z',
    operation: '2026-11-20T09:59:54.000Z',
  },
  {
    name: 'the log that was read begins at that very time',
    log: ['2h start_compute finished ep-b'],
    logComplete: false,
    live: UPDATED,
  },
  {
    name: 'it was made five seconds before',
    log: [],
    live: `${UPDATED}, created: 2026-11-20T09:59:55Z`,
  },
  {
    name: 'it was made six seconds before',
    log: [],
    live: `${UPDATED}, created: 2026-11-20T09:59:54Z`,
    changedAt: '2026-11-20T10:00:00.000Z',
  },
  { name: 'the log was not read', live: UPDATED },
  {
    name: 'it has been so since it was made',
    log: [],
    live: ', updated: 2026-11-20T10:00:00Z, created: 2026-11-20T10:00:00Z',
  },
  { name: 'the service does not tell', log: [] },
];

describe('a difference is dated', () => {
  it.each(cases)('$name', ({ log, logComplete, live, changedAt, operation }) => {
    const plan = planOf({
      file: 'shop: { computes: { a: { branch: br-1, pooler_enabled: true } } }',
      live: `shop: { ep-a: { branch: br-1${live ?? ''} } }`,
      ...(log === undefined ? {} : { log }),
      ...(logComplete === undefined ? {} : { logComplete }),
    });
    expect(plan.changes[0]?.changedAt).toBe(changedAt);
    expect(plan.changes[0]?.lastOperation?.at).toBe(operation);
  });

  it('what does not differ is not', () => {
    const plan = planOf({
      file: 'shop: { computes: { a: { branch: br-1 } } }',
      live: `shop: { ep-a: { branch: br-1${UPDATED} } }`,
      log: [],
    });
    expect(plan.changes[0]).not.toHaveProperty('changedAt');
  });
});
