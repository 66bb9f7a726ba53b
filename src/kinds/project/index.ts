// The kind `project`: what everything else of a project lies in, with its settings.
import type { Kind } from '../kind.ts';
import { projectRemote } from './remote.ts';
import { projectRules } from './rules/rules.ts';
import { section } from './section/section.ts';

export const project: Kind = { section, rules: projectRules, remote: projectRemote };
