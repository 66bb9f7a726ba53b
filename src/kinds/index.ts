// The registry: the kinds of resources that trueup knows. A new kind is a folder beside this file and one word here.
import { apiKey } from './api-key/index.ts';
import { compute } from './compute/index.ts';
import type { Kind } from './kind.ts';

export const kinds: readonly Kind[] = [compute, apiKey];
