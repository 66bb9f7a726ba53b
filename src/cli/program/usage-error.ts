// A command line or environment that cannot be used, or not in the time given: said in one sentence with what to do, exit code 1.

/** `plan_altered`, `plan_unsigned`: a saved plan that is not what was made, or not surely. */
type UsageCode =
  'usage' | 'timeout' | 'secrets_in_work_tree' | 'program_in_work_tree' | 'plan_altered' | 'plan_unsigned';

export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
  readonly hint: string | null;
  /** For machines. */
  readonly code: UsageCode;

  constructor(message: string, hint: string | null = null, code: UsageCode = 'usage') {
    super(message);
    this.hint = hint;
    this.code = code;
  }
}
