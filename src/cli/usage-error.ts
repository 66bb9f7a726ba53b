// A command line or environment that cannot be used: said in one sentence with what to do, exit code 1, no request sent.

export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}
