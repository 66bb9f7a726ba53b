// A change's differences as rows of path, before and after, or as a unified diff where a nested value changed much.
import { groupBy } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { AttributeChange, Change } from '../../model/outcome/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import { shown } from '../text/escape.ts';
import { unifiedLines, type DiffLine } from '../text/unified-diff.ts';
import { leavesOf } from '../../model/paths.ts';
import { outlineOf } from '../text/value.ts';

export interface AttributeRow {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly restarts: boolean;
  /** What is made has nothing before. */
  readonly isMade: boolean;
  /** Where it is written, when that is not beside the declaration; else empty. */
  readonly layer: string;
}

/** `profile prod, base.yaml:4`, `prod.yaml:6 over base.yaml:9`. */
export function layerText(source: SourceRange | undefined): string {
  if (source === undefined) return '';
  const { profile, over } = source;
  const place = ({ file, start }: SourceRange): string => `${shown(file, 200)}:${start.line}`;
  return `${profile === undefined ? '' : `profile ${shown(profile, 100)}, `}${place(source)}${over === undefined ? '' : ` over ${place(over)}`}`;
}

/** A nested attribute shown as a diff of its whole value. */
export interface NestedDiff {
  readonly root: string;
  readonly lines: readonly DiffLine[];
  readonly restarts: boolean;
}

export interface Differences {
  readonly rows: readonly AttributeRow[];
  readonly nested: readonly NestedDiff[];
}

/** From this many differences within one nested attribute on, a diff reads better than rows. */
const NESTED_FROM = 3;

export function differencesOf(change: Change, context: number): Differences {
  const isMade = change.action === 'create' || change.action === 'rotate';
  const rows = (change.attributes.length > 0 ? change.attributes : wholeOf(change)).map(({ source, ...one }) => ({
    ...one,
    isMade,
    layer: layerText(source),
  }));
  const inner = rows.filter(({ path }) => path.includes('.')).length;
  if (inner < NESTED_FROM - 1 && !rows.some(isMultiline)) return { rows, nested: [] };
  const roots = groupBy(rows, ({ path }) => path.split('.', 1)[0] ?? path);
  const nestedRoots = [...roots].filter(([root, inner]) => inner.length >= NESTED_FROM && inner[0].path !== root);
  const multiline = rows.filter(isMultiline);
  return {
    rows: rows.filter(
      (row) => !multiline.includes(row) && !nestedRoots.some(([root]) => row.path.startsWith(`${root}.`)),
    ),
    nested: [
      ...nestedRoots.map(([root, inner]) => nestedDiff(root, inner, change, context)),
      ...multiline.map((row) => ({
        root: row.path,
        lines: unifiedLines(textLines(row.before), textLines(row.after), context),
        restarts: row.restarts,
      })),
    ],
  };
}

/** What is made, or what goes, when the change lists no single differences. */
function wholeOf(change: Change): AttributeChange[] {
  if (change.action === 'create' && change.after !== null)
    return leavesOf(change.after).map(({ path, value }) => ({ path, before: null, after: value, restarts: false }));
  return [];
}

function nestedDiff(root: string, rows: readonly AttributeRow[], change: Change, context: number): NestedDiff {
  const side = (whole: JsonObject | null, pick: 'before' | 'after'): Json =>
    whole?.[root] ?? withoutUnset(rows.map((row) => [row.path.slice(root.length + 1), row[pick]] as const));
  return {
    root,
    lines: unifiedLines(outlineOf(side(change.before, 'before')), outlineOf(side(change.after, 'after')), context),
    restarts: rows.some((row) => row.restarts),
  };
}

/** A flat object of paths and values, without what is not set: enough for an outline. */
function withoutUnset(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function isMultiline({ before, after }: AttributeRow): boolean {
  return hasLines(before) || hasLines(after);
}

function hasLines(value: Json): boolean {
  return typeof value === 'string' && value.trimEnd().includes('\n');
}

function textLines(value: Json): string[] {
  if (value === null) return [];
  return typeof value === 'string' ? value.trimEnd().split('\n') : outlineOf(value);
}
