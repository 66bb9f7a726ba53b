// A project that was there and is gone: a new one of its name would be empty.
import { isJsonObject } from '../../../base/json.ts';
import type { Json } from '../../../base/json.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';

/** Pinned and gone; or of its name there was one that can still be recovered. Told by the facts of the kind. */
export const vanished: NonNullable<KindRules['vanished']> = ({ pin, options }, { facts }) => {
  const gone = facts['gone'];
  const deleted = Array.isArray(gone) ? (gone as readonly Json[]).filter(isJsonObject) : [];
  const own = deleted.find((one) => (pin === null ? one['name'] === options['name'] : one['id'] === pin));
  if (own === undefined) return pin === null ? null : `${pin} is gone, and nobody tells how to bring it back`;
  const { id, deleted_at: deletedAt, recoverable_until: until } = own;
  const [when, how] = [deletedAt, until].map((at) => (typeof at === 'string' ? at : null));
  const since = when === null || when === undefined ? 'was deleted' : `was deleted at ${when}`;
  const left = how === null || how === undefined ? 'can still be recovered' : `can be recovered until ${how}`;
  return `${String(id)} ${since}; it ${left}, by POST /projects/${String(id)}/recover`;
};
