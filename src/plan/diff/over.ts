// Declarations that depend on an expired one are neither created nor reported as missing.
import { referencesOf } from '../../model/attributes.ts';
import { isReference } from '../../model/reference.ts';
import type { Draft } from './draft.ts';

/** The drafts, without creations below an expired declaration or with a reference to one. */
export function withoutOver(drafts: readonly Draft[]): readonly Draft[] {
  const over = new Set(
    drafts.flatMap(({ isOver, change: { address, resourceId } }) =>
      isOver === true ? [address, ...(resourceId === null ? [] : [resourceId])] : [],
    ),
  );
  for (let before = 0; over.size > before;) {
    before = over.size;
    for (const draft of drafts) if (restsOn(draft, over)) over.add(draft.change.address);
  }
  return over.size === 0 ? drafts : drafts.map((draft) => (restsOn(draft, over) ? left(draft) : draft));
}

/** `over`: addresses, and ids of live resources. */
function restsOn({ change, scope, desired }: Draft, over: ReadonlySet<string>): boolean {
  if (change.action !== 'create') return false;
  const isId = (path: string): boolean => referencesOf(scope.rules)[path]?.field === 'id';
  const referred = Object.entries(desired?.spec ?? {}).flatMap(([path, value]) =>
    isReference(value) ? [value.ref] : isId(path) && typeof value === 'string' ? [value] : [],
  );
  return [scope.parent?.address ?? [], ...referred].flat().some((address) => over.has(address));
}

function left(draft: Draft): Draft {
  const { sinks: _sinks, consents: _consents, ...change } = draft.change;
  return {
    ...draft,
    specAfter: null,
    send: {},
    change: {
      ...change,
      action: 'none',
      after: null,
      attributes: [],
      impact: ['none'],
      impactDetails: {},
      reasons: [],
      blockedBy: [],
      notes: ['a resource that this resource depends on has expired'],
    },
  };
}
