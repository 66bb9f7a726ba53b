// Restarts as desired state: decided by the operation log, explained where nothing is done, never guessed.
import { describe, expect, it } from 'vitest';
import { driftOf } from '../../../../src/plan/drift.ts';
import { planOf, type World } from '../../plan/support/world.ts';

interface Case {
  readonly name: string;
  /** A time that is past, unless told. */
  readonly restart?: string;
  readonly more?: string;
  readonly live?: string;
  readonly log?: readonly string[];
  readonly logComplete?: boolean;
  /** Steps, then what the change says. */
  readonly steps: readonly string[];
  readonly says: RegExp;
  readonly due?: boolean;
  readonly noHistory?: boolean;
}

const NOT_BEFORE = '{ not_before: 2026-11-20T00:00:00Z }';
const restartStep = ['restart:shop/a'];
const OLD = ['3d start_compute finished ep-a'];

const cases: Case[] = [
  { name: 'started since: nothing', log: ['1h start_compute finished ep-a'], steps: [], says: /^$/ },
  {
    name: 'started before: a restart',
    log: OLD,
    steps: restartStep,
    says: /restart.not_before: last started 2026-11-17T12:00:00.000Z, before 2026-11-20T00:00:00.000Z/,
  },
  {
    name: 'another one started since, and its own start failed',
    log: ['1h start_compute finished ep-b', '2h start_compute failed ep-a', '3d start_compute finished ep-a'],
    steps: restartStep,
    says: /last started 2026-11-17/,
  },
  {
    name: 'never started since it was made, by a log that is whole',
    log: [],
    steps: restartStep,
    says: /restart.not_before: created 2026-01-01/,
  },
  { name: 'made since', live: 'created: 2026-11-20T06:00:00Z', log: [], steps: [], says: /^$/ },
  {
    name: 'the log reaches back far enough without a start',
    log: ['1h apply_config finished ep-b', '2d apply_config finished ep-b'],
    logComplete: false,
    steps: restartStep,
    says: /created 2026-01-01/,
  },
  {
    name: 'the log does not reach back far enough: said, not guessed',
    log: ['1h apply_config finished ep-b'],
    logComplete: false,
    steps: [],
    says: /^it is not known whether the last change failed: [^|]* \| unread: restart.not_before: the last start is not known \(.* do not reach back far enough\) \| restart_evidence_missing$/,
  },
  {
    name: 'a whole log, but of a time that the service no longer keeps',
    restart: '{ not_before: 2026-05-01T00:00:00Z }',
    log: ['1h apply_config finished ep-a'],
    steps: [],
    says: /^unread: restart.not_before: the last start is not known \(the service keeps .* six months\) \| restart_evidence_missing$/,
  },
  {
    name: 'no log at all',
    steps: [],
    says: /^unread: .*\(the operation log was not read\) \| restart_evidence_missing$/,
  },
  {
    name: 'no log, because the user left logs out',
    noHistory: true,
    steps: [],
    says: /^restart.not_before was not checked: operation logs were not read$/,
  },
  { name: 'the service itself tells the start', live: 'started: 2026-11-20T09:00:00Z', steps: [], says: /^$/ },
  {
    name: 'a time that has not come',
    restart: '{ not_before: 2026-11-21T00:00:00Z }',
    log: [],
    steps: [],
    says: /is in the future/,
  },
  {
    name: 'an idle one is not woken',
    live: 'state: idle',
    log: OLD,
    steps: [],
    says: /its next start satisfies restart.not_before/,
  },
  {
    name: 'an idle one needs no evidence',
    live: 'state: idle',
    log: ['9d apply_config finished ep-a'],
    logComplete: false,
    steps: [],
    says: /^[^|]*its next start satisfies restart.not_before$/,
  },
  {
    name: 'a resize in the same plan satisfies it',
    more: ', max: 2',
    live: 'max: 1',
    log: OLD,
    steps: ['update:shop/a'],
    says: /which satisfies restart.not_before/,
  },
  {
    name: 'another change does not, and goes first',
    more: ', pooler_enabled: true',
    log: OLD,
    steps: ['restart:shop/a after update:shop/a', 'update:shop/a'],
    says: /last started 2026-11-17/,
  },
  {
    name: 'too old is due, and shown only',
    restart: '{ max_age: 2d }',
    log: OLD,
    steps: [],
    says: /restart.max_age: last started 2026-11-17T12:00:00.000Z, 3d ago/,
  },
  {
    name: 'too old, when due changes are asked for',
    restart: '{ max_age: 2d }',
    log: OLD,
    due: true,
    steps: restartStep,
    says: /restart.max_age/,
  },
  {
    name: 'what the file fixes comes before what the clock drives',
    restart: '{ not_before: 2026-11-20T00:00:00Z, max_age: 1d }',
    log: OLD,
    steps: restartStep,
    says: /restart.not_before/,
  },
];

function worldOf({ restart = NOT_BEFORE, more, live, log, logComplete, due, noHistory }: Case): World {
  return {
    file: `shop: { computes: { a: { branch: br-1, restart: ${restart}${more ?? ''} } } }`,
    live: `shop: { ep-a: { branch: br-1, ${live ?? ''} } }`,
    ...(log === undefined ? {} : { log }),
    ...(logComplete === undefined ? {} : { logComplete }),
    input: { due: due ?? false, noHistory: noHistory ?? false },
  };
}

describe('restart', () => {
  it.each(cases)('$name', (one) => {
    const plan = planOf(worldOf(one));
    const steps = plan.steps.map(({ id, needs }) => (needs.length === 0 ? id : `${id} after ${needs.join()}`));
    const said = [
      ...plan.changes.flatMap(({ reasons, notes }) => [
        ...reasons.filter((word) => word.includes('restart')),
        ...notes,
      ]),
      ...plan.unread.map(({ what, reason }) => (what === 'shop/a' ? `unread: ${reason}` : what)),
      ...plan.diagnostics.map(({ code }) => code),
    ];
    expect(steps).toEqual(one.steps);
    expect(said.join(' | ')).toMatch(one.says);
  });

  it('is sent as the API wants it, and its impact is said', () => {
    const plan = planOf(worldOf(cases[1] as Case));
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
    const plan = planOf({ ...worldOf({ name: '', restart, steps: [], says: /./ }), log: [], logComplete: false });
    expect(driftOf(plan).status).toBe(status);
  });

  it('counts due ones apart', () => {
    const plan = planOf(worldOf(cases.find(({ name }) => name.startsWith('too old is due')) as Case));
    expect(plan.changes[0]).toMatchObject({ action: 'restart', due: true, blockedBy: [] });
    expect(plan.summary).toMatchObject({ due: 1, restart: 0, blocked: 0 });
  });
});
