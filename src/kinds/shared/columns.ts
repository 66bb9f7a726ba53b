// The columns of lists and results: the same for every kind, so that they make one table.

export interface Columns extends Readonly<Record<string, string | null>> {
  readonly branch_id: string | null;
  readonly state: string | null;
  readonly host: string | null;
}

/** What a kind does not tell is null. */
export function columns(told: Partial<Columns> = {}): Columns {
  return { branch_id: null, state: null, host: null, ...told };
}
