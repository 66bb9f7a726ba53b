// Facts about keys besides their list: the content of the sinks, the own key of the run, and leftovers of a crash.
import { isJsonObject, objectOf, textOf, type Json, type JsonObject } from '../../../base/json.ts';
import type { Address } from '../../../model/address.ts';
import { textsIn, untoldIn } from '../../shared/secret-facts.ts';

export interface SinkFact {
  /** `file:ci.json`. */
  readonly label: string;
  readonly state: 'stored' | 'absent' | 'broken';
  readonly id: string | null;
  readonly name: string | null;
  readonly reason: string | null;
  /** A warning for the moment when a value is stored. */
  readonly warning: string | null;
  /** True if the sink holds the credential of this run; null if the sink does not show its value. */
  readonly isOurs: boolean | null;
}

export interface KeyFacts {
  /** By address, in the order of the declaration; declarations without sinks are missing. */
  readonly sinks: Readonly<Record<Address, readonly SinkFact[]>>;
  /** The id of the key that this run uses; null if unknown. */
  readonly self: string | null;
  /** True if the value proves it, and not only the last use. */
  readonly isSelfSure: boolean;
  /** Ids of unused keys that an interrupted run created and did not store in all sinks. */
  readonly orphans: readonly string[];
  /** The orphans that no sink can hold. */
  readonly unstored: readonly string[];
  /** The orphans that no reply named: only their time of creation speaks for them. */
  readonly probable: readonly string[];
  /** Unused keys that either such a run or somebody else created. */
  readonly uncertain: readonly string[];
}

/** Ids of keys whose stored value differs from this run's credential. */
export function provenOthers(sinks: Iterable<readonly SinkFact[]>): ReadonlySet<string> {
  const stored = [...sinks].flat();
  return new Set(stored.flatMap(({ id, isOurs }) => (id !== null && isOurs === false ? [id] : [])));
}

export function factsToJson(facts: KeyFacts): JsonObject {
  return {
    sinks: Object.fromEntries(
      Object.entries(facts.sinks).map(([address, sinks]) => [address, sinks.map((sink) => ({ ...sink }))]),
    ),
    ...untoldIn(facts.sinks, ({ id }) => id === null),
    self: facts.self,
    self_sure: facts.isSelfSure,
    orphans: facts.orphans,
    unstored: facts.unstored,
    probable: facts.probable,
    doubtful: facts.uncertain,
  };
}

/** Without facts, nothing is established. */
export function factsFromJson(json: JsonObject): KeyFacts {
  const { sinks, self, self_sure: isSelfSure, orphans, unstored, probable, doubtful: uncertain } = json;
  const known = objectOf(sinks);
  return {
    sinks: Object.fromEntries(Object.entries(known).map(([address, list]) => [address, sinkFacts(list)])),
    self: textOf(self),
    isSelfSure: isSelfSure === true,
    orphans: textsIn(orphans),
    unstored: textsIn(unstored),
    probable: textsIn(probable),
    uncertain: textsIn(uncertain),
  };
}

function sinkFacts(list: Json): readonly SinkFact[] {
  return Array.isArray(list) ? list.filter(isJsonObject).map(sinkFact) : [];
}

function sinkFact(fact: JsonObject): SinkFact {
  const { label, state, id, name, reason, warning, isOurs } = fact;
  return {
    label: textOf(label) ?? 'sink',
    state: state === 'stored' || state === 'absent' ? state : 'broken',
    id: textOf(id),
    name: textOf(name),
    reason: textOf(reason),
    warning: textOf(warning),
    isOurs: typeof isOurs === 'boolean' ? isOurs : null,
  };
}
