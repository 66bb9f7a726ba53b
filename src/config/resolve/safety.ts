// Resolves the rules of a run: the limits of `safety` blocks, and the `expect` values that the run must find.
import { present } from '../../base/picked.ts';
import { canonicalJson, compareText } from '../../base/json.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import type { Expectations, SafetyLimits, TimeWindow } from '../../model/desired.ts';
import { parseWindow } from '../check/windows.ts';
import type { SafetyBlock } from '../files/merge-files.ts';
import type { Report } from '../report.ts';
import {
  entryOf,
  valueOf,
  itemsOf,
  rangeOf,
  textIn,
  textsIn,
  toJson,
  type MapNode,
  type ScalarNode,
  type TreeEntry,
} from '../yaml/source-tree.ts';

/** Returns the limits of all blocks, sorted; limits for all projects come first. */
export function resolveSafety(blocks: readonly SafetyBlock[], report: Report): readonly SafetyLimits[] {
  return blocks
    .map((block) => limitsOf(block, report))
    .map((limits) => ({ limits, key: `${limits.project ?? ''}\0${canonicalJson({ ...limits, source: undefined })}` }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ limits }) => limits);
}

function limitsOf({ project, node, isOperators }: SafetyBlock, report: Report): SafetyLimits {
  const idle = entryOf(valueOf(node, 'drop'), 'unless_idle');
  const unlessIdleMs = idle === undefined ? undefined : parseDurationMs(String(toJson(idle.value)));
  const number = (name: string): number | null => {
    const entry = entryOf(node, name);
    const value = entry === undefined ? null : toJson(entry.value);
    return typeof value === 'number' ? value : null;
  };
  return {
    project,
    protect: textsIn(valueOf(node, 'protect')).toSorted(compareText),
    maxDeletes: number('max_deletes'),
    maxRestarts: number('max_restarts'),
    maxChangePercent: number('max_change_percent'),
    ...present({ maxDrops: number('max_drops'), unlessIdleMs, isOperators }),
    windows: windowsOf(node, report),
    source: rangeOf(node),
  };
}

function windowsOf(node: MapNode, report: Report): readonly TimeWindow[] {
  const windows: TimeWindow[] = [];
  for (const item of itemsOf(valueOf(node, 'windows'))) {
    if (report.isFull) break;
    const text = textIn(item);
    if (text === null) continue;
    const result = parseWindow(text);
    if ('window' in result) windows.push(result.window);
    else report.add('bad_window', result.problem, item, { hint: result.hint });
  }
  return windows.sort((a, b) => compareText(a.text, b.text));
}

export function resolveExpectations(blocks: readonly TreeEntry[], report: Report): Expectations | null {
  const first = blocks[0];
  if (first === undefined) return null;
  return {
    baseUrl: agreed('base_url', blocks, report),
    hasProject: agreed('has_project', blocks, report),
    source: rangeOf(first.key),
  };
}

function agreed(name: string, blocks: readonly TreeEntry[], report: Report): string | null {
  const written = blocks
    .map(({ value }) => valueOf(value, name))
    .filter((node): node is ScalarNode => node?.kind === 'scalar' && typeof node.value === 'string');
  const first = written[0];
  if (first === undefined) return null;
  for (const other of written)
    if (other.value !== first.value)
      report.add('expect_differs', `expect.${name} is written with different values`, other, {
        hint: 'A run can expect one value only.',
        related: [{ message: 'and here', span: first }],
      });
  return String(first.value);
}
