// Secrets that earlier runs may have left behind, by the journal: candidates for the kinds to look at, never a proof.
import type { JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';
import { byAccount } from './accounts.ts';
import { creationLines, completedLines, refillLines, secretLines } from './past-runs.ts';
import type { IntentLine, JournalLine, NoteLine, NoteState, Owner } from './lines.ts';
import type { Processes } from './processes.ts';

/** States that need no second look: the secret is where it belongs, what was made is gone, or nothing was. */
const CLOSED: ReadonlySet<NoteState> = new Set(['stored', 'proved', 'done', 'undone', 'failed']);
const STORED: ReadonlySet<NoteState> = new Set(['stored', 'proved', 'done']);
/** Intents kept for later runs, the newest. */
const MAX_KEPT = 200;
/** Runs whose owner is kept even when they left nothing open: their unfinished files can be told from a living run's. */
const RUNS_KEPT = 20;

interface OpenIntent {
  readonly intent: IntentLine;
  /** The note with the id from the reply; null where no reply arrived. */
  readonly acked: NoteLine | null;
  readonly owner: Owner | null;
  /** A later intent at the same address that was stored: whatever this one made is in no place any more. */
  readonly overwrittenBy: IntentLine | null;
}

/** Intents to make a secret of which nothing proves that it was stored or removed, in the order of the journal. */
function openIntents(lines: readonly JournalLine[]): readonly OpenIntent[] {
  const owners = new Map<string, Owner>();
  const open: OpenIntent[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.type === 'run') owners.set(line.run, line.owner);
    if (line.type !== 'intent' || !line.secret) continue;
    const notes = notesOf(line, lines.slice(at + 1));
    if (notes.some(({ state }) => CLOSED.has(state))) continue;
    const acked = notes.find(({ state }) => state === 'acked') ?? null;
    open.push({ intent: line, acked, owner: owners.get(line.run) ?? null, overwrittenBy: storedAfter(lines, at) });
  }
  return open;
}

/** The newest stored intent after the one at `at` that makes the same. */
function storedAfter(lines: readonly JournalLine[], at: number): IntentLine | null {
  const first = lines[at];
  const later = lines.findLastIndex(
    (line, place) =>
      place > at &&
      line.type === 'intent' &&
      first?.type === 'intent' &&
      line.secret &&
      line.kind === first.kind &&
      line.address === first.address &&
      notesOf(line, lines.slice(place + 1)).some(({ state }) => STORED.has(state)),
  );
  const found = lines[later];
  return found?.type === 'intent' ? found : null;
}

function storedId(intent: IntentLine, lines: readonly JournalLine[]): ResourceId | null {
  return notesOf(intent, lines.slice(lines.indexOf(intent) + 1)).find(({ state }) => STORED.has(state))?.id ?? null;
}

/** Notes on the same step of the same run, up to its next attempt. */
function notesOf(intent: IntentLine, after: readonly JournalLine[]): readonly NoteLine[] {
  const notes: NoteLine[] = [];
  for (const line of after) {
    if (line.run !== intent.run || (line.type !== 'note' && line.type !== 'intent') || line.step !== intent.step)
      continue;
    if (line.type === 'intent') break;
    notes.push(line);
  }
  return notes;
}

/**
 * What the kinds are told of secrets that an earlier run intended: `{kind, address, path, pool, known, id, made_at_ms, owner_alive, stored_since,
 * at_ms}`. `id` is null when no reply arrived: then only an id that is not in `known` can be the one. `made_at_ms`: when that was made, as
 * the reply told it; null when it did not. Only a dead owner's (or our own) count as ours. `stored_since`: the id of another secret of the
 * address that was stored later.
 */
export function orphansFrom(lines: readonly JournalLine[], processes: Processes): readonly JsonObject[] {
  return openIntents(lines).map(({ intent, acked, owner, overwrittenBy }) => ({
    kind: intent.kind,
    address: intent.address,
    path: intent.path,
    pool: intent.pool,
    known: intent.known,
    id: acked?.id ?? null,
    made_at_ms: acked?.madeAtMs ?? null,
    owner_alive: owner === null || processes.isAlive(owner),
    stored_since: overwrittenBy === null ? null : storedId(overwrittenBy, lines),
    at_ms: intent.atMs,
  }));
}

/**
 * The lines that a later run may need: of each account open intents and what overwrote them, with their runs and notes, and what was
 * made; and who ran last.
 */
export function worthKeeping(lines: readonly JournalLine[]): readonly JournalLine[] {
  const last = lines.filter((line) => line.type === 'run').slice(-RUNS_KEPT);
  const kept = new Set([...last, ...byAccount(lines).flatMap(needed)]);
  return lines.filter((line) => kept.has(line));
}

/** The lines of one account that a later run may need. */
function needed(lines: readonly JournalLine[]): readonly JournalLine[] {
  const open = openIntents(lines)
    .slice(-MAX_KEPT)
    .flatMap(({ intent, overwrittenBy }) => [intent, ...(overwrittenBy === null ? [] : [overwrittenBy])]);
  const runs = new Set(open.map(({ run }) => run));
  return [
    ...lines.filter(({ type, run }) => type === 'run' && runs.has(run)),
    ...open.flatMap((intent) => [intent, ...notesOf(intent, lines.slice(lines.indexOf(intent) + 1))]),
    ...creationLines(lines),
    ...completedLines(lines),
    ...secretLines(lines),
    ...refillLines(lines),
  ];
}

/** How long absence is not believed after a request whose reply was lost. */
export const ABSENCE_MS = 2000;

/** How long an intent may be noted before its request is sent; one that makes a secret is sent at once. */
export const NOTED_AHEAD_MS = 250;

/** How long a new run waits so that a request of an interrupted one has settled: never more than two seconds. */
export function settleDelayMs(lines: readonly JournalLine[], nowMs: number): number {
  const ended = new Set(lines.flatMap((line) => (line.type === 'end' ? [line.run] : [])));
  const sentBy = lines.map((line) =>
    line.type === 'intent' && !ended.has(line.run) ? line.atMs + (line.secret ? 0 : NOTED_AHEAD_MS) : -Infinity,
  );
  const newest = sentBy.reduce((latest, atMs) => Math.max(latest, atMs), -Infinity);
  return Math.min(ABSENCE_MS, Math.max(0, newest + ABSENCE_MS - nowMs));
}
