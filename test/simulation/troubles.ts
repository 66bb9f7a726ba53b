// The troubles of which `outcomes/` tells the outcome: of a write's reply, of its operation, and of the whole run.
import type { ExchangeFault, Fault, FaultRule, OperationFault } from '../../src/control-plane/faults/plan.ts';
import { always } from '../support/faults.ts';
import type { Schedule } from './schedule.ts';
import { faultWords } from './single-faults.ts';

type Trouble = Partial<Pick<Schedule, 'faults' | 'runs' | 'beside' | 'operationMs'>>;

/** A title, and named troubles. */
export type Part = readonly [title: string, troubles: readonly (readonly [name: string, trouble: Trouble])[]];

/** The n-th exchange of a run, which is a write. */
export interface Write {
  readonly nth: number;
  readonly method: string;
  readonly path: string;
  /** The number of earlier requests for an operation log. */
  readonly logs: number;
}

function refused(status: number): ExchangeFault {
  return { kind: 'reply', status, commit: false, body: '{"request_id":"","code":"","message":"injected"}' };
}

const LOST_BEFORE: ExchangeFault = { kind: 'after-send-before-commit' };
const LOST_AFTER: ExchangeFault = { kind: 'after-commit-before-reply' };

const REPLIES: readonly ExchangeFault[] = [
  { kind: 'before-connect' },
  LOST_BEFORE,
  LOST_AFTER,
  { kind: 'pretend' },
  { kind: 'rewrite', at: 'endpoint.id', value: 'ep-foreign-reader-09' },
  { kind: 'rewrite', at: 'id', value: 77 },
  { kind: 'garble', how: 'empty-operations' },
  { kind: 'late-commit', delayMs: 500 },
  { kind: 'locked' },
  ...[401, 409].map(refused),
  ...[423, 503].map((status): ExchangeFault => ({ kind: 'reply', status, commit: true })),
];

function lagging(ms: number): FaultRule {
  return always({ method: 'GET' }, { kind: 'list', how: 'lagging', ms });
}

const SERIES: Readonly<Record<string, (write: Write) => readonly FaultRule[]>> = {
  'each reply lost, nothing done': ({ method, path }) => [always({ method, path }, LOST_BEFORE)],
  'each reply lost, done': ({ method, path }) => [always({ method, path }, LOST_AFTER)],
  'reply lost, done, log unreadable': ({ nth, logs }) => [
    { when: { nth }, fault: LOST_AFTER },
    always({ path: '/projects/*/operations', after: logs }, refused(500)),
  ],
  'reply lost, done, one stale list': ({ nth }) => [
    { when: { nth }, fault: LOST_AFTER },
    { when: { nth: nth + 1 }, fault: { kind: 'list', how: 'stale' } },
  ],
  'reply lost, done, lists lag by 6 s': ({ nth }) => [{ when: { nth }, fault: LOST_AFTER }, lagging(6000)],
  'reply lost, done, lists lag by 60 s': ({ nth }) => [{ when: { nth }, fault: LOST_AFTER }, lagging(60_000)],
  'reply lost, done, lists lag by 6 s, then refused': ({ nth, method, path }) => [
    { when: { nth }, fault: LOST_AFTER },
    lagging(6000),
    always({ method, path, after: 1 }, refused(403)),
  ],
  'reply lost, nothing done, then refused': ({ nth, method, path }) => [
    { when: { nth }, fault: LOST_BEFORE },
    always({ method, path, after: 1 }, refused(422)),
  ],
  'reply lost, done, nothing readable': ({ nth }) => [
    { when: { nth }, fault: LOST_AFTER },
    always({ method: 'GET', after: nth - 1 }, refused(403)),
  ],
};

export function troublesOf(write: Write): Part[1] {
  const { nth } = write;
  return [
    ...REPLIES.map((fault) => [faultWords(fault), { faults: [{ when: { nth }, fault }] }] as const),
    ...Object.entries(SERIES).map(([name, rulesOf]) => [name, { faults: rulesOf(write) }] as const),
  ];
}

const OPERATIONS: readonly OperationFault[] = [
  { kind: 'fail' },
  { kind: 'fail-then-finish', failures: 1 },
  { kind: 'hang', status: 'running' },
  { kind: 'vanish' },
  { kind: 'lie' },
  { kind: 'status', status: 'cancelled' },
];

function onOperation(fault: OperationFault): Fault {
  return { on: 'operation', ...fault };
}

/** The troubles of the n-th operation. */
export function failuresOf(nth: number): Part[1] {
  return OPERATIONS.map(onOperation).map((fault) => [faultWords(fault), { faults: [{ when: { nth }, fault }] }]);
}

const SLOW = { operationMs: { min: 30_000, max: 30_000 } };
const LATE = { faults: [always({}, { kind: 'latency', ms: 3000 })] };
const BUSY = ['POST', 'PATCH', 'DELETE'].map((method) => always({ method, forMs: 5000 }, { kind: 'locked' }));

export const manners: Part[1] = [
  ['15 requests a minute', { runs: [{ requestsPerMinute: 15 }] }],
  ['replies take 3 s', LATE],
  ['replies take 3 s, stopped after 10 s', { ...LATE, runs: [{ stop: { kind: 'soft', afterMs: 10_000 } }] }],
  ['replies take 3 s, ended after 10 s', { ...LATE, runs: [{ stop: { kind: 'hard', afterMs: 10_000 } }] }],
  ['operations take 30 s', SLOW],
  ['operations take 30 s, stopped after 1 s', { ...SLOW, runs: [{ stop: { kind: 'soft', afterMs: 1000 } }] }],
  ['operations take 30 s, ended after 1 s', { ...SLOW, runs: [{ stop: { kind: 'hard', afterMs: 1000 } }] }],
  ['operations take 30 s, the run 5 s', { ...SLOW, runs: [{ timeoutMs: 5000 }] }],
  ['operations take 30 s, a step 5 s', { ...SLOW, runs: [{ stepTimeoutMs: 5000 }] }],
  ['busy for 5 s', { faults: BUSY }],
  ['busy for 5 s, a step 2 s', { faults: BUSY, runs: [{ stepTimeoutMs: 2000 }] }],
  ['a plan saved for a minute', { runs: [{ savedForMs: 60_000 }] }],
  ['another machine beside it', { beside: [{ folder: `/home/.elsewhere` }] }],
];
