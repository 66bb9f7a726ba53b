// The registry: the kinds of resources that trueup knows. A new kind is a folder beside this file and one word here.
import { assert } from '../base/assert.ts';
import type { KindName } from '../model/desired.ts';
import { apiKey, orgApiKey } from './api-key/index.ts';
import { branch } from './branch/index.ts';
import { compute } from './compute/index.ts';
import { connection } from './connection/index.ts';
import { database } from './database/index.ts';
import type { Kind } from './kind.ts';
import { permission } from './permission/index.ts';
import { project } from './project/index.ts';
import { role } from './role/index.ts';

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

/** The kind of this name: whatever is declared, planned or read is of one. */
export function kindOf(name: KindName): Kind {
  const found = kinds.find(({ rules }) => rules.kind === name);
  assert(found !== undefined, `there is no kind ${name}`);
  return found;
}
