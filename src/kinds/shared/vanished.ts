// What was there and is gone: a new one of its name would not have its data.
import { arrayOf, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';

/** What is looked for, and where it would be brought back. */
interface Sought {
  readonly pin: ResourceId | null;
  /** What it is called, and was; asked where there is no pin. */
  readonly names: readonly (Json | undefined)[];
  /** Whether a deleted one was where this belongs. */
  readonly isHere: (deleted: JsonObject) => boolean;
  /** The path of a deleted one of this id. */
  readonly pathOf: (id: string) => string;
}

/** Pinned and gone; or of its name there was one that can still be recovered. `gone`: the deleted ones, as the facts of the kind tell them. */
export function vanishedWords(gone: Json | undefined, { pin, names, isHere, pathOf }: Sought): string | null {
  const deleted = arrayOf(gone).filter(isJsonObject);
  const own = deleted.find((one) => isHere(one) && (pin === null ? names.includes(one['name']) : one['id'] === pin));
  if (own === undefined) return pin === null ? null : `${pin} is gone, and nobody tells how to bring it back`;
  const id = String(own['id']);
  const { deleted_at: at, recoverable_until: until } = own;
  const since = typeof at === 'string' ? `was deleted at ${at}` : 'was deleted';
  const left = typeof until === 'string' ? `can be recovered until ${until}` : 'can still be recovered';
  return `${id} ${since}; it ${left}, by POST ${pathOf(id)}/recover`;
}
