// `safety` blocks → limits.
import { canonicalJson, compareText } from '../base/json.ts';
import type { SafetyLimits, TimeWindow } from '../model/desired.ts';
import type { SafetyBlock } from './merge-files.ts';
import type { Report } from './report.ts';
import { entryOf, rangeOf, toJson, type MapNode } from './source-tree.ts';
import { newZones, parseWindow } from './windows.ts';

/** The limits of all blocks, the general ones first. */
export function resolveSafety(blocks: readonly SafetyBlock[], report: Report): readonly SafetyLimits[] {
  return blocks
    .map((block) => limitsOf(block, report))
    .map((limits) => ({ limits, key: `${limits.project ?? ''}\0${canonicalJson({ ...limits, source: undefined })}` }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ limits }) => limits);
}

function limitsOf({ project, node, isOperators }: SafetyBlock, report: Report): SafetyLimits {
  const number = (name: string): number | null => {
    const entry = entryOf(node, name);
    const value = entry === undefined ? null : toJson(entry.value);
    return typeof value === 'number' ? value : null;
  };
  return {
    project,
    protect: texts(node, 'protect').sort(compareText),
    maxDeletes: number('max_deletes'),
    maxRestarts: number('max_restarts'),
    maxChangePercent: number('max_change_percent'),
    windows: windowsOf(node, report),
    ...(isOperators === undefined ? {} : { isOperators }),
    source: rangeOf(node),
  };
}

function texts(node: MapNode, name: string): string[] {
  const list = entryOf(node, name)?.value;
  if (list?.kind !== 'list') return [];
  return list.items.map((item) => toJson(item)).filter((text) => typeof text === 'string');
}

function windowsOf(node: MapNode, report: Report): readonly TimeWindow[] {
  const list = entryOf(node, 'windows')?.value;
  const windows: TimeWindow[] = [];
  const zones = newZones();
  for (const item of list?.kind === 'list' ? list.items : []) {
    if (report.isFull) break;
    if (item.kind !== 'scalar' || typeof item.value !== 'string') continue;
    const result = parseWindow(item.value, zones);
    if ('window' in result) windows.push(result.window);
    else report.add('bad_window', result.problem, item, { hint: result.hint });
  }
  return windows.sort((a, b) => compareText(a.text, b.text));
}
