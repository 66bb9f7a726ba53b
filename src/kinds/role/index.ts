// The kind `role`: who may log in to a branch, and who owns its databases.
import type { Kind } from '../kind.ts';
import { roleRemote } from './remote.ts';
import { roleRules } from './rules.ts';
import { section } from './section.ts';

export const role: Kind = { section, rules: roleRules, remote: roleRemote };
