// The journal's text: one JSON object a line, each with a CRC32 of itself. A malformed line is skipped.
import { crc32 } from 'node:zlib';
import { parseJson, type JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';

/** The format that this version writes and reads. */
const JOURNAL_VERSION = 2;

interface Stamped {
  readonly run: string;
  readonly step: string;
  /** The service's time, milliseconds since the epoch. */
  readonly atMs: number;
}

/** A request that is about to be sent and whose reply may be lost. Never its body. */
export interface IntentLine extends Stamped {
  readonly type: 'intent';
  /** Digest of the account that the request goes to. */
  readonly account: string;
  readonly kind: string;
  readonly address: string;
  readonly verb: string;
  readonly path: string;
  /** Attributes of the pool that it joins (for example the name of the new resource); null when it joins none. */
  readonly pool: JsonObject | null;
  /** Ids that were in the pool before. */
  readonly known: readonly ResourceId[];
  readonly secret: boolean;
  /** Digest of the sinks that were named for the secret. */
  readonly places?: string;
}

/** `acked`: a reply with this id arrived · `stored`: its sinks have the secret · `failed`: nothing was made, or it was removed again. */
export type NoteState = 'acked' | 'stored' | 'failed';

export interface NoteLine extends Stamped {
  readonly type: 'note';
  readonly state: NoteState;
  readonly id: ResourceId | null;
  /** When the resource was made, as the reply shows it; absent if the reply does not. */
  readonly madeAtMs?: number;
}

export type JournalLine = IntentLine | NoteLine;

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

/** Reads a journal's text. A killed run leaves its last line torn: that line is not counted. Never throws. */
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
    const value = parseJson(`${match[1]}}`) as JsonObject;
    // The checksum proves that trueup wrote the line, and the version shows which members it has.
    return value['v'] === JOURNAL_VERSION ? (value as unknown as JournalLine) : null;
  } catch {
    return null;
  }
}
