// Reasons in words: the stable words of machine outputs say little to people.
import { listOf } from '../base/words.ts';
import type { Change } from '../model/plan.ts';
import { sentence, shown } from './text.ts';

/** A reason as a person reads it; one that is a sentence already stays as it is. */
export function reasonWords(change: Change, reason: string): string {
  switch (reason) {
    case 'replace_because_cannot_update':
      return `${listOf(change.replacePaths.map((path) => shown(path, 100)))} cannot be changed in place`;
    case 'last_operation_failed':
      return 'its last change failed at the service (last_operation_failed)';
    default:
      return sentence(reason);
  }
}
