// Every single fault that an exchange or an operation of the control plane can have.
import {
  garblings,
  listFaults,
  type ExchangeFault,
  type Fault,
  type OperationFault,
} from '../../src/control-plane/faults/plan.ts';

const reply = (status: number, commit: boolean, headers?: Readonly<Record<string, string>>): ExchangeFault => ({
  kind: 'reply',
  status,
  commit,
  ...(commit ? {} : { body: '{"request_id":"","code":"","message":"injected"}' }),
  ...(headers === undefined ? {} : { headers }),
});

const REFUSED = [400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422];
const LATER = [423, 429, 503];
const AMBIGUOUS = [408, 500, 502, 504];
/** Successes that tell of a part, of several things, or of something to come. */
const PARTS = [202, 203, 206, 207, 226, 299];
const REDIRECTS = [301, 302, 303, 307, 308];
const RETRY_AFTER = ['3', '0', '-1', 'abc', 'Wed, 31 Dec 2025 00:00:00 GMT', '36000'];

/** A creation is answered with what was there before it: somebody else's key, somebody else's replica. */
const BEFORE: readonly ExchangeFault[] = [
  { kind: 'rewrite', at: 'id', value: 77 },
  { kind: 'rewrite', at: 'endpoint.id', value: 'ep-foreign-reader-09' },
];

/** Faults of the connection and of the reply. */
export const singleFaults: readonly ExchangeFault[] = [
  { kind: 'before-connect' },
  { kind: 'before-send' },
  { kind: 'mid-request' },
  { kind: 'after-send-before-commit' },
  { kind: 'after-commit-before-reply' },
  { kind: 'mid-headers' },
  { kind: 'mid-body' },
  { kind: 'mid-body', at: 'end' },
  { kind: 'after-reply' },
  { kind: 'black-hole', commit: false },
  { kind: 'black-hole', commit: true },
  ...BEFORE,
  { kind: 'pretend' },
  ...garblings.map((how): ExchangeFault => ({ kind: 'garble', how })),
  { kind: 'trickle', bytes: 400, everyMs: 50 },
  { kind: 'trickle', bytes: 40, everyMs: 20_000 },
  { kind: 'latency', ms: 30_000 },
  { kind: 'locked' },
  { kind: 'rate-limited' },
  ...listFaults.map((how): ExchangeFault => ({ kind: 'list', how })),
  ...[REFUSED, AMBIGUOUS, LATER].flatMap((statuses) => statuses.map((status) => reply(status, false))),
  ...[AMBIGUOUS, LATER].flatMap((statuses) => statuses.map((status) => reply(status, true))),
  ...REDIRECTS.map((status) => reply(status, false, { location: 'http://127.0.0.1:1/elsewhere' })),
  ...PARTS.map((status) => reply(status, true)),
  ...RETRY_AFTER.map((retryAfter): ExchangeFault => ({ kind: 'rate-limited', retryAfter })),
  ...[undefined, -7_200_000, 7_200_000, 700_000_000].map((byMs): ExchangeFault => ({
    kind: 'date',
    ...(byMs === undefined ? {} : { byMs }),
  })),
  ...[500, 3000, 30_000, 600_000].map((delayMs): ExchangeFault => ({ kind: 'late-commit', delayMs })),
  ...[1, 3].map((size): ExchangeFault => ({ kind: 'capped', size })),
];

/** Faults of operations: they fail, hang, vanish, lie, go backwards, and have words and company that nobody expects. */
export const operationFaults: readonly OperationFault[] = [
  { kind: 'fail' },
  { kind: 'fail', applied: true },
  { kind: 'fail-then-finish', failures: 2, retryAfterMs: 2000 },
  { kind: 'fail-then-finish', failures: 1 },
  { kind: 'hang', status: 'scheduling' },
  { kind: 'hang', status: 'running' },
  { kind: 'vanish' },
  { kind: 'lie' },
  { kind: 'status', status: 'cancelled' },
  { kind: 'status', status: 'error' },
  { kind: 'status', status: 'skipped', applied: true },
  { kind: 'status', status: 'a_new_word', applied: true },
  { kind: 'slow', durationMs: 120_000 },
  { kind: 'flap', times: 2 },
  { kind: 'beside', action: 'suspend_compute' },
];

/** Removals that answer as if done and do nothing, by what they answer; all of them strike the same exchange. */
export const removalLies: Readonly<Record<string, readonly ExchangeFault[]>> = {
  'revoked: false': [{ kind: 'pretend' }, { kind: 'rewrite', at: 'revoked', value: false }],
  'an empty object': [{ kind: 'pretend' }, { kind: 'reply', status: 200, commit: true, body: '{}' }],
  'no content': [{ kind: 'pretend' }, { kind: 'garble', how: 'no-content' }],
  accepted: [{ kind: 'pretend' }, { kind: 'reply', status: 202, commit: true }],
  'another id': [{ kind: 'pretend' }, { kind: 'rewrite', at: 'id', value: 77 }],
};

/** `reply 500 done`: a fault in short. */
export function faultWords(fault: Fault): string {
  const { kind, ...rest } = fault;
  const words = Object.entries(rest).filter(([name]) => !['body', 'headers', 'on'].includes(name));
  return [kind, ...words.map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}
