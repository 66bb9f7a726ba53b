// Limits of each plan of the account.

export type Plan = 'free' | 'launch' | 'scale';

export interface PlanLimits {
  readonly projects: number;
  /** Per project. */
  readonly branches: number;
  readonly rootBranches: number;
  readonly protectedBranches: number;
  readonly historySeconds: number;
  /** Largest compute, compute units. */
  readonly computeCu: number;
  /** The autosuspend delays that can be asked for, seconds; absent: all that are valid. */
  readonly suspendSeconds?: readonly number[];
}

/** History that a new project keeps, where the plan allows it, seconds. */
export const DEFAULT_HISTORY_SECONDS = 86_400;

export const plans: Readonly<Record<Plan, PlanLimits>> = {
  free: {
    projects: 100,
    branches: 10,
    rootBranches: 3,
    protectedBranches: 0,
    historySeconds: 21_600,
    // Up to 1 GB of RAM (api-rules 13.6).
    computeCu: 0.25,
    suspendSeconds: [],
  },
  launch: {
    projects: 100,
    branches: 5000,
    rootBranches: 5,
    protectedBranches: 2,
    historySeconds: 604_800,
    computeCu: 16,
    suspendSeconds: [-1, 0, 300],
  },
  scale: {
    projects: 1000,
    branches: 5000,
    rootBranches: 25,
    protectedBranches: 5,
    historySeconds: 2_592_000,
    computeCu: 56,
  },
};
