// Declarations of a kind whose resources follow from others: trueup only keeps them up, and they differ if something blocks that.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Binding } from '../match/match-state.ts';
import { contextOf, type Scope } from '../scope.ts';
import { changeOf, draftOf } from './binding-draft.ts';
import type { Draft } from './draft.ts';

/** True for a kind without requests. */
export function isDerived({ requests }: Pick<KindRules, 'requests'>): boolean {
  return Object.keys(requests).length === 0;
}

interface Shown {
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
  readonly unread: readonly [];
}

/** A single draft with a change only if its sinks are blocked. While a referent is missing, the draft shows the declaration. */
export function derivedDrafts(scope: Scope, binding: Binding): Shown {
  const { desired, live, companions } = binding;
  const asked = { desired, live, companions, differs: false, restarts: false, context: contextOf(scope) };
  const { notes, diagnostics, blockedBy } = scope.rules.verdict(asked);
  const before = desired.absent ? null : (live?.spec ?? null);
  const after = desired.absent ? null : (before ?? desired.spec);
  const origin = desired.absent ? 'absent' : 'file';
  const action = blockedBy.length === 0 ? 'none' : 'update';
  const change = changeOf(scope, binding, { action, before, after, notes, blockedBy, origin });
  return { drafts: [draftOf(scope, binding, change, { specAfter: after })], diagnostics, unread: [] };
}
