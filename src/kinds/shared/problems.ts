// Problems that several kinds tell in one form: of an entry, of a time that is none, of two declarations that clash.
import { parseTimeMs } from '../../config/check/times.ts';
import type { EntryProblem } from '../../config/kind-section.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

export function error(
  path: EntryProblem['path'],
  code: string,
  message: string,
  more: Partial<Pick<EntryProblem, 'hint' | 'atKey' | 'related' | 'missing'>> = {},
): EntryProblem {
  return { severity: 'error', code, path, message, ...more };
}

/** Milliseconds of a time that stands at `path`; undefined, and a problem, where it is none. */
export function timeAt(text: string, path: EntryProblem['path'], problems: EntryProblem[]): number | undefined {
  const ms = parseTimeMs(text);
  if (ms === undefined)
    problems.push(
      error(path, 'bad_time', 'expected an ISO 8601 time with its zone, or a date', {
        hint: 'For example 2026-11-20T00:00:00Z.',
      }),
    );
  return ms;
}

interface Clash {
  /** The attribute by which they clash. */
  readonly at: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export function clashOf(
  first: DesiredResource,
  other: DesiredResource,
  { at, code, message, hint }: Clash,
): Diagnostic {
  return {
    severity: 'error',
    code,
    message,
    hint,
    address: other.address,
    range: other.sources[at] ?? other.source,
    related: [{ message: `${first.address} stands here`, range: first.sources[at] ?? first.source }],
  };
}
