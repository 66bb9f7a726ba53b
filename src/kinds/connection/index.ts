// The kind `connection`: how a role gets at a database of a branch, kept in places.
import type { Kind } from '../kind.ts';
import { connectionRemote } from './remote.ts';
import { connectionRules } from './rules.ts';
import { section } from './section.ts';

export const connection: Kind = { section, rules: connectionRules, remote: connectionRemote };
