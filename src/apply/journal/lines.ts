// The text of the journal: one JSON object a line. A malformed line is skipped.
import { isJsonObject, parseJson, type JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';

const JOURNAL_VERSION = 2;

interface Stamped {
  readonly run: string;
  readonly step: string;
  /** Milliseconds since the epoch, by the clock of the service. */
  readonly atMs: number;
}

/** A request that is about to be sent and whose reply may be lost. Its body is never written. */
export interface IntentLine extends Stamped {
  readonly type: 'intent';
  /** Digest of the account that the request goes to. */
  readonly account: string;
  readonly kind: string;
  readonly address: string;
  readonly verb: string;
  readonly path: string;
  /** The attributes that identify resources like the new one, for example its name; null if the request creates none. */
  readonly pool: JsonObject | null;
  /** Ids of the resources that matched `pool` before the request. */
  readonly known: readonly ResourceId[];
  readonly secret: boolean;
}

/** `acked`: a reply with this id arrived · `stored`: every sink has the secret · `failed`: nothing was created, or it was removed again. */
export type NoteState = 'acked' | 'stored' | 'failed';

export interface NoteLine extends Stamped {
  readonly type: 'note';
  readonly state: NoteState;
  readonly id: ResourceId | null;
  readonly madeAtMs?: number;
}

export type JournalLine = IntentLine | NoteLine;

export function lineText(line: JournalLine): string {
  return `${JSON.stringify({ ...line, v: JOURNAL_VERSION })}\n`;
}

export interface ReadJournal {
  readonly lines: readonly JournalLine[];
  readonly malformed: number;
}

/** Parses the text of a journal. A killed run may leave a torn last line, which does not count as malformed. Never throws. */
export function parseJournal(text: string): ReadJournal {
  const pieces = text
    .split('\n')
    .slice(0, -1)
    .filter((piece) => piece !== '');
  const lines = pieces.flatMap((piece) => parseLine(piece) ?? []);
  return { lines, malformed: pieces.length - lines.length };
}

function parseLine(piece: string): JournalLine | null {
  try {
    const value = parseJson(piece);
    // The last member of a line is its version, which shows the other members.
    return isJsonObject(value) && value['v'] === JOURNAL_VERSION ? (value as unknown as JournalLine) : null;
  } catch {
    return null;
  }
}
