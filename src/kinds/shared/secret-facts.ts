// What planning is told of places for secrets that can be read again: what each holds, and which storing was begun and never confirmed.
import { sinkLabel, sinksOf, type DesiredResource, type KindName } from '../../model/desired.ts';
import { inParallel } from '../../apply/in-parallel.ts';
import type { FactsInput } from '../../apply/kind-remote.ts';
import type { RecordShape } from '../../apply/sinks/record.ts';
import type { ProjectShown } from '../../api/index.ts';
import { ApiFailure } from '../../client/failure.ts';
import { isJsonObject, objectOf, textOf, type Json, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import { projectPath } from './paths.ts';

/** Places that are asked at the same time: each may be a process. */
const LOOKS_AT_ONCE = 8;

/** What one place of a declaration holds. */
export interface PlaceFact {
  /** `file:app.json`. */
  readonly label: string;
  readonly target: JsonObject;
  readonly state: 'stored' | 'absent' | 'broken';
  /** What is told of the record, without its secret; null where the place does not tell. */
  readonly holds: JsonObject | null;
  readonly reason: string | null;
  /** What whoever stores a value there should know. */
  readonly warning: string | null;
  /** The folder of such places does not exist on this machine. */
  readonly isElsewhere: boolean;
}

export interface PlaceFacts {
  /** By address, in the order of the declaration; only of declarations that name places. */
  readonly places: Readonly<Record<Address, readonly PlaceFact[]>>;
  /** Of which the journal has a secret that was asked for and not confirmed to be stored. */
  readonly open: readonly Address[];
  /** Ids of the projects in which the service keeps no secret, so that none can be read again. */
  readonly unkept: readonly string[];
}

/** Looks at the places of all that is declared. Rejects with the signal's reason. */
export async function gatherPlaces(
  { desired, orphans, sinks, signal }: FactsInput,
  { kind, shape }: { readonly kind: KindName; readonly shape: RecordShape },
): Promise<Pick<PlaceFacts, 'places' | 'open'>> {
  const found = await inParallel(
    desired.filter((one) => sinksOf(one).length > 0),
    LOOKS_AT_ONCE,
    async (one): Promise<readonly [Address, readonly PlaceFact[]]> => {
      const facts: PlaceFact[] = [];
      for (const target of sinksOf(one)) {
        const found = await sinks.look(target, shape, signal);
        const { state, holds, reason, warning = null, isElsewhere = false } = found;
        facts.push({ label: sinkLabel(target), target, state, holds, reason, warning, isElsewhere });
      }
      return [one.address, facts];
    },
  );
  // Of those that were stored later nothing is open any more.
  const open = (await orphans()).filter(
    (one) => one['kind'] === kind && one['state'] === 'open' && one['stored_since'] === null,
  );
  return { places: Object.fromEntries(found), open: [...new Set(open.map(({ address }) => String(address)))].sort() };
}

/** Ids of the projects of these declarations in which the service keeps no passwords. */
export async function unkeptAround(input: FactsInput, lacking: readonly DesiredResource[]): Promise<readonly string[]> {
  const scopes = new Set(lacking.map(({ scope }) => scope));
  const projects = input.projects.filter(({ label }) => scopes.has(label));
  const unkept = await Promise.all(projects.map(async ({ id }) => ((await keepsPasswords(input, id)) ? [] : [id])));
  return unkept.flat().sort();
}

/** True also where it cannot be told: the attempt then says so. */
async function keepsPasswords({ reader, signal, listed = [] }: FactsInput, projectId: string): Promise<boolean> {
  const known = listed.find(({ id }) => id === projectId)?.store_passwords;
  if (known !== undefined) return known;
  try {
    const { project } = await reader.get<ProjectShown>(projectPath(projectId), 'ProjectShown', { signal });
    return project.store_passwords !== false;
  } catch (error) {
    if (error instanceof ApiFailure && error.status !== 401) return true;
    throw error;
  }
}

/** As they travel to the pure rules. */
export function placesToJson({ places, open, unkept }: PlaceFacts): JsonObject {
  const all = Object.entries(places).map(([address, facts]) => [address, facts.map((fact): Json => ({ ...fact }))]);
  return {
    places: Object.fromEntries(all) as JsonObject,
    ...untoldIn(places, ({ holds }) => holds === null),
    ...(open.length === 0 ? {} : { open }),
    ...(unkept.length === 0 ? {} : { unkept }),
  };
}

/** By address, the sinks that hold something and do not tell what. */
export function untoldIn<T extends { readonly label: string; readonly state: string }>(
  sinks: Readonly<Record<Address, readonly T[]>>,
  isSilent: (sink: T) => boolean,
): JsonObject {
  const untold = Object.entries(sinks).flatMap(([address, own]): [Address, readonly string[]][] => {
    const labels = own.filter((sink) => sink.state === 'stored' && isSilent(sink)).map(({ label }) => label);
    return labels.length === 0 ? [] : [[address, labels]];
  });
  return untold.length === 0 ? {} : { untold: Object.fromEntries(untold) };
}

/** As they arrived; without any, nothing is known. */
export function placesFromJson({ places, open, unkept }: JsonObject): PlaceFacts {
  const known = isJsonObject(places) ? Object.entries(places) : [];
  return {
    places: Object.fromEntries(
      known.map(([address, facts]) => [address, Array.isArray(facts) ? facts.filter(isJsonObject).map(factOf) : []]),
    ),
    open: textsIn(open),
    unkept: textsIn(unkept),
  };
}

function factOf({ label, target, state, holds, reason, warning, isElsewhere }: JsonObject): PlaceFact {
  return {
    label: String(label),
    target: objectOf(target),
    state: state === 'stored' || state === 'absent' ? state : 'broken',
    holds: isJsonObject(holds) ? holds : null,
    reason: textOf(reason),
    warning: textOf(warning),
    isElsewhere: isElsewhere === true,
  };
}

/** The texts of a list; none where it is no list. */
export function textsIn(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((text): text is string => typeof text === 'string') : [];
}
