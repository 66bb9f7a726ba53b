// Describes deleted resources that can be recovered, because a new resource of the same name would not have their data.
import { arrayOf, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { inert } from '../../base/text/inert.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';

export interface Deleted {
  readonly id: string;
  readonly name: string;
  readonly deleted_at?: string | undefined;
  readonly recoverable_until?: string | undefined;
  readonly deletion_method?: string | undefined;
  readonly is_going?: boolean;
}

/**
 * Returns the deleted resources with their dates. Throws `ApiFailure` if a resource among `names` (names or ids) has no date, because
 * nobody knows whether that resource can be recovered. `path` is the path of the list.
 */
export function deletedAmong(
  items: readonly Deleted[],
  { names, path }: { readonly names: readonly (Json | undefined)[]; readonly path: string },
): readonly JsonObject[] {
  return items.flatMap(({ id, name, deleted_at: at, recoverable_until: until, deletion_method: method, is_going }) => {
    const dateOf = (time: string | undefined): string | null => (millisecondsOf(time) === null ? null : (time ?? null));
    const dates = { deleted_at: dateOf(at), recoverable_until: dateOf(until) };
    if (dates.deleted_at !== null || dates.recoverable_until !== null || is_going === true)
      return [{ id, name, ...dates, ...(method ? { deletion_method: method } : {}) }];
    if (!names.includes(id) && !names.includes(name)) return [];
    const message = `GET ${path} lists the deleted resource "${inert(id, 80)}" without its dates`;
    throw new ApiFailure(message, { failureClass: 'unusable', method: 'GET', path });
  });
}

/** Returns the fact `gone`: deleted resources that can be recovered. */
export function goneIn({ gone }: JsonObject): readonly JsonObject[] {
  return arrayOf(gone).filter(isJsonObject);
}

interface Sought {
  readonly pin: ResourceId | null;
  /** The present and former names of the declaration. They are compared only if the declaration has no pin. */
  readonly names: readonly (Json | undefined)[];
  readonly pathOf: (id: string) => string;
}

/** Describes the deleted resource of a declaration; null if the declaration has no pin and matches no deleted resource. */
export function vanishedWords(gone: readonly JsonObject[], { pin, names, pathOf }: Sought): string | null {
  const own = gone.find((one) => (pin === null ? names.includes(one['name']) : one['id'] === pin));
  if (own === undefined)
    return pin === null ? null : `${pin} no longer exists, and the service does not list it as recoverable`;
  const id = String(own['id']);
  const { deleted_at: at, recoverable_until: until } = own;
  const since = typeof at === 'string' ? `was deleted at ${at}` : 'was deleted';
  const left = typeof until === 'string' ? `can be recovered until ${until}` : 'can still be recovered';
  return `${id} ${since}; it ${left} with POST ${pathOf(id)}/recover`;
}
