// The kind of API keys: how the file declares them, how they are planned, and how they are made and revoked.
import type { Kind } from '../kind.ts';
import { remote } from './remote.ts';
import { rules } from './rules/rules.ts';
import { section } from './section/section.ts';

export const apiKey: Kind = { section, rules, remote };
