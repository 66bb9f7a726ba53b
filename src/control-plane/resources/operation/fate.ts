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
