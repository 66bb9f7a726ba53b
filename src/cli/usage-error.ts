// A command line or environment that cannot be used, or not in the time given: said in one sentence with what to do, exit code 1.

export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
  readonly hint: string | null;
  /** For machines. */
  readonly code: 'usage' | 'timeout' | 'tracked_state';

  constructor(message: string, hint: string | null = null, code: UsageError['code'] = 'usage') {
    super(message);
    this.hint = hint;
    this.code = code;
  }
}
