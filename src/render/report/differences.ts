// The differences of a change as rows of path, before and after; or as a unified diff for a nested value with many changes.
import { groupBy } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { AttributeChange, Change } from '../../model/outcome/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import { shown, outlineOf, valueText } from '../text/escape.ts';
import { leavesOf } from '../../model/paths.ts';
import { asPart } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import { structuredPatch } from 'diff';

export interface AttributeRow {
  readonly path: string;
  /** The old value, escaped; '' if there is none. */
  readonly before: string;
  readonly after: string;
  /** True if changing this attribute needs a restart, and others of the change do not. */
  readonly restarts: boolean;
  /** The layer with the value, if it differs from that of the declaration; else empty. */
  readonly layer: string;
}

export type Names = Readonly<Record<ResourceId, string>>;

/** The layer and the position of a value: `profile prod, base.yaml:4`, `prod.yaml:6 over base.yaml:9`. */
export function layerText(source: SourceRange | undefined): string {
  if (source === undefined) return '';
  const { profile, over } = source;
  const place = ({ file, start }: SourceRange): string => `${shown(file, 200)}:${start.line}`;
  return `${profile === undefined ? '' : `profile ${shown(profile, 100)}, `}${place(source)}${over === undefined ? '' : ` over ${place(over)}`}`;
}

export interface NestedDiff {
  readonly root: string;
  readonly lines: readonly DiffLine[];
  readonly restarts: boolean;
}

export interface Differences {
  readonly rows: readonly AttributeRow[];
  readonly nested: readonly NestedDiff[];
}

/** From this many differences within one nested attribute on, a diff is easier to read than rows. */
const NESTED_FROM = 3;
const LINES_AROUND = 1;
const LONG_VALUE = 400;

type Raw = Omit<AttributeChange, 'source'> & { readonly layer: string };

export function differencesOf(change: Change, names: Names): Differences {
  const all = (change.attributes.length > 0 ? change.attributes : wholeOf(change)).map(({ source, ...one }): Raw => ({
    ...one,
    layer: layerText(source),
  }));
  const rows = all.filter((row) => !isInAddress(change, row));
  const roots = groupBy(rows, ({ path }) => path.split('.', 1)[0] ?? path);
  const nestedRoots = [...roots].filter(([root, inner]) => inner.length >= NESTED_FROM && inner[0].path !== root);
  const multiline = rows.filter(isMultiline);
  const isMixed = rows.some(({ restarts }) => restarts) && rows.some(({ restarts }) => !restarts);
  const single = rows.filter(
    (row) => !multiline.includes(row) && !nestedRoots.some(([root]) => row.path.startsWith(`${root}.`)),
  );
  const isMade = isCreation(change);
  return {
    rows: single.map(({ path, before, after, restarts, layer }) => ({
      path: shown(path, 100),
      before: isMade ? '' : valueText(before, LONG_VALUE, names),
      after: valueText(after, LONG_VALUE, names),
      restarts: restarts && isMixed,
      layer,
    })),
    nested: [
      ...nestedRoots.map(([root, inner]) => nestedDiff(root, inner, change, isMixed)),
      ...multiline.map(({ path, before, after, restarts }) => ({
        root: shown(path),
        lines: unifiedLines(textLines(before), textLines(after), LINES_AROUND),
        restarts: restarts && isMixed,
      })),
    ],
  };
}

export function isCreation({ action }: Pick<Change, 'action'>): boolean {
  return action === 'create' || action === 'rotate';
}

/** True for the `name` row of a created resource whose address already shows that name: the row is left out. */
function isInAddress(change: Change, { path, after }: Raw): boolean {
  return (
    isCreation(change) &&
    path === 'name' &&
    typeof after === 'string' &&
    change.address.split('/').at(-1) === asPart(after)
  );
}

function wholeOf(change: Change): AttributeChange[] {
  if (change.action === 'create' && change.after !== null)
    return leavesOf(change.after).map(({ path, value }) => ({ path, before: null, after: value, restarts: false }));
  return [];
}

function nestedDiff(root: string, rows: readonly Raw[], change: Change, isMixed: boolean): NestedDiff {
  const side = (whole: JsonObject | null, pick: 'before' | 'after'): Json =>
    whole?.[root] ?? withoutUnset(rows.map((row) => [row.path.slice(root.length + 1), row[pick]] as const));
  return {
    root: shown(root),
    lines: unifiedLines(outlineOf(side(change.before, 'before')), outlineOf(side(change.after, 'after')), LINES_AROUND),
    restarts: isMixed && rows.some((row) => row.restarts),
  };
}

/** A flat object of paths and values, without unset ones: enough for an outline. */
function withoutUnset(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function isMultiline({ before, after }: Raw): boolean {
  return hasLines(before) || hasLines(after);
}

function hasLines(value: Json): boolean {
  return typeof value === 'string' && value.trimEnd().includes('\n');
}

function textLines(value: Json): string[] {
  if (value === null) return [];
  return typeof value === 'string' ? value.trimEnd().split('\n') : outlineOf(value);
}

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

const TIMEOUT_MS = 200;
const MAX_EDIT_LENGTH = 2000;

/** The differing lines with `context` lines around them, and `…` between hunks. Beyond the bounds: all old lines, then all new lines. */
export function unifiedLines(before: readonly string[], after: readonly string[], context: number): DiffLine[] {
  const patch = structuredPatch('before', 'after', textOf(before), textOf(after), '', '', {
    context,
    timeout: TIMEOUT_MS,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  if (patch === undefined)
    return [
      ...before.map((text) => ({ sign: '-', text }) as const),
      ...after.map((text) => ({ sign: '+', text }) as const),
    ];
  return patch.hunks.flatMap((hunk, at) => [
    ...(at === 0 ? [] : [{ sign: ' ', text: '…' } as const]),
    ...hunk.lines.filter((line) => !line.startsWith('\\')).map(diffLine),
  ]);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function diffLine(line: string): DiffLine {
  const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
  return { sign, text: line.slice(1) };
}
