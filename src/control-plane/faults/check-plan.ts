// Checks a fault plan that comes from outside: nothing in it is unknown, missing or out of range.
import { isJsonObject } from '../../base/json.ts';
import type { OperationFault } from '../resources/operation/fate.ts';
import { garblings, listFaults, type ExchangeFault, type FaultMatch, type FaultPlan, type FaultRule } from './plan.ts';

/** A plan that cannot be used; the message names the place. */
export class FaultPlanError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FaultPlanError';
  }
}

/** The expected kind of value as a phrase; undefined for a valid one. */
type Check = (value: unknown) => string | undefined;
/** Checks by member; a name that ends in `?` may be absent. */
type Members = Readonly<Record<string, Check>>;

const check =
  (words: string, holds: (value: unknown) => boolean): Check =>
  (value) =>
    holds(value) ? undefined : words;
const numberFrom = (least: number, most: number = Number.MAX_VALUE): Check =>
  check(
    most === Number.MAX_VALUE ? `a number from ${least}` : `a number from ${least} to ${most}`,
    (value) => typeof value === 'number' && value >= least && value <= most,
  );
const count = check('a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const ordinal = check('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1);
const statusCode = check(
  'a status from 200 to 599',
  (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
);
const ms = numberFrom(0);
/** Ahead or behind, by so little that a date moved by it is still one. */
const offsetMs = check('a number of milliseconds', (value) => typeof value === 'number' && Math.abs(value) <= 1e13);
const flag = check('true or false', (value) => typeof value === 'boolean');
const text = check('text', (value) => typeof value === 'string' && value !== '');
const texts = check(
  'a list of text',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
);
const anyText = check('text', (value) => typeof value === 'string');
const headers = check('an object of header fields', isHeaders);
const anything: Check = () => undefined;
const oneOf = (words: readonly string[]): Check =>
  check(`one of ${words.join(', ')}`, (value) => words.includes(String(value)));

const exchangeFaults: Readonly<Record<ExchangeFault['kind'], Members>> = {
  'before-connect': {},
  'before-send': {},
  'mid-request': {},
  'after-send-before-commit': {},
  'after-commit-before-reply': {},
  'mid-headers': {},
  'mid-body': { 'at?': oneOf(['half', 'end']) },
  'after-reply': {},
  'late-commit': { delayMs: ms },
  'black-hole': { commit: flag },
  reply: { commit: flag, status: statusCode, 'body?': anyText, 'headers?': headers },
  pretend: {},
  garble: { how: oneOf(garblings) },
  rewrite: { at: text, 'value?': anything },
  trickle: { bytes: ordinal, everyMs: ms },
  latency: { ms },
  locked: { 'retryAfter?': text },
  'rate-limited': { 'retryAfter?': text },
  list: { how: oneOf(listFaults), 'back?': count, 'ms?': ms },
  unavailable: { projects: texts },
  capped: { size: ordinal },
  date: { 'byMs?': offsetMs },
  created: { byMs: offsetMs },
};
const operationFaults: Readonly<Record<OperationFault['kind'], Members>> = {
  fail: { 'applied?': flag, 'error?': text },
  'fail-then-finish': { failures: count, 'retryAfterMs?': ms },
  hang: { status: oneOf(['scheduling', 'running']) },
  vanish: {},
  lie: {},
  status: { status: text, 'applied?': flag },
  slow: { durationMs: ms },
  flap: { times: count, 'everyMs?': ms, 'status?': text },
  beside: { action: text },
};
const match: Readonly<Record<`${keyof FaultMatch}?`, Check>> = {
  'method?': oneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  'path?': check('a path that begins with / or **', (value) => typeof value === 'string' && /^(\/|\*\*)/.test(value)),
  'actor?': text,
  'action?': text,
  'endpointId?': text,
  'projectId?': text,
  'nth?': ordinal,
  'after?': count,
  'forMs?': ms,
  'chance?': numberFrom(0, 1),
};
const rule: Readonly<Record<`${Exclude<keyof FaultRule, 'fault'>}?` | 'fault', Check>> = {
  'when?': check('an object', isJsonObject),
  'times?': check('a whole number from 0, or always', (value) => value === 'always' || count(value) === undefined),
  fault: check('an object', isJsonObject),
};
const plan: Readonly<Record<`${keyof FaultPlan}?`, Check>> = {
  'seed?': check('a number', (value) => typeof value === 'number'),
  'latencyMs?': check('an object', isJsonObject),
  'lockedProjects?': texts,
  'rules?': check('a list', Array.isArray),
};

/** True for the kind of a fault that befalls operations. */
export function isOfOperations(kind: string): boolean {
  return Object.hasOwn(operationFaults, kind) && !Object.hasOwn(exchangeFaults, kind);
}

/** The members that a fault of this kind has beside its kind; none for an unknown one. */
export function membersOfFault(kind: string): string[] {
  const table: Readonly<Record<string, Members>> = isOfOperations(kind) ? operationFaults : exchangeFaults;
  return Object.keys(Object.hasOwn(table, kind) ? (table[kind] ?? {}) : {}).map((name) => name.replace('?', ''));
}

/** `value` as a FaultPlan. Throws FaultPlanError. */
export function requireFaultPlan(value: unknown): FaultPlan {
  const { latencyMs, rules = [] } = requireMembers(value, plan, 'a fault plan');
  if (latencyMs !== undefined) requireMembers(latencyMs, { min: ms, max: ms }, 'latencyMs');
  for (const [index, item] of (rules as unknown[]).entries()) requireRule(item, `rules[${index}]`);
  return value as FaultPlan;
}

function requireRule(value: unknown, place: string): void {
  const { when = {}, fault } = requireMembers(value, rule, place);
  requireMembers(when, match, `${place}.when`);
  const { on, kind, ...rest } = fault as Record<string, unknown>;
  if (on !== undefined && on !== 'operation') throw new FaultPlanError(`${place}.fault.on can be operation, or absent`);
  const table: Readonly<Record<string, Members>> = on === undefined ? exchangeFaults : operationFaults;
  const members = Object.hasOwn(table, String(kind)) ? table[String(kind)] : undefined;
  if (members === undefined) throw new FaultPlanError(`${place}.fault.kind can be ${Object.keys(table).join(', ')}`);
  requireMembers(rest, members, `${place}.fault`);
}

/** The members of `value`, all of them known and sound. Absent and undefined are the same. */
function requireMembers(value: unknown, members: Members, place: string): Record<string, unknown> {
  if (!isJsonObject(value)) throw new FaultPlanError(`${place} is an object`);
  const known = new Map(Object.entries(members).map(([name, one]) => [name.replace('?', ''), one]));
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const one = known.get(name);
    if (one === undefined)
      throw new FaultPlanError(
        `${place} has no member ${JSON.stringify(name)}; it can have ${[...known.keys()].join(', ') || 'none'}`,
      );
    const words = one(member);
    if (words !== undefined) throw new FaultPlanError(`${place}.${name} is ${words}`);
  }
  for (const name of Object.keys(members))
    if (!name.endsWith('?') && value[name] === undefined) throw new FaultPlanError(`${place} needs ${name}`);
  return value;
}

function isHeaders(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  try {
    return new Headers(value as Record<string, string>) instanceof Headers;
  } catch {
    return false;
  }
}
