// What planning is told of keys besides their list: what the sinks hold, which key the run itself uses, what a crash left.
import { isJsonObject, objectOf, textOf, type Json, type JsonObject } from '../../../base/json.ts';
import type { Address } from '../../../model/address.ts';
import { textsIn, untoldIn } from '../../shared/secret-facts.ts';

/** What one sink of a declaration holds. */
export interface SinkFact {
  /** `file:ci.json`. */
  readonly label: string;
  readonly state: 'stored' | 'absent' | 'broken';
  readonly id: string | null;
  readonly name: string | null;
  readonly reason: string | null;
  /** What whoever stores a value there should know. */
  readonly warning: string | null;
  /** Whether its value is the one that this run comes with; null where the place does not show it. */
  readonly isOurs: boolean | null;
}

export interface KeyFacts {
  /** By address, in the order of the declaration; only of declarations that name sinks. */
  readonly sinks: Readonly<Record<Address, readonly SinkFact[]>>;
  /** Id of the key that this run uses; null when it is not established. */
  readonly self: string | null;
  /** Known by its value, not only by its last use. */
  readonly isSelfSure: boolean;
  /** Ids of keys that an interrupted run of ours made and did not store everywhere; never used, nobody knows their value. */
  readonly orphans: readonly string[];
  /** Those of them that no sink can hold: their value never arrived here, or another one was stored since. */
  readonly unstored: readonly string[];
  /** Those of them that no answer told: only when they were made speaks for it. */
  readonly probable: readonly string[];
  /** Unused keys that such a run may have made, or somebody else: nothing tells. */
  readonly uncertain: readonly string[];
}

/** Ids of keys whose stored value is not the one that this run comes with: whatever their last uses show, they are not its own. */
export function provenOthers(sinks: Iterable<readonly SinkFact[]>): ReadonlySet<string> {
  const stored = [...sinks].flat();
  return new Set(stored.flatMap(({ id, isOurs }) => (id !== null && isOurs === false ? [id] : [])));
}

/** The facts as they travel to the pure rules. */
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

/** The facts as they arrived; without any, nothing is established. */
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
