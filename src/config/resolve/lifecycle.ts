// `lifecycle` of an entry → what the tool may do with the resource.
import { compareText } from '../../base/json.ts';
import { didYouMean } from '../../base/text/words.ts';
import type { Hold, Lifecycle } from '../../model/desired.ts';
import { parseTimeMs } from '../check/times.ts';
import type { KindSection } from '../kind-section.ts';
import type { Report } from '../report.ts';
import { show } from '../yaml/show.ts';
import { entryOf, rangeOf, toJson, type TreeNode } from '../yaml/source-tree.ts';

export interface LifecycleInput {
  /** The `lifecycle` mapping, when one is written. */
  readonly node: TreeNode | undefined;
  readonly via: string | null;
  readonly kind: KindSection;
  readonly address: string;
  readonly report: Report;
}

/** What is done with a resource that says nothing of it. */
const FREE: Lifecycle = { protect: false, ignore: [], hold: [], via: null };

export function resolveLifecycle(input: LifecycleInput): Lifecycle {
  const { node, via } = input;
  if (node === undefined) return via === null ? FREE : { ...FREE, via };
  return {
    protect: booleanOf(entryOf(node, 'protect')?.value),
    ignore: resolveIgnore(entryOf(node, 'ignore')?.value, input),
    hold: resolveHolds(entryOf(node, 'hold')?.value, input),
    via,
  };
}

function booleanOf(node: TreeNode | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true;
}

function resolveIgnore(list: TreeNode | undefined, input: LifecycleInput): readonly string[] {
  const paths = new Set<string>();
  for (const item of list?.kind === 'list' ? list.items : [])
    if (isKnownPath(item, input)) paths.add(String(toJson(item)));
  return [...paths].sort(compareText);
}

function resolveHolds(list: TreeNode | undefined, input: LifecycleInput): readonly Hold[] {
  const holds: Hold[] = [];
  for (const item of list?.kind === 'list' ? list.items : []) {
    const hold = resolveHold(item, input);
    if (hold !== null) holds.push(hold);
  }
  return holds.sort((a, b) => compareText(a.path, b.path) || a.untilMs - b.untilMs);
}

function resolveHold(item: TreeNode, input: LifecycleInput): Hold | null {
  const { kind, address, report } = input;
  const [path, value, until, reason] = ['path', 'value', 'until', 'reason'].map((name) => entryOf(item, name)?.value);
  if (path === undefined || value === undefined || until === undefined || reason === undefined) return null;
  const known = isKnownPath(path, input);
  const name = String(toJson(path));
  const normal = known ? kind.normalise(name, toJson(value)) : null;
  if (normal !== null && 'problem' in normal) report.add('bad_hold', normal.problem, value, { address });
  const untilMs = parseTimeMs(String(toJson(until)));
  if (untilMs === undefined)
    report.add('bad_time', 'expected an ISO 8601 time with its zone, or a date', until, {
      address,
      hint: 'For example 2026-12-01 or 2026-12-01T06:00:00Z.',
    });
  if (normal === null || 'problem' in normal || untilMs === undefined) return null;
  return { path: name, value: normal.value, untilMs, reason: String(toJson(reason)), source: rangeOf(item) };
}

/** Whether the node names an attribute of the kind; reports it when not. */
function isKnownPath(node: TreeNode, { kind, address, report }: LifecycleInput): boolean {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return false;
  const first = node.value.split('.')[0] ?? '';
  if (kind.attributes.includes(first)) return true;
  report.add('unknown_attribute', `${show(node.value)} is no attribute`, node, {
    address,
    hint() {
      const near = didYouMean(first, kind.attributes);
      return near === undefined ? `Attributes are ${kind.attributes.join(', ')}.` : `Did you mean ${show(near)}?`;
    },
  });
  return false;
}
