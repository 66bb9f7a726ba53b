// Exit codes in order of precedence, and the errors that end a command early.

/** Sorted by precedence: the first of several codes wins. */
export const exitCodes = {
  secretAtRisk: 6,
  interrupted: 130,
  terminated: 143,
  stale: 4,
  incomplete: 3,
  blocked: 5,
  differences: 2,
  error: 1,
  done: 0,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function strongest(codes: Iterable<ExitCode>): ExitCode {
  const held = new Set(codes);
  return Object.values(exitCodes).find((code) => held.has(code)) ?? exitCodes.done;
}

/** Ends a command whose problems are already reported. */
export class Ended extends Error {
  readonly code: ExitCode;

  constructor(code: ExitCode = exitCodes.error) {
    super(`ended with exit code ${code}`);
    this.code = code;
  }
}

export async function codeOf(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Ended) return error.code;
    throw error;
  }
}

/** `plan_altered`: a saved plan was changed. `plan_unsigned`: a saved plan lacks the required signature. */
type UsageCode =
  'usage' | 'timeout' | 'secrets_in_work_tree' | 'program_in_work_tree' | 'plan_altered' | 'plan_unsigned';

export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
  readonly hint: string | null;
  readonly code: UsageCode;

  constructor(message: string, hint: string | null = null, code: UsageCode = 'usage') {
    super(message);
    this.hint = hint;
    this.code = code;
  }
}
