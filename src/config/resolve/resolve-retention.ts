// Resolves the retention rules of a project, which delete resources of others once they are old and idle.
import { compareText } from '../../base/json.ts';
import { humanDuration, parseDurationMs } from '../../base/time/duration.ts';
import { RETENTION, retentionAddress } from '../../model/address.ts';
import { KEY, type RetentionRule } from '../../model/desired.ts';
import { mapWith, placeAt, textsIn, toJson, valueOf, type TreeEntry, type TreeNode } from '../yaml/source-tree.ts';
import { resolveEntry, type EntriesContext } from './resolve-entry.ts';
import { resolveRules, type SetContext } from './resolve-sets.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

export function resolveRetention(node: TreeNode, context: EntriesContext): readonly RetentionRule[] {
  return resolveRules(RETENTION, node, context, resolveRule);
}

function resolveRule(name: string, entry: TreeEntry, context: SetContext): RetentionRule {
  const { key, value: node } = entry;
  const { kind, scope, report } = context;
  const timeIn = (path: string, least: number): number | null => {
    const written = valueOf(node, path);
    const ms = written === undefined ? null : (parseDurationMs(String(toJson(written))) ?? null);
    if (ms !== null && ms < least) {
      const address = retentionAddress(scope, name);
      report.add('bad_duration', `${path} is at least ${humanDuration(least)}`, placeAt(node, [path]), { address });
    }
    return ms;
  };
  const olderThanMs = timeIn('older_than', DAY_MS) ?? Infinity;
  const keep = valueOf(node, 'keep');
  const empty = { key, value: mapWith(node, new Map()) };
  const own = { ...kind, segment: `${RETENTION}/${name}` };
  return {
    name,
    template: { ...resolveEntry(KEY, empty, { ...context, kind: own }), absent: true },
    match: [...new Set(textsIn(valueOf(node, 'match')))].sort(compareText),
    olderThanMs,
    idleForMs: timeIn('idle_for', HOUR_MS) ?? olderThanMs,
    keep: [...new Set(textsIn(keep))].sort(compareText),
    isKeepGiven: keep?.kind === 'list' && [keep, ...keep.items].some(hasVariable),
    max: Number(toJson(valueOf(node, 'max') ?? node)),
  };
}

function hasVariable({ text, start, end }: TreeNode): boolean {
  return text.text.slice(start, end).includes('${var:');
}
