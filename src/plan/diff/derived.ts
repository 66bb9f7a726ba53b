// Declarations of a kind that the service knows nothing of: nothing but their upkeep is done, and they differ where something blocks that.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Binding } from '../match/match-state.ts';
import { contextOf, type Scope } from '../scope.ts';
import { changeOf, draftOf } from './binding-draft.ts';
import type { Draft } from './draft.ts';

interface Shown {
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
  readonly unread: readonly [];
}

/** One draft, with a change only where that is blocked; while something that it rests on is missing, it shows what is declared. */
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
