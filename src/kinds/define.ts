// A kind as a table: from the rows of its attributes come reading, comparing, writing, requests, and the meaning of a file.
import type { KindRemote } from '../apply/kind-remote.ts';
import { compareText, jsonEqual, textOf, type Json, type JsonObject } from '../base/json.ts';
import { picked } from '../base/picked.ts';
import { isoTime } from '../base/time/clock.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection, WrittenEntry } from '../config/kind-section.ts';
import { canonicalAt, namedBy, nameOf, placedBy, writableOf, type KindTraits } from '../model/attributes.ts';
import type { KindPlace } from '../model/kind.ts';
import type { LiveResource } from '../model/live.ts';
import type { Marks } from '../model/outcome/plan.ts';
import type { KindRules } from '../plan/kind-rules.ts';
import { addAttributes } from './shared/problems.ts';
import { remoteOf, type WireTable } from './shared/wire.ts';

/** One object that answers the questions of all packages: what may be written, how it is planned, what is sent. */
export interface Kind extends KindSection, Omit<KindRules, 'describe'>, KindRemote {}

type Answers = Omit<KindSection & KindRules & KindRemote, keyof KindPlace | 'attributes' | 'meaning' | 'requests'>;

/** How a kind is written, compared and planned. */
interface MeaningTable extends KindTraits, Partial<Answers> {
  /** Observed members that a planned step may depend on. */
  readonly passing?: readonly string[];
  /** The observed member with the time of the creation; without this, `created_at`. */
  readonly madeAt?: string;
  readonly words: (spec: JsonObject) => string;
  readonly problems?: (entry: Entry) => readonly (EntryProblem | null)[];
  /** Adds to `spec` and `problems` whatever the rows of the attributes cannot say. */
  readonly means?: (entry: Entry, spec: Record<string, Json>, problems: EntryProblem[]) => Partial<EntryMeaning>;
}

/** A kind as a table; with a `key`, the key of an entry is a unique name below the parent. */
export interface KindTable<Item extends object> extends MeaningTable, WireTable<Item> {
  readonly attributes: WireTable<Item>['attributes'];
  readonly madeAt?: string;
}

export function defineKind<Item extends object>(table: KindTable<Item>): Kind {
  const remote = remoteOf(table);
  const requests = { ...remote.requests, ...table.requests };
  return { ...answersOf(table), ...remote, ...table, requests, meaning: (entry) => meaningOf(table, entry) };
}

/** A kind that the service does not know: its resources follow from others, and nothing is listed or sent. */
export function defineDerived(table: MeaningTable & Pick<Kind, 'describe'>): Kind {
  return {
    ...answersOf(table),
    list: async () => Promise.resolve([]),
    outcome: () => null,
    recognise: () => 'nothing',
    requests: {},
    ...table,
    meaning: (entry) => meaningOf(table, entry),
  };
}

function answersOf(
  table: MeaningTable,
): Pick<Kind, 'check' | 'written' | 'place' | 'poolWords' | 'fingerprint' | 'verdict' | 'effects'> {
  const { key, words } = table;
  const name = (live: LiveResource): string => nameOf(table, live);
  const entryOf = (live: LiveResource): WrittenEntry => ({
    id: live.id,
    name: name(live),
    isApiName: true,
    identity: {},
    attributes: writtenOf(table, live.spec),
    isConcise: true,
  });
  return {
    check: () => [],
    written: (wanted) => [...wanted].sort((a, b) => compareText(name(a), name(b))).map(entryOf),
    place: (spec) => (key === undefined || typeof spec[key] === 'string' ? words(spec) : null),
    poolWords: words,
    fingerprint: (live) => marksOf(table, live),
    verdict: () => ({ intents: [], notes: [], diagnostics: [], blockedBy: [] }),
    effects: {},
  };
}

/** The attributes that say something: those that differ from their defaults. */
function writtenOf(kind: Pick<KindTraits, 'attributes'>, spec: JsonObject): JsonObject {
  const written = writableOf(kind).flatMap((path): [string, Json][] => {
    const value = spec[path];
    return value === undefined || jsonEqual(canonicalAt(kind, path, value), canonicalAt(kind, path, undefined))
      ? []
      : [[path, value]];
  });
  return Object.fromEntries(written);
}

const NO_OPTIONS: JsonObject = {};

/** An absent resource has the attributes alone that tell which one is meant. */
function meaningOf(table: MeaningTable, entry: Entry): EntryMeaning {
  const { key, attributes, problems: check, means } = table;
  const { name, value } = entry;
  const problems: EntryProblem[] = (check?.(entry) ?? []).filter((problem) => problem !== null);
  const spec: Record<string, Json> = key === undefined ? {} : { [key]: canonicalAt(table, key, name) };
  const isAbsent = value['state'] === 'absent';
  const named = namedBy(table);
  // A name of null is the wish for no name, and never a change.
  const isUnnamed = named !== null && value[named] === null;
  const names = writableOf(table).filter((path) => {
    const { tells = false, isName = false } = attributes[path] ?? {};
    return (!isAbsent || tells || isName) && !(isUnnamed && isName);
  });
  addAttributes(spec, { value, kind: table, names }, problems);
  const { options = NO_OPTIONS, ...more } = means?.(entry, spec, problems) ?? {};
  const ordered = means === undefined ? spec : picked(spec, Object.keys(attributes));
  const formerly = placedBy(table);
  return {
    spec: ordered,
    movedFrom: formerly === null ? null : textOf(value[formerly.key]),
    ...(key === undefined || formerly === null ? {} : { places: { [key]: formerly.key } }),
    ...more,
    options: isUnnamed ? { ...options, named: false } : options,
    problems,
  };
}

export function marksOf(
  { madeAt = 'created_at', passing = [] }: Pick<MeaningTable, 'madeAt' | 'passing'>,
  { id, projectId, parentId, createdAtMs, observed }: LiveResource,
): Marks {
  return {
    lasting: {
      ...(projectId === null || projectId === id || parentId !== undefined ? {} : { project_id: projectId }),
      ...(createdAtMs === null ? {} : { [madeAt]: isoTime(createdAtMs) }),
    },
    passing: Object.fromEntries(passing.map((name) => [name, observed[name] ?? null])),
  };
}
