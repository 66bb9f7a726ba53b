// The kind `database`: the databases of a branch, each owned by one of its roles.
import type { Kind } from '../kind.ts';
import { databaseRemote } from './remote.ts';
import { databaseRules } from './rules.ts';
import { section } from './section.ts';

export const database: Kind = { section, rules: databaseRules, remote: databaseRemote };
