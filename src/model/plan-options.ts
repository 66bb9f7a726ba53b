// The flags that shape a plan.

/** What a plan was asked for with: the same words make the same plan of the same files and account. */
export interface PlanOptions {
  /** `ACTION:ADDRESS`, as given. */
  readonly allow: readonly string[];
  /** What the clock asks for is to run. */
  readonly due: boolean;
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** Operation logs were left out. */
  readonly noHistory: boolean;
}
