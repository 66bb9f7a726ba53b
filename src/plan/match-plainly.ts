// The scope in which every declaration names its place, and one live resource holds it: nobody has to be asked who claims what.
import type { DesiredResource } from '../model/desired.ts';
import type { LiveResource } from '../model/live.ts';
import type { JsonObject } from '../base/json.ts';
import type { Binding } from './claims.ts';
import type { KindRules } from './kind-rules.ts';
import type { Scope } from './scope.ts';

/** A declaration and the holder of its place; the words are made where somebody reads them. */
class PlainBinding implements Binding {
  readonly desired: DesiredResource;
  readonly live: LiveResource;
  readonly #rules: KindRules;

  constructor(desired: DesiredResource, live: LiveResource, rules: KindRules) {
    this.desired = desired;
    this.live = live;
    this.#rules = rules;
  }

  get companions(): readonly LiveResource[] {
    return NONE;
  }

  get stalePin(): boolean {
    return false;
  }

  get successor(): null {
    return null;
  }

  get frozen(): null {
    return null;
  }

  get guess(): boolean {
    return false;
  }

  get matchedBy(): string {
    return this.#rules.poolWords(this.desired.spec);
  }
}

const NONE: readonly never[] = [];

export interface PlainMatching {
  readonly bindings: readonly Binding[];
  readonly unclaimed: readonly LiveResource[];
}

/** Null where anything else is at work: pins, moves, removals, a place that nobody or several hold, a kind that chooses itself. */
export function matchPlainly({ rules, desired }: Scope, known: readonly LiveResource[]): PlainMatching | null {
  if (rules.choose !== undefined || !desired.every(isPlain)) return null;
  const keyOf = (spec: JsonObject): string | null => rules.placeKey?.(spec) ?? rules.place(spec);
  const holders = new Map<string, LiveResource>();
  for (const live of known) {
    const place = keyOf(live.spec);
    if (place === null) continue;
    if (holders.has(place)) return null;
    holders.set(place, live);
  }
  const bindings: Binding[] = [];
  for (const one of desired) {
    const place = keyOf(one.spec);
    const live = place === null ? undefined : holders.get(place);
    if (place === null || live === undefined) return null;
    holders.delete(place);
    bindings.push(new PlainBinding(one, live, rules));
  }
  return { bindings, unclaimed: bindings.length === known.length ? NONE : others(known, bindings) };
}

function others(known: readonly LiveResource[], bindings: readonly Binding[]): readonly LiveResource[] {
  const claimed = new Set(bindings.map(({ live }) => live?.id));
  return known.filter(({ id }) => !claimed.has(id));
}

function isPlain({ pin, movedFrom, absent }: DesiredResource): boolean {
  return pin === null && movedFrom === null && !absent;
}
