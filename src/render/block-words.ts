// Guards in words: why a change is held back, and how to lift it.
import { unreachable } from '../base/assert.ts';
import type { Block, Change, ExceededLimit } from '../model/plan.ts';
import { nameText } from './text.ts';

export interface BlockWords {
  readonly why: string;
  readonly lift: string;
}

/** Why this guard holds the change, and what to do to let it through. */
export function blockWords(block: Block, change: Change): BlockWords {
  const consent = `--allow ${allowable(change)}:${nameText(change.address)}`;
  switch (block) {
    case 'protect':
      return {
        why: 'it is protected from deletion and replacement',
        lift: 'take it out of lifecycle.protect or safety.protect and plan again',
      };
    case 'consent':
      return {
        why: `nobody has consented to this ${change.action}`,
        lift: `approve it at the prompt, apply a saved plan, or pass ${consent}`,
      };
    case 'move_or_create':
      return {
        why: 'an unlisted resource would be deleted while this one is created; it may be the same one, moved',
        lift: 'write moved_from: or id: if it moved, new: true if it did not',
      };
    case 'window':
      return { why: 'it is disruptive and no safety window is open', lift: 'apply again within a safety window' };
    case 'stale_pin':
      return {
        why: 'it is protected and its pinned id no longer exists',
        lift: 'run trueup pin --fix, or correct the id in the file',
      };
    case 'secret_missing':
      return {
        why: 'the file names no place for the created secret, which is shown only once',
        lift: 'declare secret: { file: NAME.json } or another sink for it',
      };
    case 'self':
      return { why: 'it is the credential that this run itself uses', lift: 'run with another credential' };
    case 'not_due':
      return { why: 'it is driven by the clock and was not asked for', lift: 'run trueup apply --due' };
    case 'dependency':
      return { why: 'something that it needs is blocked', lift: 'lift the guard on what it needs' };
    case 'max_deletes':
    case 'max_restarts':
    case 'max_change_percent':
      return {
        why: `the limit safety.${block} is exceeded, so nothing is written`,
        lift: `apply in smaller parts (--target), raise the limit, or pass ${consent}`,
      };
    default:
      return unreachable(block);
  }
}

const ALLOWABLE: ReadonlySet<string> = new Set(['delete', 'replace', 'restart', 'revoke']);

/** The action word that `--allow` takes for this change. */
function allowable(change: Change): string {
  if (ALLOWABLE.has(change.action)) return change.action;
  return change.attributes.some((attribute) => attribute.restarts) ? 'restart' : "'*'";
}

/** `safety.max_deletes is 1, but the plan has 3 (project shop)`. */
export function limitSentence({ limit, project, allowed, planned }: ExceededLimit): string {
  const unit = limit === 'max_change_percent' ? '%' : '';
  const where = project === null ? '' : ` (project ${nameText(project)})`;
  return `safety.${limit} is ${allowed}${unit}, but the plan has ${planned}${unit}${where}`;
}
