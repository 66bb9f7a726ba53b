// What can be checked across computes: a branch has one primary, and only one primary can come from a branch.
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

export function checkComputes(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const present = resources.filter((resource) => !resource.absent);
  return [
    ...clashes(present, {
      key: ({ scope, spec }) => (spec['type'] === 'read_write' ? placeKey(scope, spec['branch_id']) : null),
      place: 'branch_id',
      code: 'two_primaries',
      words: (first, second) => `${first} and ${second} are both the primary of one branch`,
      hint: 'A branch has at most one read_write compute: make one of them `type: read_only`, or give it another branch.',
    }),
    ...clashes(present, {
      key: ({ scope, movedFrom }) => placeKey(scope, movedFrom),
      place: 'moved_from',
      code: 'moved_twice',
      words: (first, second) => `the primary of one branch cannot move to both ${first} and ${second}`,
      hint: 'Remove one of the two `moved_from`.',
    }),
  ];
}

function placeKey(scope: string, branchId: unknown): string | null {
  return typeof branchId === 'string' ? `${scope}\0${branchId}` : null;
}

interface Clash {
  readonly key: (resource: DesiredResource) => string | null;
  readonly place: string;
  readonly code: string;
  readonly words: (first: string, second: string) => string;
  readonly hint: string;
}

function clashes(resources: readonly DesiredResource[], clash: Clash): readonly Diagnostic[] {
  const seen = new Map<string, DesiredResource>();
  const found: Diagnostic[] = [];
  for (const resource of resources) {
    const key = clash.key(resource);
    if (key === null) continue;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, resource);
      continue;
    }
    found.push({
      severity: 'error',
      code: clash.code,
      message: clash.words(first.address, resource.address),
      hint: clash.hint,
      address: resource.address,
      range: resource.sources[clash.place] ?? resource.source,
      related: [{ message: `${first.address} stands here`, range: first.sources[clash.place] ?? first.source }],
    });
  }
  return found;
}
