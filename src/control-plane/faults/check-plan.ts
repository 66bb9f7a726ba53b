// Checks fault plans from JSON or the command line: refuses unknown members, missing members and values out of range.
import { isJsonObject, parseJson } from '../../base/json.ts';
import {
  exchangeFaults,
  garblings,
  listFaults,
  operationFaults,
  type FaultMatch,
  type FaultPlan,
  type FaultRule,
  type Values,
} from './plan.ts';

/** Thrown for an invalid fault plan; the message names the position of the problem. */
export class FaultPlanError extends Error {
  override readonly name = 'FaultPlanError' as const;
}

/** How to check a value: a phrase that describes valid values, and a test. */
type Check = readonly [phrase: string, holds: (value: unknown) => boolean];
type Members = Readonly<Record<string, keyof typeof checks>>;

const isWhole = (value: unknown, least: number): boolean => Number.isSafeInteger(value) && Number(value) >= least;
const isNumber = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;
const isText = (value: unknown): value is string => typeof value === 'string';
const isWord = (words: readonly string[]): Check => [
  `one of ${words.join(', ')}`,
  (value) => words.includes(String(value)),
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const ofFaults: Readonly<Record<keyof Values, Check>> = {
  ms: ['a number from 0', (value) => isNumber(value, 0, Number.MAX_VALUE)],
  // Bounded, so that a date stays valid when the offset is added.
  offset: ['a number of milliseconds', (value) => isNumber(value, -1e13, 1e13)],
  count: ['a whole number from 0', (value) => isWhole(value, 0)],
  ordinal: ['a whole number from 1', (value) => isWhole(value, 1)],
  status: ['a status from 200 to 599', (value) => isWhole(value, 200) && Number(value) <= 599],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  text: ['text', (value) => isText(value) && value !== ''],
  anyText: ['text', isText],
  texts: ['a list of text', (value) => Array.isArray(value) && value.every(isText)],
  headers: ['an object of header fields', isHeaders],
  anything: ['anything', () => true],
  garbling: isWord(garblings),
  listFault: isWord(listFaults),
  part: isWord(['half', 'end']),
  openStatus: isWord(['scheduling', 'running']),
};
const checks = {
  ...ofFaults,
  method: isWord(methods),
  path: ['a path that begins with / or **', (value) => isText(value) && /^(\/|\*\*)/.test(value)] as Check,
  chance: ['a number from 0 to 1', (value) => isNumber(value, 0, 1)] as Check,
  times: ['a whole number from 0, or always', (value) => value === 'always' || isWhole(value, 0)] as Check,
  number: ['a number', (value) => typeof value === 'number'] as Check,
  object: ['an object', isJsonObject] as Check,
  list: ['a list', Array.isArray] as Check,
};

const match: Members & Readonly<Record<`${keyof FaultMatch}?`, keyof typeof checks>> = {
  'method?': 'method',
  'path?': 'path',
  'actor?': 'text',
  'action?': 'text',
  'endpointId?': 'text',
  'projectId?': 'text',
  'nth?': 'ordinal',
  'after?': 'count',
  'forMs?': 'ms',
  'chance?': 'chance',
};
const rule: Members = { 'when?': 'object', 'times?': 'times', fault: 'object' };
const plan: Members & Readonly<Record<`${keyof FaultPlan}?`, keyof typeof checks>> = {
  'seed?': 'number',
  'latencyMs?': 'object',
  'lockedProjects?': 'texts',
  'rules?': 'list',
};

const tableOf = (isOfOperations: boolean): ReadonlyMap<string, Members> =>
  new Map<string, Members>(Object.entries(isOfOperations ? operationFaults : exchangeFaults));

export function requireFaultPlan(value: unknown): FaultPlan {
  const { latencyMs, rules = [] } = requireMembers(value, plan, 'a fault plan');
  if (latencyMs !== undefined) requireMembers(latencyMs, { min: 'ms', max: 'ms' }, 'latencyMs');
  for (const [index, item] of (rules as unknown[]).entries()) requireRule(item, `rules[${index}]`);
  return value as FaultPlan;
}

function requireRule(value: unknown, place: string): void {
  const { when = {}, fault } = requireMembers(value, rule, place);
  requireMembers(when, match, `${place}.when`);
  const { on, kind, ...rest } = fault as Record<string, unknown>;
  if (on !== undefined && on !== 'operation') throw new FaultPlanError(`${place}.fault.on can be operation, or absent`);
  const table = tableOf(on !== undefined);
  const members = table.get(String(kind));
  if (members === undefined) {
    const others = on === undefined ? `; with "on": "operation", ${Object.keys(operationFaults).join(', ')}` : '';
    throw new FaultPlanError(`${place}.fault.kind can be ${[...table.keys()].join(', ')}${others}`);
  }
  requireMembers(rest, members, `${place}.fault`);
}

function requireMembers(value: unknown, members: Members, place: string): Record<string, unknown> {
  if (!isJsonObject(value)) throw new FaultPlanError(`${place} is an object`);
  const known = new Map(Object.entries(members).map(([name, word]) => [name.replace('?', ''), word]));
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const word = known.get(name);
    if (word === undefined)
      throw new FaultPlanError(
        `${place} has no member ${JSON.stringify(name)}; it can have ${[...known.keys()].join(', ') || 'none'}`,
      );
    const [phrase, holds] = checks[word];
    if (!holds(member)) throw new FaultPlanError(`${place}.${name} is ${phrase}`);
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

/** Makes one plan from texts: `latency,ms=200,times=always`, `fail,action=start_compute` or JSON. Throws FaultPlanError. */
export function faultPlanOf(texts: readonly string[]): FaultPlan {
  const plans = texts.map((text) =>
    requireFaultPlan(text.trimStart().startsWith('{') ? planOfJson(text) : planOf(text)),
  );
  const rules = plans.flatMap((plan) => plan.rules ?? []);
  const whole = Object.assign({}, ...plans) as FaultPlan;
  return rules.length === 0 ? whole : { ...whole, rules };
}

function planOfJson(text: string): unknown {
  try {
    const value = parseJson(text);
    return isJsonObject(value) && 'fault' in value ? { rules: [value] } : value;
  } catch {
    throw new FaultPlanError('the fault is not valid JSON');
  }
}

/** Members that belong to the fault kind describe the fault; `times` belongs to the rule; all others are conditions. */
function planOf(text: string): { readonly rules: readonly unknown[] } {
  const [kind = '', ...words] = text.split(',').map((word) => word.trim());
  const isOfOperations = tableOf(true).has(kind) && !tableOf(false).has(kind);
  const fault: Record<string, unknown> = { kind, ...(isOfOperations ? { on: 'operation' } : {}) };
  const when: Record<string, unknown> = {};
  const rule: Partial<Record<keyof FaultRule, unknown>> = {};
  const own = tableOf(isOfOperations).get(kind) ?? {};
  for (const word of words) {
    const [name = '', ...rest] = word.split('=');
    if (rest.length === 0) throw new FaultPlanError(`${JSON.stringify(word)}: expected MEMBER=VALUE after the kind`);
    const typed = rest.join('=');
    // The items of a list are separated by `|`, because `,` separates members.
    const value = own[name] === 'texts' ? typed.split('|') : valueOf(typed);
    if (Object.hasOwn(own, name) || Object.hasOwn(own, `${name}?`)) fault[name] = value;
    else if (name === 'times') rule.times = value;
    else when[name] = value;
  }
  return { rules: [{ ...rule, ...(Object.keys(when).length === 0 ? {} : { when }), fault }] };
}

function valueOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
