// When a difference came about: the operation that explains it, or the time of a change that started none.
import { describe, expect, it } from 'vitest';
import { planOf } from '../../plan/support/world.ts';

const UPDATED = 'updated: 2026-11-20T10:00:00Z';
const AT_TEN = '10:00:00';

/** The log (`…` where it was not read to its end, null where not at all), what is live, and the times of change and operation. */
const cases: [name: string, log: string[] | null, live: string, changedAt?: string, operation?: string][] = [
  ['an operation at that time explains it', ['2h apply_config finished ep-a'], UPDATED, '', AT_TEN],
  ['nothing in a whole log does', [], UPDATED, AT_TEN],
  ['only an older operation does', ['5h apply_config finished ep-a'], UPDATED, AT_TEN, '07:00:00'],
  ['another compute was busy then', ['2h apply_config finished ep-b'], UPDATED, AT_TEN],
  [
    'it only went to sleep then',
    ['2h suspend_compute finished ep-a', '5h apply_config finished ep-a'],
    UPDATED,
    '',
    '07:00:00',
  ],
  ['the log that was read does not reach back', ['1h start_compute finished ep-b', '…'], UPDATED],
  [
    'the log reaches back far enough',
    ['1h start_compute finished ep-b', '3h start_compute finished ep-b', '…'],
    UPDATED,
    AT_TEN,
  ],
  ['an operation that went on until then explains it', ['3h apply_config finished ep-a 2h'], UPDATED, '', '09:00:00'],
  ['an operation five seconds later explains it', ['7195s apply_config finished ep-a'], UPDATED, '', '10:00:05'],
  ['no operation began so late', ['7194s apply_config finished ep-a'], UPDATED, AT_TEN, '10:00:06'],
  ['an operation five seconds before explains it', ['7205s apply_config finished ep-a'], UPDATED, '', '09:59:55'],
  ['no operation ended so early', ['7206s apply_config finished ep-a'], UPDATED, AT_TEN, '09:59:54'],
  ['the log that was read begins at that very time', ['2h start_compute finished ep-b', '…'], UPDATED],
  ['it was made five seconds before', [], `${UPDATED}, created: 2026-11-20T09:59:55Z`],
  ['it was made six seconds before', [], `${UPDATED}, created: 2026-11-20T09:59:54Z`, AT_TEN],
  ['the log was not read', null, UPDATED],
  ['it has been so since it was made', [], `${UPDATED}, created: 2026-11-20T10:00:00Z`],
  ['the service does not tell', [], ''],
];

describe('a difference is dated', () => {
  const timeOf = (clock = ''): string | undefined => (clock === '' ? undefined : `2026-11-20T${clock}.000Z`);

  it.each(cases)('%s', (_name, log, live, changedAt, operation) => {
    const plan = planOf({
      file: 'shop: { computes: { a: { branch: br-1, pooler_enabled: true } } }',
      live: `shop: { ep-a: { branch: br-1, ${live} } }`,
      ...(log === null ? {} : { log: log.filter((line) => line !== '…'), logComplete: !log.includes('…') }),
    });
    expect(plan.changes[0]?.changedAt).toBe(timeOf(changedAt));
    expect(plan.changes[0]?.lastOperation?.at).toBe(timeOf(operation));
  });

  it('what does not differ is not', () => {
    const plan = planOf({
      file: 'shop: { computes: { a: { branch: br-1 } } }',
      live: `shop: { ep-a: { branch: br-1, ${UPDATED} } }`,
      log: [],
    });
    expect(plan.changes[0]).not.toHaveProperty('changedAt');
  });
});
