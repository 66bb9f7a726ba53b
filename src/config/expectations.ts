// `expect`: what the run must find. Several files may say it, as long as they agree.
import type { Expectations } from '../model/desired.ts';
import type { Report } from './report.ts';
import { rangeOf, type ScalarNode, type TreeEntry } from './source-tree.ts';

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
    .map(({ value }) => (value.kind === 'map' ? value.entries.get(name)?.value : undefined))
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
