// What trueup has to say about the user's input or the world: collected and returned, never thrown.
import type { Address } from './address.ts';
import type { SourceRange } from './source.ts';

/** A further place that belongs to a diagnostic, with what stands there. */
export interface RelatedPlace {
  readonly message: string;
  readonly range: SourceRange;
}

/** One thing to say: `code` is stable and for machines, `message` is one sentence, `hint` says what to do. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly address?: Address;
  readonly range?: SourceRange;
  readonly related?: readonly RelatedPlace[];
  /** The attributes of the address that it is about, where it is about some of them alone. */
  readonly paths?: readonly string[];
}

/** What stands at a place that an overlay won over. */
export const WON_OVER = 'over what is written here';

/** All further places of it: after each that stands in an overlay, the one that it won over. */
export function placesBeside({ range, related = [] }: Diagnostic): readonly RelatedPlace[] {
  return [...wonOver(range), ...related.flatMap((place) => [place, ...wonOver(place.range)])];
}

function wonOver(range: SourceRange | undefined): readonly RelatedPlace[] {
  return range?.over === undefined ? [] : [{ message: WON_OVER, range: range.over }];
}

/** A project, or a section of the account, that could not be planned, and why: nothing of it is in the plan. */
export interface Unplanned {
  /** Label of the project, or the section. */
  readonly project: string;
  /** Null where it is not known, and for a section. */
  readonly projectId: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}
