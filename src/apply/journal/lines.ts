// The journal's text: one JSON object a line, each with a CRC32 of itself. A malformed line is skipped.
import { crc32 } from 'node:zlib';
import { isJsonObject, parseJson, type Json, type JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';

/** The format that this version writes and reads. */
const JOURNAL_VERSION = 1;

/** Tells one account from another, and holds no secret. */
export interface Account {
  /** In its normal form. */
  readonly baseUrl: string;
  readonly orgId: string | null;
  /** Which store it is, if many stand behind one base URL (an embedded control plane's). */
  readonly store?: string;
}

/** Every line has these. */
export interface Stamped {
  readonly run: string;
  readonly seq: number;
  /** The service's time, milliseconds since the epoch; order is by `seq`. */
  readonly atMs: number;
}

/** The beginning of a run. */
export interface RunLine extends Stamped {
  readonly type: 'run';
  readonly account: Account;
}

/** A request that is about to be sent and whose reply may be lost. Never its body. */
export interface IntentLine extends Stamped {
  readonly type: 'intent';
  readonly step: string;
  readonly kind: string;
  readonly address: string;
  readonly verb: string;
  readonly path: string;
  /** Attributes of the pool that it joins (for example the name of what is made); null when it joins none. */
  readonly pool: JsonObject | null;
  /** Ids that were in the pool before. */
  readonly known: readonly ResourceId[];
  readonly secret: boolean;
  /** Digest of the sinks that were named for the secret. */
  readonly places?: string;
}

/** The end of a step's request so far. `acked`: a reply with this id arrived · `lost`: given up as not having happened. */
export type NoteState = 'acked' | 'stored' | 'proved' | 'done' | 'undone' | 'lost' | 'failed' | 'unknown';

export interface NoteLine extends Stamped {
  readonly type: 'note';
  readonly step: string;
  readonly state: NoteState;
  readonly id: ResourceId | null;
  /** When the resource was made, as the reply shows it; absent if the reply does not. */
  readonly madeAtMs?: number;
}

export interface EndLine extends Stamped {
  readonly type: 'end';
}

export type JournalLine = RunLine | IntentLine | NoteLine | EndLine;

/** The line with its checksum and line end. */
export function lineText(line: JournalLine): string {
  const body = JSON.stringify({ ...line, v: JOURNAL_VERSION }).slice(0, -1);
  return `${body},"crc":"${checksum(body)}"}\n`;
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}

/** Whole lines of ours, and how many are malformed. */
export interface ReadJournal {
  readonly lines: readonly JournalLine[];
  readonly malformed: number;
}

/** Reads a journal's text. A killed run leaves its last line torn: that line is no surprise, and is not counted. Never throws. */
export function parseJournal(text: string): ReadJournal {
  const pieces = text
    .split('\n')
    .slice(0, -1)
    .filter((piece) => piece !== '');
  const lines = pieces.flatMap((piece) => parseLine(piece) ?? []);
  return { lines, malformed: pieces.length - lines.length };
}

const LINE = /^(.{1,65536}),"crc":"([0-9a-f]{8})"\}$/s;

function parseLine(piece: string): JournalLine | null {
  const match = LINE.exec(piece);
  if (match?.[1] === undefined || checksum(match[1]) !== match[2]) return null;
  try {
    const value = parseJson(`${match[1]}}`);
    return isLine(value) ? (value as unknown as JournalLine) : null;
  } catch {
    return null;
  }
}

type Test = (value: Json | undefined) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number';
const isTextOrNull: Test = (value) => value === null || isText(value);
const orAbsent =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);

const STAMP = { v: (value) => value === JOURNAL_VERSION, run: isText, seq: isNumber, atMs: isNumber } satisfies Shape;
const ACCOUNT: Shape = { baseUrl: isText, orgId: isTextOrNull, store: orAbsent(isText) };

type Shape = Readonly<Record<string, Test>>;

const SHAPES: Readonly<Record<JournalLine['type'], Shape>> = {
  run: { ...STAMP, account: (value) => hasShape(value, ACCOUNT) },
  intent: {
    ...STAMP,
    step: isText,
    kind: isText,
    address: isText,
    verb: isText,
    path: isText,
    pool: (value) => value === null || isJsonObject(value),
    known: Array.isArray,
    secret: (value) => typeof value === 'boolean',
    places: orAbsent(isText),
  },
  note: { ...STAMP, step: isText, state: isText, id: isTextOrNull, madeAtMs: orAbsent(isNumber) },
  end: STAMP,
};

function isLine(value: Json): boolean {
  const type = isJsonObject(value) ? value['type'] : undefined;
  return (
    typeof type === 'string' && Object.hasOwn(SHAPES, type) && hasShape(value, SHAPES[type as JournalLine['type']])
  );
}

function hasShape(value: Json | undefined, shape: Shape): boolean {
  return isJsonObject(value) && Object.entries(shape).every(([name, test]) => test(value[name]));
}
