// Describes references: they stand for values of resources that may not exist yet, in specs, expectations, paths and bodies.
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Address } from './address.ts';

/** Stands for the `field` (`id`, or an attribute) of the resource at the address `ref`. */
export type Reference = { readonly ref: Address; readonly field: string };

export function isReference(value: Json | undefined): value is Reference {
  return (
    isJsonObject(value) &&
    typeof value['ref'] === 'string' &&
    typeof value['field'] === 'string' &&
    Object.keys(value).length === 2
  );
}

/** Returns the text that stands for an unknown id in a path or a scope. */
export function placeholderOf(ref: Address): string {
  return `{${ref}}`;
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

export function placeholdersIn(text: string): readonly Address[] {
  return text.includes('{') ? [...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '') : [];
}

/** True if `id` is the placeholder of this address; other texts in braces are ordinary names. */
export function isIdToCome(id: string, address: Address): boolean {
  return id === placeholderOf(address);
}

/** True if the project or the parent does not exist yet, so that there is nothing to read. */
export function isUnborn({
  projectId = null,
  parentId = '',
}: {
  readonly projectId?: string | null;
  readonly parentId?: string | undefined;
}): boolean {
  return [projectId ?? '', parentId].some((id) => placeholdersIn(id).length > 0);
}

/** Returns the value that a reference stands for; undefined while that value is not known. */
export type Known = (reference: Reference) => Json | undefined;

export function resolveIn<T extends Json>(value: T, known: Known): T {
  if (!holdsReference(value)) return value;
  return replaced(value, known) as T;
}

function replaced(value: Json, known: Known): Json {
  if (isReference(value)) return known(value) ?? value;
  if (Array.isArray(value)) return value.map((item: Json) => replaced(item, known));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, known)]));
}

export function referencesIn(value: Json): readonly Address[] {
  if (isReference(value)) return [value.ref];
  if (Array.isArray(value)) return value.flatMap((item: Json) => referencesIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => referencesIn(item ?? null)) : [];
}

export function holdsReference(value: Json | undefined): boolean {
  if (value === undefined || value === null || typeof value !== 'object') return false;
  if (isReference(value)) return true;
  return Object.values(value as JsonObject).some(holdsReference);
}

export function resolveText(text: string, idOf: (address: Address) => string | undefined): string {
  return text.replaceAll(PLACEHOLDER, (whole, address: Address) => idOf(address) ?? whole);
}
