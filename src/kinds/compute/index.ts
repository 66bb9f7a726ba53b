// The kind compute: how it is written in the files, how it is planned, how it is read and changed.
import type { Kind } from '../kind.ts';
import { computeRemote } from './remote.ts';
import { computeRules } from './rules/rules.ts';
import { section } from './section/section.ts';

export const compute: Kind = { section, rules: computeRules, remote: computeRemote };
