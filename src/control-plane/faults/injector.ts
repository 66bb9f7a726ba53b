// Counts the matches of each fault rule, and returns the faults of an exchange or operation.
import { seededRandom, type Random } from '../../base/random.ts';
import { DEFAULT_FATE, DEFAULT_OUTCOME, type Fate, type Faults } from '../resources/operation/record.ts';
import type { ExchangeFault, FaultMatch, FaultPlan, FaultRule, OperationFault } from './plan.ts';

const NAMES = ['method', 'actor', 'action', 'endpointId', 'projectId'] as const;

export interface Occasion extends Pick<FaultMatch, (typeof NAMES)[number] | 'path'> {
  readonly atMs?: number;
}

interface Armed {
  readonly rule: FaultRule;
  readonly path: RegExp | undefined;
  seen: number;
  done: number;
  sinceMs: number | undefined;
}

export class FaultInjector implements Faults {
  #plan: FaultPlan = {};
  #armed: Armed[] = [];
  #random: Random = seededRandom(0);
  #locked: ReadonlySet<string> = new Set();

  get plan(): FaultPlan {
    return this.#plan;
  }

  get armed(): readonly { readonly rule: FaultRule; readonly done: number }[] {
    return this.#armed;
  }

  /** True when the plan has list faults, which may serve lists of earlier replies. */
  get remembersLists(): boolean {
    return this.#armed.some(({ rule }) => rule.fault.kind === 'list');
  }

  /** Replaces the plan; all counters start again. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
    this.#armed = (plan.rules ?? []).map((rule) => ({
      rule,
      path: globOf(rule.when?.path),
      seen: 0,
      done: 0,
      sinceMs: undefined,
    }));
    this.#random = seededRandom(plan.seed ?? 0);
    this.#locked = new Set(plan.lockedProjects ?? []);
  }

  isLocked(projectId: string): boolean {
    return this.#locked.has(projectId);
  }

  ofExchange(occasion: Occasion): ExchangeFault[] {
    return this.#fire(occasion, (rule) => !('on' in rule.fault)).map((rule) => rule.fault as ExchangeFault);
  }

  latencyMs(): number {
    const range = this.#plan.latencyMs;
    return range === undefined ? 0 : range.min + this.#random.next() * (range.max - range.min);
  }

  fateOf(occasion: Occasion): Fate {
    const [rule] = this.#fire(occasion, (candidate) => 'on' in candidate.fault);
    return rule === undefined ? DEFAULT_FATE : fateOf(rule.fault as OperationFault);
  }

  #fire(occasion: Occasion, isWanted: (rule: FaultRule) => boolean): FaultRule[] {
    const fired: FaultRule[] = [];
    for (const armed of this.#armed) {
      if (!isWanted(armed.rule) || !matches(armed, occasion)) continue;
      armed.seen++;
      if (!isInTurn(armed, occasion.atMs ?? 0)) continue;
      const { chance } = armed.rule.when ?? {};
      if (chance !== undefined && this.#random.next() >= chance) continue;
      armed.done++;
      fired.push(armed.rule);
    }
    return fired;
  }
}

function isInTurn(armed: Armed, atMs: number): boolean {
  const { nth, after = 0, forMs = Infinity } = armed.rule.when ?? {};
  const { times = 1 } = armed.rule;
  if ((nth !== undefined && nth !== armed.seen) || armed.seen <= after) return false;
  armed.sinceMs ??= atMs;
  return (times === 'always' || armed.done < times) && atMs - armed.sinceMs < forMs;
}

function matches(armed: Armed, occasion: Occasion): boolean {
  if (armed.path !== undefined && !armed.path.test(occasion.path ?? '')) return false;
  const when: FaultMatch = armed.rule.when ?? {};
  return NAMES.every((name) => when[name] === undefined || when[name] === occasion[name]);
}

function globOf(path: string | undefined): RegExp | undefined {
  if (path === undefined) return undefined;
  const source = path
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
}

function fateOf(fault: OperationFault): Fate {
  switch (fault.kind) {
    case 'fail':
      return {
        outcome: { status: 'failed', applied: fault.applied === true, error: fault.error ?? 'the operation failed' },
      };
    case 'fail-then-finish': {
      const retry = fault.retryAfterMs === undefined ? {} : { retryAfterMs: fault.retryAfterMs };
      return { outcome: { ...DEFAULT_OUTCOME, failures: fault.failures, ...retry } };
    }
    case 'hang':
      return { ...DEFAULT_FATE, ...(fault.status === 'scheduling' ? { neverStarts: true } : { neverEnds: true }) };
    case 'vanish':
      return { ...DEFAULT_FATE, hidden: true };
    case 'lie':
      return { outcome: { status: 'finished', applied: false } };
    case 'status':
      return { outcome: { status: fault.status, applied: fault.applied === true } };
    case 'slow':
      return { ...DEFAULT_FATE, durationMs: fault.durationMs };
    case 'flap': {
      const { times, everyMs = 1000, status = DEFAULT_OUTCOME.status } = fault;
      return { outcome: { ...DEFAULT_OUTCOME, flap: { times, everyMs, status } } };
    }
    case 'beside':
      return { ...DEFAULT_FATE, beside: fault.action };
    default:
      return fault satisfies never;
  }
}
