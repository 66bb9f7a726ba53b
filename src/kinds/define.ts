// Builds a kind from a table: its attributes say how to read, compare and write values, build requests, and interpret entries.
import type { KindRemote } from '../apply/kind-remote.ts';
import { compareText, jsonEqual, textOf, type Json, type JsonObject, isJsonObject } from '../base/json.ts';
import { listed, picked } from '../base/picked.ts';
import { isoTime } from '../base/time/clock.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection, WrittenEntry } from '../config/kind-section.ts';
import {
  canonicalAt,
  namedBy,
  nameOf,
  normaliseAt,
  placedBy,
  poolOf,
  writableOf,
  type KindTraits,
  type Attribute,
  type Normalised,
} from '../model/attributes.ts';
import type { KindPlace } from '../model/kind.ts';
import type { LiveResource } from '../model/live.ts';
import type { Marks } from '../model/outcome/plan.ts';
import type { Intent, KindRules, Verdict } from '../plan/kind-rules.ts';
import { contradictions, error, type Exclusion } from './shared/problems.ts';
import { remoteOf, type WireTable } from './shared/wire.ts';
import { parseDurationMs } from '../base/time/duration.ts';

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
  readonly poolWords: KindRules['poolWords'];
  readonly verdict?: Judge;
  readonly excludes?: readonly Exclusion[];
  readonly problems?: (entry: Entry) => readonly (EntryProblem | false | null)[];
  /** Adds to `spec` and `problems` whatever the rows of the attributes cannot say. */
  readonly means?: (entry: Entry, spec: Record<string, Json>, problems: EntryProblem[]) => Partial<EntryMeaning>;
}

/** The table of a kind that the API has. `key` names the attribute that an entry's key sets; its value is unique below the parent. */
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

function answersOf(table: MeaningTable): Pick<Kind, 'check' | 'written' | 'place' | 'fingerprint' | 'effects'> {
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
    place: (spec) =>
      Object.values(poolOf(table, spec)).every((one) => typeof one === 'string') ? table.poolWords(spec) : null,
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
      return { intents: proposed, notes, diagnostics, blockedBy, ...said };
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

/** Returns what an entry means. For an absent resource, `spec` has only the attributes that identify the resource. */
function meaningOf(table: MeaningTable, entry: Entry): EntryMeaning {
  const { key, attributes, problems: check, means, excludes = [] } = table;
  const { name, value } = entry;
  const problems: EntryProblem[] = listed(...contradictions(value, excludes), ...(check?.(entry) ?? []));
  const spec: Record<string, Json> = key === undefined ? {} : { [key]: canonicalAt(table, key, name) };
  const isAbsent = value['state'] === 'absent';
  const named = namedBy(table);
  // `name: null` asks for no name, so the name is not compared.
  const isUnnamed = named !== null && value[named] === null;
  for (const path of writableOf(table)) {
    const { tells = false, isName = false, file = path } = attributes[path] ?? {};
    const written = value[file];
    if (written === undefined || (isAbsent && !tells && !isName) || (isUnnamed && isName)) continue;
    const normal = normaliseAt(table, path, written);
    if ('value' in normal) spec[path] = normal.value;
    else problems.push(error([file, ...(normal.at ?? [])], 'wrong_value', normal.problem));
  }
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

type More = Partial<Attribute>;

const IN_PLACE: Attribute = { change: 'update', restarts: false };

/** Makes an attribute without `normalise`: no file sets the attribute under its own name. */
export function plain(more: More = {}): Attribute {
  return { ...IN_PLACE, ...more };
}

/** Makes an attribute that only a creation sends and that is never compared, because the service does not show it in the same form. */
export function once(more: More = {}): Attribute {
  return { ...IN_PLACE, canonical: () => null, ...more };
}

function typed(isSo: (value: Json) => boolean, expected: string, more: More): Attribute {
  const normalise = (value: Json): Normalised => (isSo(value) ? { value } : { problem: `expected ${expected}` });
  return { ...IN_PLACE, normalise, ...more };
}

export function anything(more: More = {}): Attribute {
  return typed(() => true, 'a value', more);
}

export function text(more: More = {}): Attribute {
  return typed((value) => typeof value === 'string', 'a text', more);
}

export function flag(more: More = {}): Attribute {
  return typed((value) => typeof value === 'boolean', 'true or false', more);
}

export function size(more: More = {}): Attribute {
  return typed((value) => typeof value === 'number', 'a size in compute units', more);
}

export function mapping(what: string, more: More = {}): Attribute {
  return typed(isJsonObject, `a mapping of ${what}`, { hasMembers: true, ...more });
}

/** Makes a parameter: numbers and flags become text, as in the replies of the service. */
export function parameter(more: More = {}): Attribute {
  const asText = (value: Json): Json => (value === null || typeof value === 'object' ? value : String(value));
  const normalise = (value: Json): Normalised =>
    typeof value === 'object' ? { problem: 'expected the value of a parameter' } : { value: String(value) };
  return { ...IN_PLACE, canonical: asText, normalise, ...more };
}

/** Makes a number of whole seconds. `range` says in words what `isWithin` allows. */
export function seconds(
  example: string,
  isWithin: (seconds: number) => boolean,
  range: string,
  more: More = {},
): Attribute {
  const normalise = (value: Json): Normalised => {
    const given = (parseDurationMs(value) ?? Number.NaN) / 1000;
    if (!Number.isInteger(given)) return { problem: `expected whole seconds or a duration such as ${example}` };
    return isWithin(given) ? { value: given } : { problem: `expected ${range}, found ${given} s` };
  };
  return { ...IN_PLACE, normalise, ...more };
}

const MAX_SUSPEND_SECONDS = 604_800;
const DEFAULT_SUSPEND_SECONDS = 300;

/** Makes the autosuspend delay: 0 stands for the default of 300 s, -1 for never (api-rules 6). */
export function suspendDelay(more: More = {}): Attribute {
  return seconds(
    '300, 5m or 24h',
    (given) => given === -1 || given === 0 || (given >= 60 && given <= MAX_SUSPEND_SECONDS),
    `60 s to 7 d (${MAX_SUSPEND_SECONDS} s), 0 for the default or -1 for never`,
    {
      default: DEFAULT_SUSPEND_SECONDS,
      canonical: (value) => (value === 0 ? DEFAULT_SUSPEND_SECONDS : value),
      ...more,
    },
  );
}
