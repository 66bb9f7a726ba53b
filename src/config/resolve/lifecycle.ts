// Resolves the `lifecycle` of an entry: protection, ignored and held attributes, and the temporary slot.
import { normaliseAt, writableOf } from '../../model/attributes.ts';
import { compareText } from '../../base/json.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { nearHint } from '../../base/text/words.ts';
import type { Hold, Lifecycle } from '../../model/desired.ts';
import type { EntryMeaning, KindSection } from '../kind-section.ts';
import type { Report } from '../report.ts';
import { show } from '../yaml/show.ts';
import { valueOf, isTrue, itemsOf, rangeOf, textIn, toJson, type TreeNode } from '../yaml/source-tree.ts';

export interface LifecycleInput {
  readonly node: TreeNode | undefined;
  readonly via: string | null;
  readonly places: NonNullable<EntryMeaning['places']>;
  readonly kind: KindSection;
  readonly address: string;
  readonly report: Report;
}

const FREE: Lifecycle = { protect: false, ignore: [], hold: [], via: null };

export function resolveLifecycle(input: LifecycleInput): Lifecycle {
  const { node, via } = input;
  if (node === undefined) return via === null ? FREE : { ...FREE, via };
  const ignored = itemsOf(valueOf(node, 'ignore')).flatMap((item) => pathsOf(item, input));
  const holds = itemsOf(valueOf(node, 'hold')).flatMap((item) => resolveHold(item, input) ?? []);
  return {
    protect: isTrue(valueOf(node, 'protect')),
    ignore: [...new Set(ignored)].sort(compareText),
    hold: holds.sort((a, b) => compareText(a.path, b.path) || a.untilMs - b.untilMs),
    via,
  };
}

function resolveHold(item: TreeNode, input: LifecycleInput): Hold | null {
  const { kind, address, report } = input;
  const [path, value, until, reason] = ['path', 'value', 'until', 'reason'].map((name) => valueOf(item, name));
  if (path === undefined || value === undefined || until === undefined || reason === undefined) return null;
  const [name] = pathsOf(path, input);
  const normal = name === undefined ? null : normaliseAt(kind, name, toJson(value));
  if (normal !== null && 'problem' in normal) report.add('bad_hold', normal.problem, value, { address });
  const untilMs = millisecondsOf(toJson(until));
  if (name === undefined || normal === null || 'problem' in normal || untilMs === null) return null;
  return { path: name, value: normal.value, untilMs, reason: String(toJson(reason)), source: rangeOf(item) };
}

/** An unknown attribute is reported, and its path means none. */
function pathsOf(node: TreeNode, { kind, places, address, report }: LifecycleInput): readonly string[] {
  const value = textIn(node);
  if (value === null) return [];
  const first = value.split('.')[0] ?? '';
  const writable = writableOf(kind);
  if (writable.includes(first)) return [value];
  const named = writable.filter((attribute) => places[attribute] === value);
  if (named.length > 0) return named;
  report.add('unknown_attribute', `${show(value)} is not an attribute`, node, {
    address,
    hint: () => nearHint(first, writable, `Attributes are ${writable.join(', ')}.`, show),
  });
  return [];
}
