// The fate of an operation: how long it takes and how it ends. Without faults every operation finishes and has its effect.

/** Instead of ending, `times` times: shows `status` for `everyMs`, and runs again. */
export interface Flap {
  readonly times: number;
  readonly everyMs: number;
  readonly status: string;
}

/** How an operation ends. `applied` says whether its effect happens then. */
export interface Outcome {
  readonly status: string;
  readonly applied: boolean;
  readonly error?: string;
  /** Attempts that fail first, and the pause before each new attempt. */
  readonly failures?: number;
  readonly retryAfterMs?: number;
  readonly flap?: Flap;
}

export interface Fate {
  readonly outcome: Outcome;
  readonly durationMs?: number;
  readonly neverStarts?: boolean;
  readonly neverEnds?: boolean;
  readonly hidden?: boolean;
  /** Action of an operation that the control plane starts by itself at the same time. */
  readonly beside?: string;
}

/** Asked for each write and each new operation. */
export interface Faults {
  isLocked(projectId: string): boolean;
  fateOf(occasion: {
    readonly action: string;
    readonly atMs: number;
    readonly projectId: string;
    readonly branchId?: string;
    readonly endpointId?: string;
  }): Fate;
}

export const DEFAULT_OUTCOME: Outcome = { status: 'finished', applied: true };
export const DEFAULT_FATE: Fate = { outcome: DEFAULT_OUTCOME };

/** An injected behaviour of operations. */
export type OperationFault =
  /** Fails for good; `applied` leaves the change in place. */
  | { readonly kind: 'fail'; readonly applied?: boolean; readonly error?: string }
  /** So many attempts fail and are repeated; the next one ends well. */
  | { readonly kind: 'fail-then-finish'; readonly failures: number; readonly retryAfterMs?: number }
  /** Stays scheduling or running for ever. */
  | { readonly kind: 'hang'; readonly status: 'scheduling' | 'running' }
  /** Happens, but the API never shows it. */
  | { readonly kind: 'vanish' }
  /** Says finished, and nothing has changed. */
  | { readonly kind: 'lie' }
  /** Ends with this status word, with or without its effect. */
  | { readonly kind: 'status'; readonly status: string; readonly applied?: boolean }
  | { readonly kind: 'slow'; readonly durationMs: number }
  /** Goes back and forth: `times` times it shows `status` (finished) for `everyMs`, and is running again; then it ends well. */
  | { readonly kind: 'flap'; readonly times: number; readonly everyMs?: number; readonly status?: string }
  /** The control plane starts an operation of its own beside it, for the same resource; no reply mentions that one. */
  | { readonly kind: 'beside'; readonly action: string };

/** The fate that a fault gives. */
export function fateOf(fault: OperationFault): Fate {
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
