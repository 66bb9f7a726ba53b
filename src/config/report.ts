// Collects the problems of the files, each once and at most `MAX_PROBLEMS`. Also sets bounds, so that large files are refused early.
import { KEY } from '../model/desired.ts';
import { present } from '../base/picked.ts';
import { WON_OVER, type Diagnostic, type RelatedPlace } from '../model/diagnostic.ts';
import { deepest, openingOf, rangeOf, type Path, type Span, type TreeNode } from './yaml/source-tree.ts';

export interface ProblemDetails {
  readonly severity?: 'error' | 'warning';
  /** A function, if finding the hint takes time. The report calls the function only while there is room for the problem. */
  readonly hint?: string | (() => string | undefined) | undefined;
  readonly address?: string | undefined;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
}

export interface Report {
  readonly diagnostics: readonly Diagnostic[];
  readonly isFull: boolean;
  add(code: string, message: string, span: Span | null, details?: ProblemDetails): void;
  addDiagnostic(diagnostic: Diagnostic): void;
  /** Reports, at the first character of `span`, that the file exceeds a bound, and throws `Exhausted` to stop reading the file. */
  exceed(code: string, message: string, span: Span): never;
  /** Ends a stage of the checks. From now on, the report drops each problem at the exact position of an error of this stage or before. */
  endStage(): void;
}

export class Exhausted extends Error {}

export function createReport(): Report {
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  const settled = new Set<string>();
  const unsettled: string[] = [];
  let isFull = false;
  const addDiagnostic = (given: Diagnostic): void => {
    if (isFull) return;
    const diagnostic = withKeyWritten(given);
    const place = placeOf(diagnostic);
    if (place !== '' && settled.has(place)) return;
    const identity = `${diagnostic.severity}\0${place}\0${diagnostic.code}\0${diagnostic.message}`;
    if (seen.has(identity)) return;
    if (diagnostics.length >= MAX_PROBLEMS) {
      isFull = true;
      const message = `more than ${MAX_PROBLEMS} problems`;
      diagnostics.push({ severity: 'error', code: 'too_many_problems', message });
      return;
    }
    seen.add(identity);
    diagnostics.push(diagnostic);
    if (diagnostic.severity === 'error') unsettled.push(place);
  };
  const add: Report['add'] = (code, message, span, details = {}) => {
    if (!isFull) addDiagnostic(diagnosticOf(code, message, span, details));
  };
  return {
    diagnostics,
    get isFull() {
      return isFull;
    },
    addDiagnostic,
    endStage() {
      for (const place of unsettled.splice(0)) settled.add(place);
    },
    add,
    exceed(code, message, span) {
      add(code, message, openingOf(span));
      throw new Exhausted();
    },
  };
}

/** Replaces the internal token `KEY` by `{key}` in problems of a preview set, because the file writes `{key}`. */
function withKeyWritten(diagnostic: Diagnostic): Diagnostic {
  const { message, hint, address } = diagnostic;
  const written = (text: string): string => text.replaceAll(KEY, '{key}');
  if (![message, hint, address].some((text) => text?.includes(KEY))) return diagnostic;
  return {
    ...diagnostic,
    message: written(message),
    ...present({ hint: hint && written(hint), address: address && written(address) }),
  };
}

function placeOf({ range }: Diagnostic): string {
  return range === undefined ? '' : `${range.file}\0${range.start.offset}\0${range.end.offset}`;
}

function diagnosticOf(code: string, message: string, span: Span | null, details: ProblemDetails): Diagnostic {
  const { severity = 'error', hint, address, related = [] } = details;
  const places = related.map((one): RelatedPlace => ({ message: one.message, range: rangeOf(one.span) }));
  return {
    severity,
    code,
    message,
    ...present({
      hint: typeof hint === 'function' ? hint() : hint,
      address,
      range: span && rangeOf(span),
      related: places.length === 0 ? null : places,
    }),
  };
}

export function wonOver(node: TreeNode, path: Path): NonNullable<ProblemDetails['related']> {
  const { over } = deepest(node, path);
  return over === undefined ? [] : [{ message: WON_OVER, span: over }];
}

/** The most bytes of one file and, by default, of all files. */
export const MAX_FILE_BYTES: number = 64 * 1024 * 1024;
/** The default bound of entries and list items in all files. */
const MAX_ENTRIES = 250_000;
export const MAX_DEPTH = 64;
/** The default bound of nodes in all files, with aliases, merge keys and profiles expanded. */
const MAX_EXPANDED_NODES = 1_000_000;
export const MAX_SCALAR_LENGTH: number = 64 * 1024;
export const MAX_PROBLEMS = 1000;

/** The default bound of characters in all texts with variables, after the variables are replaced by their values. */
const MAX_WRITTEN: number = 16 * 1024 * 1024;

export interface Budget {
  readonly maxEntries: number;
  bytes: number;
  entries: number;
  nodes: number;
  written: number;
}

/** Returns the bounds of a run; a higher bound of entries raises the other bounds in proportion. */
export function newBudget(maxEntries: number = MAX_ENTRIES): Budget {
  const share = shareOf(maxEntries);
  return {
    maxEntries,
    bytes: MAX_FILE_BYTES * share,
    entries: maxEntries,
    nodes: MAX_EXPANDED_NODES * share,
    written: MAX_WRITTEN * share,
  };
}

export function shareOf(maxEntries: number = MAX_ENTRIES): number {
  return Math.max(1, maxEntries / MAX_ENTRIES);
}

export function tooManyEntries({ maxEntries }: Budget): string {
  return `more than ${maxEntries.toLocaleString('en-US')} entries in the files of this run`;
}
