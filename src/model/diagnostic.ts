// Describes problems of the user's input or of the service: functions return them and never throw them.
import type { Address } from './address.ts';
import type { SourceRange } from './source.ts';

export interface RelatedPlace {
  readonly message: string;
  readonly range: SourceRange;
}

/** One problem. `code` is stable and for machines, `message` is a sentence for people, `hint` says what to do. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly address?: Address;
  readonly range?: SourceRange;
  readonly related?: readonly RelatedPlace[];
  /** The attribute paths that the problem is about; missing if the problem is about the whole resource. */
  readonly paths?: readonly string[];
}

export function errorOf(code: string, message: string, hint?: string, more: Partial<Diagnostic> = {}): Diagnostic {
  return { severity: 'error', code, message, ...(hint === undefined ? {} : { hint }), ...more };
}

export function warningOf(...of: Parameters<typeof errorOf>): Diagnostic {
  return { ...errorOf(...of), severity: 'warning' };
}

export const WON_OVER = 'overrides the value that is written here';

/** Returns every place to show besides `range`; each range in an overlay is followed by the range of the value that it overrides. */
export function placesBeside({ range, related = [] }: Diagnostic): readonly RelatedPlace[] {
  return [...wonOver(range), ...related.flatMap((place) => [place, ...wonOver(place.range)])];
}

function wonOver(range: SourceRange | undefined): readonly RelatedPlace[] {
  return range?.over === undefined ? [] : [{ message: WON_OVER, range: range.over }];
}

/** A project or account-wide kind that the plan leaves out because of errors. `project`: the project's label, or the kind's section in the file. */
export interface Unplanned {
  readonly project: string;
  /** Null for an account-wide kind, and for a project whose id is not known. */
  readonly projectId: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}
