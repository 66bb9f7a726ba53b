// The parts that the flows of planning and applying share.
import type { Session } from './connect.ts';
import type { ReconcilerOptions } from './types.ts';
import type { Workspace } from './workspace.ts';

/** A reconciler's connection to the service and to its folder. */
export interface Parts extends Session, Workspace {
  readonly options: ReconcilerOptions;
}
