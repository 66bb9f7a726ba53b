// The kind `project_permission`: with whom a project is shared.
import type { Kind } from '../kind.ts';
import { permissionRemote } from './remote.ts';
import { permissionRules } from './rules.ts';
import { section } from './section.ts';

export const permission: Kind = { section, rules: permissionRules, remote: permissionRemote };
