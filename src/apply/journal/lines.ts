// The journal's text: one JSON object a line, each with a CRC32 of itself; whatever does not add up is no line.
import { crc32 } from 'node:zlib';
import { isJsonObject, parseJson, type Json, type JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';

/** The format that this version writes and reads. */
const JOURNAL_VERSION = 1;

/** Who runs: with all three a process is told from every other one. */
export interface Owner {
  readonly pid: number;
  /** When the process started, as the system tells it; empty where it does not. */
  readonly startTime: string;
  readonly host: string;
}

/** What tells one account from another, and holds no secret. */
export interface Account {
  /** In its normal form. */
  readonly baseUrl: string;
  readonly orgId: string | null;
  /** Which store it is, where many stand behind one base URL (an embedded control plane's). */
  readonly store?: string;
}

/** What every line has. */
export interface Stamped {
  readonly run: string;
  readonly seq: number;
  /** Wall time, for people alone: order is by `seq`. */
  readonly atMs: number;
}

/** The beginning of a run. */
export interface RunLine extends Stamped {
  readonly type: 'run';
  readonly owner: Owner;
  /** Whose it was; lines of earlier versions do not tell. */
  readonly account?: Account;
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
  /** Digest of the places that were named for the secret. */
  readonly places?: string;
}

/** What became of a step's request. `acked`: a reply with this id arrived · `seen`: a list has shown it since · `lost`: given up as not having happened. */
export type NoteState = 'acked' | 'seen' | 'stored' | 'proved' | 'done' | 'undone' | 'lost' | 'failed' | 'unknown';

export interface NoteLine extends Stamped {
  readonly type: 'note';
  readonly step: string;
  readonly state: NoteState;
  readonly id: ResourceId | null;
  /** With an id that a reply told: when that was made, as the same reply told it; absent where it did not. */
  readonly madeAtMs?: number;
}

export interface EndLine extends Stamped {
  readonly type: 'end';
}

export type JournalLine = RunLine | IntentLine | NoteLine | EndLine;

/** The line with its checksum and line end. */
export function lineText(line: JournalLine): string {
  // A line that was read has its version with it.
  const { v: _, ...members } = line as JournalLine & { readonly v?: number };
  const body = `{"v":${JOURNAL_VERSION},${JSON.stringify(members).slice(1, -1)}`;
  return `${body},"crc":"${checksum(body)}"}\n`;
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}

/** Lines that are whole and ours, and how many are not. */
export interface ReadJournal {
  readonly lines: readonly JournalLine[];
  readonly damaged: number;
}

/** Reads a journal's text; torn, altered, foreign or future lines are counted and left out. Never throws. */
export function parseJournal(text: string): ReadJournal {
  const lines: JournalLine[] = [];
  let damaged = 0;
  for (const piece of text.split('\n')) {
    if (piece === '') continue;
    const line = parseLine(piece);
    if (line === null) damaged++;
    else lines.push(line);
  }
  return { lines, damaged };
}

/** Earlier releases wrote the version of a line once more when they kept it. */
const TWICE = /^\{"v":1,(?="v":1,)/;
const LINE = /^(.{1,65536}),"crc":"([0-9a-f]{8})"\}$/s;

function parseLine(piece: string): JournalLine | null {
  const match = LINE.exec(piece);
  if (match?.[1] === undefined || checksum(match[1]) !== match[2]) return null;
  try {
    const value = parseJson(`${match[1].replace(TWICE, '{')}}`);
    return isLine(value) ? (value as unknown as JournalLine) : null;
  } catch {
    return null;
  }
}

function isLine(value: Json): boolean {
  if (!isJsonObject(value) || value['v'] !== JOURNAL_VERSION) return false;
  if (typeof value['run'] !== 'string' || typeof value['seq'] !== 'number' || typeof value['atMs'] !== 'number')
    return false;
  switch (value['type']) {
    case 'run':
      return isOwner(value['owner']) && (value['account'] === undefined || isAccount(value['account']));
    case 'intent':
      return (
        ['step', 'kind', 'address', 'verb', 'path'].every((key) => typeof value[key] === 'string') &&
        Array.isArray(value['known']) &&
        typeof value['secret'] === 'boolean' &&
        ['undefined', 'string'].includes(typeof value['places']) &&
        (value['pool'] === null || isJsonObject(value['pool']))
      );
    case 'note':
      return (
        typeof value['step'] === 'string' &&
        typeof value['state'] === 'string' &&
        'id' in value &&
        ['undefined', 'number'].includes(typeof value['madeAtMs'])
      );
    default:
      return value['type'] === 'end';
  }
}

function isAccount(value: Json): boolean {
  if (!isJsonObject(value) || typeof value['baseUrl'] !== 'string') return false;
  const { orgId, store } = value;
  return (orgId === null || typeof orgId === 'string') && (store === undefined || typeof store === 'string');
}

/** True for the shape of an owner, wherever it was read from. */
export function isOwner(value: Json | undefined): boolean {
  return (
    isJsonObject(value) &&
    typeof value['pid'] === 'number' &&
    typeof value['startTime'] === 'string' &&
    typeof value['host'] === 'string'
  );
}
