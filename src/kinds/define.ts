// Defines a kind by a table: the rows of its attributes give reading, comparing, writing, requests, and the meaning of entries.
import type { KindRemote } from '../apply/kind-remote.ts';
import { compareText, jsonEqual, textOf, type Json, type JsonObject } from '../base/json.ts';
import { listed, picked } from '../base/picked.ts';
import { isoTime } from '../base/time/clock.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection, WrittenEntry } from '../config/kind-section.ts';
import { canonicalAt, namedBy, nameOf, placedBy, writableOf, type KindTraits } from '../model/attributes.ts';
import type { KindPlace } from '../model/kind.ts';
import type { LiveResource } from '../model/live.ts';
import type { Marks } from '../model/outcome/plan.ts';
import type { Intent, KindRules, Verdict } from '../plan/kind-rules.ts';
import { addAttributes, contradictions, type Exclusion } from './shared/problems.ts';
import { remoteOf, type WireTable } from './shared/wire.ts';

export interface Kind extends KindSection, Omit<KindRules, 'describe'>, KindRemote {}

/** An intent that a kind proposes; missing members mean no consent, no block and no note. */
export type Proposal = Partial<Intent> & Pick<Intent, 'action' | 'target' | 'origin' | 'reasons'>;

export type Judgement = Partial<Omit<Verdict, 'intents'>> & { readonly intents?: readonly Proposal[] };
export type Judge = (...asked: Parameters<KindRules['verdict']>) => Judgement;

type Answers = Omit<
  KindSection & KindRules & KindRemote,
  keyof KindPlace | 'attributes' | 'meaning' | 'requests' | 'verdict'
>;

interface MeaningTable extends KindTraits, Partial<Answers> {
  /** Observed members that change without a request; a step that depends on such a member checks it again before the request. */
  readonly passing?: readonly string[];
  readonly madeAt?: string;
  readonly words: (spec: JsonObject) => string;
  readonly verdict?: Judge;
  readonly excludes?: readonly Exclusion[];
  readonly problems?: (entry: Entry) => readonly (EntryProblem | false | null)[];
  /** Adds to `spec` and `problems` whatever the rows of the attributes cannot say. */
  readonly means?: (entry: Entry, spec: Record<string, Json>, problems: EntryProblem[]) => Partial<EntryMeaning>;
}

/** The table of a kind that the API has. With `key`, the key of an entry is the value of that attribute, unique below the parent. */
export interface KindTable<Item extends object> extends MeaningTable, WireTable<Item> {
  readonly attributes: WireTable<Item>['attributes'];
}

export function defineKind<Item extends object>(table: KindTable<Item>): Kind {
  const remote = remoteOf(table);
  const requests = { ...remote.requests, ...table.requests };
  return { ...answersOf(table), ...remote, ...table, ...rulesOf(table), requests };
}

/** Defines a kind that the service does not have: its resources are derived from others, and nothing is listed or sent. */
export function defineDerived(table: MeaningTable & Pick<Kind, 'describe'>): Kind {
  return {
    ...answersOf(table),
    list: async () => Promise.resolve([]),
    outcome: () => null,
    recognise: () => 'nothing',
    requests: {},
    ...table,
    ...rulesOf(table),
  };
}

function answersOf(
  table: MeaningTable,
): Pick<Kind, 'check' | 'written' | 'place' | 'poolWords' | 'fingerprint' | 'effects'> {
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
    effects: {},
  };
}

function rulesOf(table: MeaningTable): Pick<Kind, 'meaning' | 'verdict'> {
  return {
    meaning: (entry) => meaningOf(table, entry),
    verdict: (asked) => {
      const { intents = [], notes = [], diagnostics = [], blockedBy = [], ...said } = table.verdict?.(asked) ?? {};
      const plain = { due: false, notes: [], blockedBy: [], consented: false };
      const proposed = intents.map((one) => ({ ...plain, ...one }));
      return { ...said, intents: proposed, notes, diagnostics, blockedBy };
    },
  };
}

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

/** An absent resource has only the attributes that identify it. */
function meaningOf(table: MeaningTable, entry: Entry): EntryMeaning {
  const { key, attributes, problems: check, means, excludes = [] } = table;
  const { name, value } = entry;
  const problems: EntryProblem[] = listed(...contradictions(value, excludes), ...(check?.(entry) ?? []));
  const spec: Record<string, Json> = key === undefined ? {} : { [key]: canonicalAt(table, key, name) };
  const isAbsent = value['state'] === 'absent';
  const named = namedBy(table);
  // `name: null` asks for no name, so the name is not compared.
  const isUnnamed = named !== null && value[named] === null;
  const names = writableOf(table).filter((path) => {
    const { tells = false, isName = false } = attributes[path] ?? {};
    return (!isAbsent || tells || isName) && !(isUnnamed && isName);
  });
  addAttributes(spec, table, names, value, problems);
  const { options = NO_OPTIONS, ...more } = means?.(entry, spec, problems) ?? {};
  const formerly = placedBy(table);
  return {
    spec: means === undefined ? spec : picked(spec, Object.keys(attributes)),
    movedFrom: formerly && textOf(value[formerly.key]),
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
