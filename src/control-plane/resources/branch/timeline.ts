// The data of a branch as the store knows them: the roles and databases that a Postgres has on behalf of the API.
import type { TableSpec } from '../../core/table.ts';

/** A role or a database of the API in a Postgres. */
export interface MadeRecord {
  readonly kind: 'role' | 'database';
  /** The same for as long as it is the same one: a role by its name, a database under whatever name. */
  readonly key: string;
  readonly name: string;
  /** Its number in Postgres, which a rename leaves as it is; absent where it was about to be made. */
  readonly oid?: number;
}

/** Under the id of the data, which is that of the branch unless it was restored. */
export interface TimelineRecord {
  readonly id: string;
  readonly made: readonly MadeRecord[];
}

export const timelineTable: TableSpec<TimelineRecord, never> = { indexes: {} };
