// The registry: the kinds of resources that trueup knows. A new kind is a folder beside this file and one word here.
import { apiKey } from './api-key/index.ts';
import { branch } from './branch/index.ts';
import { compute } from './compute/index.ts';
import { database } from './database/index.ts';
import type { Kind } from './kind.ts';
import { role } from './role/index.ts';

export const kinds: readonly Kind[] = [branch, role, database, compute, apiKey];
