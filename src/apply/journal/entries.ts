// Defines the lines of the journal (one JSON object each), derives facts for a later run, and chooses the lines to keep.
import { type JsonObject, isJsonObject, parseJson } from '../../base/json.ts';
import { LIST_LAG_MS } from '../../model/operations/timing.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { ResourceId } from '../../model/desired.ts';

interface Entry {
  readonly intent: IntentLine;
  readonly notes: readonly NoteLine[];
}

function entriesIn(lines: readonly JournalLine[]): readonly Entry[] {
  const found: Entry[] = [];
  const newest = new Map<string, NoteLine[]>();
  for (const line of lines) {
    const key = `${line.run} ${line.step}`;
    if (line.type === 'note') {
      newest.get(key)?.push(line);
      continue;
    }
    const notes: NoteLine[] = [];
    newest.set(key, notes);
    found.push({ intent: line, notes });
  }
  return found.filter((one) => noteOf(one, 'failed') === undefined);
}

function noteOf({ notes }: Entry, state: NoteState): NoteLine | undefined {
  return notes.find((note) => note.state === state);
}

function slotOf({ account, kind, address }: IntentLine): string {
  return `${account} ${kind} ${address}`;
}

/**
 * Returns the account's requests for secrets in the journal, oldest first. `id`: the id in the note `acked`, else null. `known`: the ids in the
 * pool before the request; any other id is new. `at_ms`: the time of that note, else of the request. `alive`: true if `holder`, the run with the
 * lock, sent the request. `stored_since`: the id of the newest secret stored later for the address, or null. The verb `GET`: sinks were filled again.
 */
export function secretsFrom(
  account: string,
  lines: readonly JournalLine[],
  holder: string | null,
): readonly JsonObject[] {
  const secrets = entriesIn(lines).filter(({ intent }) => intent.secret && intent.account === account);
  const since = new Map<string, string | null>();
  const newestFirst = secrets.toReversed().map((one): JsonObject => {
    const { kind, address, path, verb, pool, known, run, atMs } = one.intent;
    const [acked, stored] = [noteOf(one, 'acked'), noteOf(one, 'stored')];
    const slot = slotOf(one.intent);
    const later = since.get(slot) ?? null;
    if (stored !== undefined && !since.has(slot)) since.set(slot, stored.id);
    return {
      kind,
      address,
      path,
      verb,
      pool,
      known,
      state: stored === undefined ? 'open' : 'stored',
      id: acked?.id ?? null,
      made_at_ms: acked?.madeAtMs ?? null,
      at_ms: acked?.atMs ?? atMs,
      alive: run === holder,
      stored_since: later,
    };
  });
  return newestFirst.toReversed();
}

/** The requests whose effect a list may not show yet. Key: `requestKey`; value: the service's time (ms) from which lists show the effect. */
export type YoungRequests = ReadonlyMap<string, number>;

function requestKey(...parts: readonly [kind: string, method: string, path: string, address: string]): string {
  return parts.join(' ');
}

export function youngFor(account: string, lines: readonly JournalLine[], nowMs: number): YoungRequests {
  const young = entriesIn(lines).filter((one) => one.intent.account === account && isYoung(one, nowMs));
  return new Map(
    young.map((one) => {
      const { kind, address, verb, path } = one.intent;
      return [requestKey(kind, verb, path, address), lastMs(one) + LIST_LAG_MS];
    }),
  );
}

function lastMs(one: Entry): number {
  return noteOf(one, 'acked')?.atMs ?? one.intent.atMs;
}

/** True if a list may not show the effect of the request yet. False if its time is far in the future, because then a clock was wrong. */
function isYoung(one: Entry, nowMs: number): boolean {
  const { secret, pool } = one.intent;
  const isShown = noteOf(one, 'stored') !== undefined && (secret || pool === null);
  return !isShown && Math.abs(nowMs - lastMs(one)) < LIST_LAG_MS;
}

/** Returns the steps that would repeat a request in `young`. `untilMs`: the service's time from which lists show the effects of those requests. */
export function repeatedBy(
  steps: readonly Step[],
  young: YoungRequests,
): { readonly steps: readonly Step[]; readonly untilMs: number } {
  const untilOf = ({ kind, method, path, address }: Step): number =>
    young.get(requestKey(kind, method, path, address)) ?? 0;
  const repeated = steps.filter((step) => untilOf(step) > 0);
  return { steps: repeated, untilMs: Math.max(0, ...repeated.map(untilOf)) };
}

/** The maximum number of requests kept in the journal: more than any run sends for secrets. */
const MAX_KEPT = 20_000;

/** Returns the lines of unfinished requests for secrets, each address's newest stored secret and refill (`GET`), and young requests (`isYoung`). */
export function worthKeeping(lines: readonly JournalLine[], nowMs: number): readonly JournalLine[] {
  const entries = entriesIn(lines);
  const isStored = (one: Entry): boolean => noteOf(one, 'stored') !== undefined;
  const secrets = entries.filter(({ intent }) => intent.secret);
  const latest = new Map(
    secrets.filter(isStored).map((one) => [`${slotOf(one.intent)} ${one.intent.verb === 'GET'}`, one]),
  );
  const needed = new Set([...latest.values(), ...secrets.filter((one) => !isStored(one))]);
  return entries
    .filter((one) => needed.has(one) || isYoung(one, nowMs))
    .slice(-MAX_KEPT)
    .flatMap(({ intent, notes }) => [intent, ...notes]);
}

/** After a lost reply, the live state is read twice, this far apart, before the effect counts as absent. */
export const ABSENCE_MS = 2000;

const JOURNAL_VERSION = 2;

interface Stamped {
  readonly run: string;
  readonly step: string;
  /** Milliseconds since the epoch, by the clock of the service. */
  readonly atMs: number;
}

/** A request about to be sent, recorded because the reply may be lost. The body of the request is never recorded. */
export interface IntentLine extends Stamped {
  readonly type: 'intent';
  /** Digest of the account that the request goes to. */
  readonly account: string;
  readonly kind: string;
  readonly address: string;
  readonly verb: string;
  readonly path: string;
  /** The attributes that identify the pool of the new resource, for example the name; null if the request creates no resource. */
  readonly pool: JsonObject | null;
  /** Ids of the resources that matched `pool` before the request. */
  readonly known: readonly ResourceId[];
  readonly secret: boolean;
}

/** `acked`: request accepted · `stored`: done, with the secret (if any) in all sinks · `failed`: nothing done, all undone, or refill incomplete. */
export type NoteState = 'acked' | 'stored' | 'failed';

export interface NoteLine extends Stamped {
  readonly type: 'note';
  readonly state: NoteState;
  readonly id: ResourceId | null;
  readonly madeAtMs: number | null;
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
    // The version `v` implies all other members of the line, so only `v` is checked.
    return isJsonObject(value) && value['v'] === JOURNAL_VERSION ? (value as unknown as JournalLine) : null;
  } catch {
    return null;
  }
}
