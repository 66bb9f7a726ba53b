// What is to be said of a branch besides its attributes: that its time is over, or that it was made to be thrown away.
import { isJsonObject } from '../../../base/json.ts';
import type { LiveResource } from '../../../model/live.ts';
import type { KindRules, Verdict } from '../../../plan/kind-rules.ts';
import { NOTES } from '../live-branch.ts';

const NOTHING: Verdict = { intents: [], notes: [], diagnostics: [], blockedBy: [] };

/** One whose time is over is neither made nor missed. */
export const branchVerdict: KindRules['verdict'] = ({ desired, live, context }) => {
  if (desired.absent)
    return {
      ...NOTHING,
      consented: desired.options['disposable'] === true && live !== null && isDisposable(live, context),
    };
  const expiresAt = desired.spec['expires_at'];
  if (live !== null || typeof expiresAt !== 'string' || Date.parse(expiresAt) > context.nowMs) return NOTHING;
  return {
    ...NOTHING,
    isOver: true,
    diagnostics: [
      {
        severity: 'warning',
        code: 'expired',
        message: `${desired.address} expired at ${expiresAt}: its declaration is over, and it is not made again`,
        hint: 'Remove the entry, or give it a later expires_at.',
        address: desired.address,
        range: desired.sources['expires_at'] ?? desired.source,
      },
    ],
  };
};

/** Made so, as its note says, and nothing has come to rest on it since. */
function isDisposable(
  { id, spec, observed }: LiveResource,
  { around }: { readonly around: readonly LiveResource[] },
): boolean {
  const notes = observed['annotations'];
  const isMadeSo = isJsonObject(notes) && notes[NOTES.disposable] === 'true';
  const hasChildren = around.some((other) => other.spec['parent_id'] === id);
  return isMadeSo && spec['default'] !== true && spec['protected'] !== true && !hasChildren;
}
