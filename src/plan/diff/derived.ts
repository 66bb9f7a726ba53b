// Of what has nothing of its own in the account nothing differs: it is shown, and its upkeep is all that is done for it.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Binding } from '../match/match-state.ts';
import { contextOf } from '../scope.ts';
import type { Scope } from '../scope.ts';
import { verdictAtAnyTime } from './any-time.ts';
import { changeOf, draftOf } from './binding-draft.ts';
import type { Draft } from './draft.ts';

interface Shown {
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
  readonly unread: readonly [];
}

/** What it waits for is known after apply. */
export function derivedDrafts(scope: Scope, binding: Binding): Shown {
  const { desired, live, companions } = binding;
  const asked = { desired, live, companions, differs: false, restarts: false, context: contextOf(scope) };
  const { notes, diagnostics } = verdictAtAnyTime(scope, asked);
  const before = desired.absent ? null : (live?.spec ?? null);
  const after = desired.absent ? null : (before ?? desired.spec);
  const origin = desired.absent ? 'absent' : 'file';
  const change = changeOf(scope, binding, { action: 'none', before, after, notes, origin });
  return { drafts: [draftOf(scope, binding, change, { specAfter: after })], diagnostics, unread: [] };
}
