// The kind `branch`: copies of a project's data, each below the one that it was made from.
import type { Kind } from '../kind.ts';
import { branchRemote } from './remote.ts';
import { branchRules } from './rules/rules.ts';
import { section } from './section/section.ts';

export const branch: Kind = { section, rules: branchRules, remote: branchRemote };
