// An error as a careless program would print it: message, stack, causes and every property.
import { inspect } from 'node:util';

export function errorText(error: unknown): string {
  return inspect(error, { depth: 8, showHidden: true });
}
