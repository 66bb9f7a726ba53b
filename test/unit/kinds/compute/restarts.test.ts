// Restarts as desired state: decided by the operation log, explained where nothing is done, never guessed.
import { describe, expect, it } from 'vitest';
import { driftOf } from '../../../../src/plan/drift.ts';
import { planOf, type World } from '../../plan/support/world.ts';

interface More {
  /** A time that is past, unless told. */
  readonly restart?: string;
  readonly more?: string;
  readonly live?: string;
  readonly logComplete?: boolean;
  readonly due?: boolean;
  readonly noHistory?: boolean;
}
/** The log, null where there is none; the steps of the plan, and what the change says. */
type Row = [name: string, log: string | null, steps: string, says: RegExp, more?: More];

const NOT_BEFORE = '{ not_before: 2026-11-20T00:00:00Z }';
const OLD = '3d start_compute finished ep-a';

const cases: readonly Row[] = [
  ['started since: nothing', '1h start_compute finished ep-a', '', /^$/],
  [
    'started before: a restart',
    OLD,
    'restart:shop/a',
    /restart.not_before: last started 2026-11-17T12:00:00.000Z, before 2026-11-20T00:00:00.000Z/,
  ],
  [
    'another one started since, and its own start failed',
    '1h start_compute finished ep-b, 2h start_compute failed ep-a, 3d start_compute finished ep-a',
    'restart:shop/a',
    /last started 2026-11-17/,
  ],
  ['never started since it was made, by a whole log', '', 'restart:shop/a', /restart.not_before: created 2026-01-01/],
  ['made since', '', '', /^$/, { live: 'created: 2026-11-20T06:00:00Z' }],
  [
    'the log reaches back far enough without a start',
    '1h apply_config finished ep-b, 2d apply_config finished ep-b',
    'restart:shop/a',
    /created 2026-01-01/,
    { logComplete: false },
  ],
  [
    'the log does not reach back far enough: said, not guessed',
    '1h apply_config finished ep-b',
    '',
    /^it is not known whether the last change failed: [^|]* \| unread: restart.not_before: the last start is not known \(.* do not reach back far enough\); restart the compute once by hand/,
    { logComplete: false },
  ],
  [
    'a whole log, but of a time that the service no longer keeps',
    '1h apply_config finished ep-a',
    '',
    /^unread: restart.not_before: the last start is not known \(the service keeps .* six months\);/,
    { restart: '{ not_before: 2026-05-01T00:00:00Z }' },
  ],
  ['no log at all', null, '', /^unread: .*\(the operation log was not read\);/],
  [
    'no log, because the user left logs out',
    null,
    '',
    /^restart.not_before was not checked: operation logs were not read$/,
    { noHistory: true },
  ],
  ['the service itself tells the start', null, '', /^$/, { live: 'started: 2026-11-20T09:00:00Z' }],
  ['a time that has not come', '', '', /is in the future/, { restart: '{ not_before: 2026-11-21T00:00:00Z }' }],
  ['an idle one is not woken', OLD, '', /its next start satisfies restart.not_before/, { live: 'state: idle' }],
  [
    'an idle one needs no evidence',
    '9d apply_config finished ep-a',
    '',
    /^[^|]*its next start satisfies restart.not_before$/,
    { live: 'state: idle', logComplete: false },
  ],
  [
    'a resize in the same plan satisfies it',
    OLD,
    'update:shop/a',
    /which satisfies restart.not_before/,
    { more: ', max: 2', live: 'max: 1' },
  ],
  [
    'another change does not, and goes first',
    OLD,
    'restart:shop/a after update:shop/a, update:shop/a',
    /last started 2026-11-17/,
    { more: ', pooler_enabled: true' },
  ],
  [
    'too old is due, and shown only',
    OLD,
    '',
    /restart.max_age: last started 2026-11-17T12:00:00.000Z, 3d ago/,
    { restart: '{ max_age: 2d }' },
  ],
  ['too old, with --due', OLD, 'restart:shop/a', /restart.max_age/, { restart: '{ max_age: 2d }', due: true }],
  [
    'what the file fixes comes before what the clock drives',
    OLD,
    'restart:shop/a',
    /restart.not_before/,
    { restart: '{ not_before: 2026-11-20T00:00:00Z, max_age: 1d }' },
  ],
];

function worldOf(log: string | null, more: More = {}): World {
  const { restart = NOT_BEFORE, live = '', logComplete = true, due = false, noHistory = false } = more;
  return {
    file: `shop: { computes: { a: { branch: br-1, restart: ${restart}${more.more ?? ''} } } }`,
    live: `shop: { ep-a: { branch: br-1, ${live} } }`,
    ...(log === null ? {} : { log: log === '' ? [] : log.split(', ') }),
    logComplete,
    input: { due, noHistory },
  };
}

describe('restart', () => {
  it.each<Row>(cases)('%s', (_name, log, steps, says, more) => {
    const plan = planOf(worldOf(log, more));
    const said = [
      ...plan.changes.flatMap(({ reasons, notes }) => [...reasons.filter((one) => one.includes('restart')), ...notes]),
      ...plan.unread.map(({ what, reason }) => (what === 'shop/a' ? `unread: ${reason}` : what)),
      ...plan.diagnostics.map(({ code }) => code),
    ];
    expect(plan.steps.map(({ id, needs }) => [id, ...needs].join(' after ')).join(', ')).toBe(steps);
    expect(said.join(' | ')).toMatch(says);
  });

  it('is sent as the API wants it, and its impact is said', () => {
    const plan = planOf(worldOf(OLD));
    expect(plan.steps[0]).toMatchObject({
      method: 'POST',
      path: '/projects/shop-1/endpoints/ep-a/restart',
      body: null,
      expects: { state: 'present', id: 'ep-a', attributes: { branch_id: 'br-1', type: 'read_write' }, joins: null },
    });
    expect(plan.changes[0]?.impact).toEqual(['drops_connections', 'cold_start']);
  });

  it.each([
    ['{ not_before: 2026-11-20T00:00:00Z }', 'incomplete'],
    ['{ max_age: 2d }', 'incomplete'],
    ['{ not_before: 2026-11-21T00:00:00Z }', 'in_sync'],
  ])('%s without evidence: drift is %s', (restart, status) => {
    const plan = planOf(worldOf('', { restart, logComplete: false }));
    expect(driftOf(plan).status).toBe(status);
  });

  it('counts due ones apart', () => {
    const plan = planOf(worldOf(OLD, { restart: '{ max_age: 2d }' }));
    expect(plan.changes[0]).toMatchObject({ action: 'restart', due: true, blockedBy: [] });
    expect(plan.summary).toMatchObject({ due: 1, restart: 0, blocked: 0 });
  });
});
