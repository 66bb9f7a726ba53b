// Checks a fault plan that comes from outside: its shape, kinds and numbers.
import { isJsonObject } from '../../base/json.ts';
import type { FaultPlan } from './plan.ts';

/** A plan that cannot be used; the message names the place. */
export class FaultPlanError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FaultPlanError';
  }
}

const EXCHANGE_KINDS = new Set(
  (
    'before-connect before-send mid-request after-send-before-commit after-commit-before-reply mid-headers mid-body ' +
    'after-reply late-commit black-hole reply garble trickle latency locked rate-limited list'
  ).split(' '),
);
const OPERATION_KINDS = new Set('fail fail-then-finish hang vanish lie status slow'.split(' '));
const NUMBERS = ['delayMs', 'ms', 'bytes', 'everyMs', 'durationMs', 'failures', 'retryAfterMs', 'status', 'back'];
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'late-commit': ['delayMs'],
  'black-hole': ['commit'],
  reply: ['commit', 'status'],
  garble: ['how'],
  trickle: ['bytes', 'everyMs'],
  latency: ['ms'],
  list: ['how'],
  'fail-then-finish': ['failures'],
  hang: ['status'],
  status: ['status'],
  slow: ['durationMs'],
};

/** `plan` as a FaultPlan. Throws FaultPlanError. */
export function requireFaultPlan(plan: unknown): FaultPlan {
  if (!isJsonObject(plan)) throw new FaultPlanError('a fault plan is an object');
  const rules = plan['rules'] ?? [];
  if (!Array.isArray(rules)) throw new FaultPlanError('rules is a list');
  for (const [index, rule] of rules.entries()) requireRule(rule, `rules[${index}]`);
  return plan;
}

function requireRule(rule: unknown, place: string): void {
  if (!isJsonObject(rule) || !isJsonObject(rule['fault'])) throw new FaultPlanError(`${place} needs a fault`);
  if (rule['when'] !== undefined && !isJsonObject(rule['when'])) throw new FaultPlanError(`${place}.when is an object`);
  const { fault } = rule;
  const kind = String(fault['kind']);
  const kinds = fault['on'] === 'operation' ? OPERATION_KINDS : EXCHANGE_KINDS;
  if (!kinds.has(kind)) throw new FaultPlanError(`${place}.fault.kind can be ${[...kinds].join(', ')}`);
  for (const name of NEEDED[kind] ?? [])
    if (fault[name] === undefined) throw new FaultPlanError(`${place}.fault needs ${name}`);
  for (const name of NUMBERS)
    if (name in fault && !isCount(fault[name]) && !(name === 'status' && fault['on'] === 'operation'))
      throw new FaultPlanError(`${place}.fault.${name} is a number from 0`);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
