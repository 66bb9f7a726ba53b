// Which projects and sections a selection of addresses touches: only those are read.
import { matchesGlob } from '../model/address.ts';
import type { Address } from '../model/address.ts';

/** Address globs; an empty `target` means everything. */
export interface Selection {
  readonly target: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * True when an address of `scope` (a project label or a section) can be selected: a target names a declared address of it,
 * or names no declared address at all and could name an unlisted one of it; and no exclusion covers the whole of it.
 */
export function touches(scope: string, declared: readonly Address[], { target, exclude }: Selection): boolean {
  const whole = [`${scope}/\u0001`, `${scope}/\u0001\u0001`];
  if (exclude.some((glob) => whole.every((address) => matchesGlob(glob, address)))) return false;
  if (target.length === 0) return true;
  return target.some((glob) => {
    const named = declared.filter((address) => matchesGlob(glob, address));
    if (named.length === 0) return couldBegin(glob, `${scope}/`);
    return named.some((address) => address.startsWith(`${scope}/`));
  });
}

/** True when some text that begins with `prefix` matches `glob`. */
function couldBegin(glob: string, prefix: string): boolean {
  let places = withStars(glob, new Set([0]));
  for (const character of prefix) {
    const next = new Set<number>();
    for (const at of places) {
      const wanted = glob[at];
      if (wanted === '*') next.add(at);
      else if (wanted === '?' || wanted === character) next.add(at + 1);
    }
    places = withStars(glob, next);
  }
  return places.size > 0;
}

/** A star may stand for nothing. */
function withStars(glob: string, places: Set<number>): Set<number> {
  for (const at of places) if (glob[at] === '*') places.add(at + 1);
  return places;
}
