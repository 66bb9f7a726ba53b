// What the file both accepts as somebody else's and declares: one of the two is a mistake.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Matching } from './matching.ts';

/** Only ids: on a branch that is accepted as a whole there may be declared ones. */
export function acceptedAndDeclared({ scope, bindings }: Matching): readonly Diagnostic[] {
  const { declaration } = scope;
  if (declaration === null || declaration.unmanagedOk.length === 0) return [];
  const accepted = new Set(declaration.unmanagedOk);
  return bindings.flatMap(({ desired, live, matchedBy }): Diagnostic[] => {
    if (live === null || !accepted.has(live.id)) return [];
    return [
      {
        severity: 'warning',
        code: 'accepted_and_declared',
        message: `${live.id} is listed under unmanaged_ok, but ${desired.address} is it (${matchedBy}), so it is managed`,
        hint: 'remove one of the two',
        address: desired.address,
        range: desired.sources['id'] ?? desired.source,
      },
    ];
  });
}
