// A command line or environment that cannot be used: one sentence with a hint, exit code 1.

/** `plan_altered`, `plan_unsigned`: a saved plan that differs from the plan that was made, or may differ. */
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
