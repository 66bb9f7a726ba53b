// A branch that was there and is gone: a new one of its name would be empty, or hold its parent's data.
import { isJsonObject } from '../../../base/json.ts';
import type { Json } from '../../../base/json.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';

/** Pinned and gone; or of its name there was one that can still be recovered. Told by the facts of the kind. */
export const vanished: NonNullable<KindRules['vanished']> = ({ pin, spec, scope }, { facts, liveProject }) => {
  const gone = facts['gone'];
  const deleted = Array.isArray(gone) ? (gone as readonly Json[]).filter(isJsonObject) : [];
  const own = deleted.find(
    (one) => one['project_id'] === liveProject?.id && (pin === null ? one['name'] === spec['name'] : one['id'] === pin),
  );
  if (own === undefined) return pin === null ? null : `${pin} is gone, and nobody tells how to bring it back`;
  const { id, deleted_at: deletedAt, recoverable_until: until } = own;
  const way = `POST /projects/${liveProject?.id ?? scope}/branches/${String(id)}/recover`;
  return `${String(id)} was deleted at ${String(deletedAt)}; it can be recovered until ${String(until)}, by ${way}`;
};
