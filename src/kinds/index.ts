// The registry of the kinds. A new kind is a file or folder beside this file, and a row here.
import { assert } from '../base/assert.ts';
import type { KindName } from '../model/desired.ts';
import { apiKey, orgApiKey } from './api-key/api-key.ts';
import { branch } from './branch/branch.ts';
import { compute } from './compute/compute.ts';
import { connection } from './connection/connection.ts';
import { database } from './database.ts';
import type { Kind } from './define.ts';
import { permission } from './permission.ts';
import { project } from './project/project.ts';
import { role } from './role/role.ts';

export type { Kind } from './define.ts';
export { apiKey, branch, compute, orgApiKey };

/** All kinds. Steps whose order nothing else decides run in the order of this list. */
export const kinds: readonly Kind[] = [
  project,
  permission,
  branch,
  role,
  database,
  compute,
  connection,
  apiKey,
  orgApiKey,
];

export function kindOf(name: KindName): Kind {
  const found = kinds.find(({ kind }) => kind === name);
  assert(found !== undefined, `there is no kind ${name}`);
  return found;
}
