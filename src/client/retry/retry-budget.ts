// The run's allowance for retries: when everything fails, a run stops repeating itself instead of adding to the trouble.

const CAPACITY = 500;
const RETRY_COST = 5;
const TIMEOUT_COST = 10;

export interface RetryBudget {
  /** Pays for one retry; false when the allowance is used up. */
  spend(afterTimeout: boolean): boolean;
  /** A success gives a little back. */
  refund(): void;
}

/** A full allowance: 500 tokens, 5 for a retry, 10 for one after a timeout, 1 back for each success. */
export function createRetryBudget(): RetryBudget {
  let tokens = CAPACITY;
  return {
    spend(afterTimeout) {
      const cost = afterTimeout ? TIMEOUT_COST : RETRY_COST;
      if (tokens < cost) return false;
      tokens -= cost;
      return true;
    },
    refund() {
      tokens = Math.min(CAPACITY, tokens + 1);
    },
  };
}
