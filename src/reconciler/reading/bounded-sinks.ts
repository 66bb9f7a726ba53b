// How many programs of sinks one plan starts: those of the first addresses; what the others hold is not compared.
import { compareText } from '../../base/json.ts';
import type { SinkFound, SinkLookup } from '../../apply/kind-remote.ts';
import { placesOf } from '../../kinds/shared/secret-places.ts';
import type { DesiredState } from '../../model/desired.ts';

/** A machine starts this many in seconds; a file can name thousands. */
const MOST_PROGRAMS = 100;

/** As of a program that does not tell what it holds: nothing is compared, and the apply looks before it makes anything. */
const NOT_LOOKED_AT: SinkFound = { state: 'stored', holds: null, reason: null };

/** Looks at the programs that the first addresses of `desired` name, and at no other one. Files are not counted. */
export function boundedSinks(sinks: SinkLookup, desired: DesiredState): SinkLookup {
  const named = desired.resources
    .toSorted((a, b) => compareText(a.address, b.address))
    .flatMap(placesOf)
    .flatMap(({ exec }) => (typeof exec === 'string' ? [exec] : []));
  const looked = new Set([...new Set(named)].slice(0, MOST_PROGRAMS));
  return {
    look: async (target, shape, signal) =>
      typeof target['exec'] === 'string' && !looked.has(target['exec'])
        ? NOT_LOOKED_AT
        : sinks.look(target, shape, signal),
  };
}
