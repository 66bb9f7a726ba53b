// A problem as one sentence with what to do about it, for reports that have one place for both.
import type { Diagnostic } from '../model/diagnostic.ts';
import { sentence } from './text.ts';

export function problemText({ message, hint }: Diagnostic): string {
  return sentence(hint === undefined ? message : `${message} (${hint})`);
}
