// Secrets that earlier runs may have left behind, by the journal: candidates for the kinds to look at, never a proof.
import type { JsonObject } from '../../base/json.ts';
import { byAccount } from './accounts.ts';
import { creationLines, completedLines, refillLines, secretLines, tracesIn } from './past-runs.ts';
import type { IntentLine, JournalLine, NoteLine, NoteState, Owner } from './lines.ts';
import type { Processes } from './processes.ts';

/** States that need no second look: the secret is where it belongs, what was made is gone, or nothing was. */
const CLOSED: ReadonlySet<NoteState> = new Set(['stored', 'proved', 'done', 'undone', 'failed']);
const STORED: ReadonlySet<NoteState> = new Set(['stored', 'proved', 'done']);
/** Intents kept for later runs, the newest. */
const MAX_KEPT = 200;
/** Runs whose owner is kept even when they left nothing open: their unfinished files can be told from a living run's. */
const RUNS_KEPT = 20;

/** An intent to make a secret, and the notes on it, up to the next attempt. */
interface Intended {
  readonly intent: IntentLine;
  readonly notes: NoteLine[];
}

interface OpenIntent extends Intended {
  /** The note with the id from the reply; null where no reply arrived. */
  readonly acked: NoteLine | null;
  readonly owner: Owner | null;
  /** A later intent at the same address that was stored: whatever this one made is in no place any more. */
  readonly overwrittenBy: Intended | null;
}

/** Intents to make a secret of which nothing proves that it was stored or removed, in the order of the journal. */
function openIntents(lines: readonly JournalLine[]): readonly OpenIntent[] {
  const owners = new Map(lines.flatMap((line) => (line.type === 'run' ? [[line.run, line.owner] as const] : [])));
  const all = intendedIn(lines);
  const storedLast = new Map(
    all.flatMap((one, at) => (storedIn(one) === undefined ? [] : [[whatOf(one), at] as const])),
  );
  return all.flatMap((one, at): readonly OpenIntent[] => {
    if (one.notes.some(({ state }) => CLOSED.has(state))) return [];
    const later = storedLast.get(whatOf(one)) ?? -1;
    return [
      {
        ...one,
        acked: one.notes.find(({ state }) => state === 'acked') ?? null,
        owner: owners.get(one.intent.run) ?? null,
        overwrittenBy: later > at ? (all[later] ?? null) : null,
      },
    ];
  });
}

function intendedIn(lines: readonly JournalLine[]): readonly Intended[] {
  const found = new Map<IntentLine, Intended>();
  for (const { intent, note } of tracesIn(lines, ({ secret }) => secret)) {
    if (note === null) found.set(intent, { intent, notes: [] });
    else found.get(intent)?.notes.push(note);
  }
  return [...found.values()];
}

function whatOf({ intent: { kind, address } }: Intended): string {
  return `${kind} ${address}`;
}

function storedIn({ notes }: Intended): NoteLine | undefined {
  return notes.find(({ state }) => STORED.has(state));
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
    stored_since: overwrittenBy === null ? null : (storedIn(overwrittenBy)?.id ?? null),
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
    .flatMap((one): readonly Intended[] => [one, ...(one.overwrittenBy === null ? [] : [one.overwrittenBy])]);
  const runs = new Set(open.map(({ intent }) => intent.run));
  return [
    ...lines.filter(({ type, run }) => type === 'run' && runs.has(run)),
    ...open.flatMap(({ intent, notes }) => [intent, ...notes]),
    ...creationLines(lines),
    ...completedLines(lines),
    ...secretLines(lines),
    ...refillLines(lines),
  ];
}

/** How long absence is not believed after a request whose reply was lost. */
export const ABSENCE_MS = 2000;

/** How long a new run waits so that a request of an interrupted one has settled: never more than two seconds. */
export function settleDelayMs(lines: readonly JournalLine[], nowMs: number): number {
  const ended = new Set(lines.flatMap((line) => (line.type === 'end' ? [line.run] : [])));
  const sentBy = lines.map((line) => (line.type === 'intent' && !ended.has(line.run) ? line.atMs : -Infinity));
  const newest = sentBy.reduce((latest, atMs) => Math.max(latest, atMs), -Infinity);
  return Math.min(ABSENCE_MS, Math.max(0, newest + ABSENCE_MS - nowMs));
}
