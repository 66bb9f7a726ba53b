// The places of a secret that can be read again: which are to be refilled, and what is to be said of those that cannot be used.
import { isStale, otherOwner, type RecordShape } from '../../apply/sinks/record.ts';
import type { JsonObject } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { inert } from '../../base/text/inert.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Block } from '../../model/outcome/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import type { UpkeepIntent } from '../../model/outcome/upkeep.ts';
import type { PlaceFact, PlaceFacts } from './secret-facts.ts';

/** What is wanted of the places of one declaration. */
export interface Wanted {
  readonly desired: DesiredResource;
  readonly facts: PlaceFacts;
  readonly shape: RecordShape;
  /** The record that its places should hold now, without its secrets; null while that is not known. */
  readonly record: JsonObject | null;
  /** A part of it was made anew since its places were filled: not every place tells what it holds. */
  readonly isResetSince?: boolean;
}

/** A place that does not hold the record that it should hold now. */
interface Lacking {
  readonly place: PlaceFact;
  readonly why: string;
  /** Nothing is written there: it cannot be used, or it holds the secret of another. */
  readonly isRefused: boolean;
}

/** The places of one declaration that do not hold the record that they should hold now, in the order of the files. */
export function lackingPlaces({ desired, facts, shape, record, isResetSince = false }: Wanted): readonly Lacking[] {
  const isOpen = facts.open.includes(desired.address);
  return placesIn(desired, facts).flatMap((place): readonly Lacking[] => {
    const { label, state, holds } = place;
    const lacks = (why: string, isRefused = false): readonly Lacking[] => [{ place, why, isRefused }];
    if (state === 'broken') return lacks(cannotBeUsed(place), true);
    const other = otherOwner(shape, holds, record ?? {});
    if (other !== null) return lacks(`${label} holds the secret of ${other}`, true);
    if (state === 'absent') return lacks(`${label} holds nothing`);
    if (isOpen || (isResetSince && holds === null)) return lacks(`${label} may not hold the newest secret`);
    return record !== null && isStale(holds, record) ? lacks(`${label} holds an older secret`) : [];
  });
}

function cannotBeUsed({ label, reason }: PlaceFact): string {
  return `${label} cannot be used${reason === null ? '' : `: ${inert(reason)}`}`;
}

/** The options of acting on these places, and why nothing is done with others. */
function optionsOf(places: readonly PlaceFact[], refused: readonly string[]): JsonObject {
  return { secret: places.map(({ target }) => target), ...(refused.length === 0 ? {} : { refused }) };
}

/** Null where no place has anything to let go of. A program that cannot be asked may hold it; of a file that cannot be used a warning tells. */
export function forgetOf({ desired, facts }: Wanted): UpkeepIntent | null {
  const places = placesIn(desired, facts).filter(
    ({ state, target }) => state === 'stored' || (state === 'broken' && target['exec'] !== undefined),
  );
  if (places.length === 0) return null;
  const refused = places.filter(({ state }) => state === 'broken').map(cannotBeUsed);
  return {
    action: 'forget',
    reasons: ['state: absent', ...refused],
    sinks: places.map(({ label }) => label),
    options: optionsOf(
      places.filter(({ state }) => state === 'stored'),
      refused,
    ),
  };
}

/** Null where no place asks for it. `content`: what it is read anew by. */
export function refillOf(wanted: Wanted, content: JsonObject, isPending: boolean): UpkeepIntent | null {
  const lacking = lackingPlaces(wanted);
  if (lacking.length === 0) return null;
  const refused = lacking.flatMap(({ isRefused, why }) => (isRefused ? [why] : []));
  const open = lacking.flatMap(({ isRefused, place }) => (isRefused ? [] : [place]));
  return {
    action: 'refill',
    reasons: lacking.map(({ why }) => why),
    sinks: lacking.map(({ place }) => place.label),
    isPending,
    options: { ...optionsOf(open, refused), content },
  };
}

/** Why a place cannot take the record as it is, in words. */
function placeProblems({ desired, facts, shape, record }: Wanted): readonly string[] {
  return placesIn(desired, facts).flatMap(({ label, state, holds, reason }) => {
    if (state === 'broken') return [`${label}: ${inert(reason ?? 'cannot be used')}`];
    const other = record === null ? null : otherOwner(shape, holds, record);
    return other === null ? [] : [`${label}: holds the secret of ${other}`];
  });
}

/** The blocks that keep a new secret from being made, and why. */
export function storable(...wanted: readonly Wanted[]): {
  readonly blockedBy: readonly Block[];
  readonly notes: readonly string[];
} {
  const notes = wanted.flatMap(placeProblems);
  return { blockedBy: notes.length === 0 ? [] : ['sink_unusable'], notes };
}

/** What is to be said of the places; `stores` where something is about to be stored there. */
export function placeDiagnostics(wanted: Wanted, range: SourceRange, stores: boolean): readonly Diagnostic[] {
  const { desired, facts } = wanted;
  const own = { severity: 'warning', address: desired.address, range } as const;
  const places = placesIn(desired, facts);
  return [
    ...placeProblems(wanted).map((message) => ({ ...own, code: 'sink_broken', message })),
    ...places.flatMap(({ label, state, reason }) =>
      state === 'stored' && reason !== null
        ? [{ ...own, code: 'sink_remark', message: `${label}: ${inert(reason)}` }]
        : [],
    ),
    ...places.flatMap(({ warning }) =>
      warning === null || !stores
        ? []
        : [
            {
              ...own,
              code: 'sink_on_ci',
              message: inert(warning),
              hint: 'Use an exec sink that writes to a secret store.',
            },
          ],
    ),
  ];
}

/** Of places that may lie on another machine, in a project in which the service keeps no password. */
export function elsewhere({ address }: DesiredResource, labels: readonly string[], range: SourceRange): Diagnostic {
  const message = `the password of ${address} may be lost: this machine has no secrets folder (${listOf(labels)}), and the service stores no passwords in this project`;
  return { severity: 'warning', code: 'secret_missing', message, address, range };
}

function placesIn({ address }: DesiredResource, { places }: PlaceFacts): readonly PlaceFact[] {
  return places[address] ?? [];
}
