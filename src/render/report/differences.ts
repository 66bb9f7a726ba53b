// The differences of a change as rows of path, old value and new value.
import type { AttributeChange, Change } from '../../model/outcome/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import { shown } from '../text/escape.ts';
import { sidesText } from '../text/sides.ts';
import { leavesOf } from '../../model/values.ts';
import { asPart } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';

export interface AttributeRow {
  readonly path: string;
  /** The old value, escaped; empty for a creation. */
  readonly before: string;
  readonly after: string;
  /** True if a change of this attribute needs a restart, but not every attribute of the change does. */
  readonly restarts: boolean;
  /** The position of the value if it is in a profile, an overlay or another file than the declaration; otherwise empty. */
  readonly layer: string;
}

export type Names = Readonly<Record<ResourceId, string>>;

/** The profile and position of a value: `profile prod, base.yaml:4`, `prod.yaml:6 over base.yaml:9`. */
export function layerText(source: SourceRange | undefined): string {
  if (source === undefined) return '';
  const { profile, over } = source;
  const place = ({ file, start }: SourceRange): string => `${shown(file, 200)}:${start.line}`;
  return `${profile === undefined ? '' : `profile ${shown(profile, 100)}, `}${place(source)}${over === undefined ? '' : ` over ${place(over)}`}`;
}

const LONG_VALUE = 400;

export function differencesOf(change: Change, names: Names): readonly AttributeRow[] {
  const all = change.attributes.length > 0 ? change.attributes : wholeOf(change);
  const rows = all.filter((row) => !isInAddress(change, row));
  const isMixed = rows.some(({ restarts }) => restarts) && rows.some(({ restarts }) => !restarts);
  const isMade = isCreation(change);
  return rows.map(({ path, before, after, restarts, source }) => {
    const [was, is] = sidesText(before, after, LONG_VALUE, names);
    return {
      path: shown(path, 100),
      before: isMade ? '' : was,
      after: is,
      restarts: restarts && isMixed,
      layer: layerText(source),
    };
  });
}

export function isCreation({ action }: Pick<Change, 'action'>): boolean {
  return action === 'create' || action === 'rotate';
}

/** True for the row `name` of a new resource whose address ends in that name. The row is then omitted. */
function isInAddress(change: Change, { path, after }: AttributeChange): boolean {
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
