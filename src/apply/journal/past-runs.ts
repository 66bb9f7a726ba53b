// What runs of this folder did, by the journal: the resources and secrets that they made, and the writes that leave no trace but in the service's log.
import type { JsonObject } from '../../base/json.ts';
import type { IntentLine, JournalLine, NoteLine, Owner } from './lines.ts';
import type { Processes } from './processes.ts';

/** How many creations and other writes are kept for later runs, the newest of each. */
const MAX_KEPT = 200;
/** How many secrets and refills, more than a run comes to: of a forgotten one silent places keep what was there before, or are filled again. */
const MAX_SECRETS_KEPT = 20_000;

interface Trace {
  readonly intent: IntentLine;
  /** Null for the intent itself. */
  readonly note: NoteLine | null;
}

/** Each wanted intent, and each note on it, in the order of the journal. */
export function* tracesIn(lines: readonly JournalLine[], isWanted: (intent: IntentLine) => boolean): Generator<Trace> {
  const newest = new Map<string, IntentLine>();
  for (const line of lines) {
    if (line.type !== 'intent' && line.type !== 'note') continue;
    const step = `${line.run} ${line.step}`;
    const intent = line.type === 'intent' ? line : newest.get(step);
    if (intent === undefined || !isWanted(intent)) continue;
    newest.set(step, intent);
    yield { intent, note: line.type === 'note' ? line : null };
  }
}

interface Creation {
  readonly intent: IntentLine;
  /** The note with the id from the reply; null where no reply arrived. */
  readonly acked: NoteLine | null;
  /** The note that a list has shown it; null where none has. */
  readonly seen: NoteLine | null;
}

/** Per address the newest answered request to make something, and those without an answer since; refused ones made nothing. */
function creationsIn(lines: readonly JournalLine[]): readonly Creation[] {
  const made = new Map<IntentLine, Creation>();
  for (const { intent, note } of tracesIn(lines, ({ secret, pool }) => !secret && pool !== null)) {
    if (note === null) made.set(intent, { intent, acked: null, seen: null });
    if (note?.state === 'acked') made.set(intent, { intent, acked: note, seen: null });
    const { acked = null } = made.get(intent) ?? {};
    if (note?.state === 'seen' && note.id === acked?.id) made.set(intent, { intent, acked, seen: note });
    if (note?.state === 'failed') made.delete(intent);
  }
  const answered = new Set<string>();
  const current = [...made.values()].toReversed().filter(({ intent: { kind, address }, acked }) => {
    const what = `${kind} ${address}`;
    const isCurrent = !answered.has(what);
    if (acked !== null) answered.add(what);
    return isCurrent;
  });
  return current.toReversed();
}

/**
 * What the kinds are told of earlier creations: `{kind, address, path, pool, known, run, id, made_at_ms, seen, over, killed, at_ms}`. `run` made the request. `id` is null when
 * no reply arrived: then only an id that is not in `known` can be the one. `made_at_ms`: when it was made, as the reply told it; null when it did not.
 * `seen`: a list of that run has shown it. `over`: the run has ended, or its process is gone or this one. `killed`: it is over without
 * having said so.
 */
export function creationsFrom(lines: readonly JournalLine[], processes: Processes): readonly JsonObject[] {
  const owners = new Map(lines.flatMap((line) => (line.type === 'run' ? [[line.run, line.owner] as const] : [])));
  const ended = new Set(lines.flatMap((line) => (line.type === 'end' ? [line.run] : [])));
  const isOver = (run: string): boolean => {
    const owner = owners.get(run);
    return ended.has(run) || (owner !== undefined && (isSameOwner(owner, processes.self) || !processes.isAlive(owner)));
  };
  return creationsIn(lines).map(({ intent, acked, seen }) => ({
    kind: intent.kind,
    address: intent.address,
    path: intent.path,
    pool: intent.pool,
    known: intent.known,
    run: intent.run,
    id: acked?.id ?? null,
    made_at_ms: acked?.madeAtMs ?? null,
    seen: seen !== null,
    over: isOver(intent.run),
    killed: isOver(intent.run) && !ended.has(intent.run),
    at_ms: intent.atMs,
  }));
}

export function isSameOwner(one: Owner, other: Owner): boolean {
  return one.pid === other.pid && one.startTime === other.startTime && one.host === other.host;
}

/** The lines on creations that a later run may need, with the beginnings and the ends of their runs. */
export function creationLines(lines: readonly JournalLine[]): ReadonlySet<JournalLine> {
  const kept = creationsIn(lines).slice(-MAX_KEPT);
  return new Set([
    ...frames(lines, kept),
    ...kept.flatMap((one) => [one.intent, one.acked, one.seen].filter((line) => line !== null)),
  ]);
}

/** The beginnings and the ends of the runs that these intents are of. */
function frames(
  lines: readonly JournalLine[],
  kept: readonly { readonly intent: IntentLine }[],
): readonly JournalLine[] {
  const runs = new Set(kept.map(({ intent }) => intent.run));
  return lines.filter(({ type, run }) => (type === 'run' || type === 'end') && runs.has(run));
}

/** A write that leaves no trace but in the service's log: a log with a wrong clock tells of it wrongly, and one that lags late. */
interface Completed {
  readonly intent: IntentLine;
  /** The note that it was answered, or that a run saw it end well. */
  readonly note: NoteLine;
}

/** The newest answered one of each path. */
function completedIn(lines: readonly JournalLine[]): readonly Completed[] {
  const newest = new Map<string, Completed>();
  for (const { intent, note } of tracesIn(lines, ({ secret, pool }) => !secret && pool === null)) {
    if (note?.state !== 'done' && note?.state !== 'acked') continue;
    newest.delete(intent.path);
    newest.set(intent.path, { intent, note });
  }
  return [...newest.values()].slice(-MAX_KEPT);
}

/**
 * What the kinds are told of such writes: `{kind, address, path, id, sent_at_ms, ended}`; sent at that time of the service. `ended`: a run
 * saw that it ended well; else it was answered, and may have failed since.
 */
export function completedFrom(lines: readonly JournalLine[]): readonly JsonObject[] {
  return completedIn(lines).map(({ intent: { kind, address, path, atMs }, note: { id, state } }) => {
    return { kind, address, path, id, sent_at_ms: atMs, ended: state === 'done' };
  });
}

/** The lines on such writes that a later run may need. */
export function completedLines(lines: readonly JournalLine[]): readonly JournalLine[] {
  return completedIn(lines).flatMap(({ intent, note }) => [intent, note]);
}

interface KeptSecret {
  readonly intent: IntentLine;
  readonly acked: NoteLine;
  readonly stored: NoteLine;
}

/** The newest secret of each address that a run made and stored. */
function secretsIn(lines: readonly JournalLine[]): readonly KeptSecret[] {
  const answers = new Map<IntentLine, NoteLine>();
  const newest = new Map<string, KeptSecret>();
  for (const { intent, note } of tracesIn(lines, ({ secret }) => secret)) {
    const acked = answers.get(intent);
    if (note?.state === 'acked') answers.set(intent, note);
    if (note?.state === 'stored' && acked !== undefined) {
      newest.delete(intent.address);
      newest.set(intent.address, { intent, acked, stored: note });
    }
    if (note?.state === 'undone' && newest.get(intent.address)?.intent === intent) newest.delete(intent.address);
  }
  return [...newest.values()].slice(-MAX_SECRETS_KEPT);
}

/** What the kinds are told of stored secrets: `{kind, address, id, places, made_at_ms, answered_at_ms}`. `places`: a digest of those named for it. `made_at_ms`: when it was made, as the reply told it; null when it did not. */
export function secretsFrom(lines: readonly JournalLine[]): readonly JsonObject[] {
  return secretsIn(lines).map(({ intent: { kind, address, places = null }, acked: { id, madeAtMs, atMs } }) => {
    return { kind, address, id, places, made_at_ms: madeAtMs ?? null, answered_at_ms: atMs };
  });
}

/** The lines on stored secrets that a later run may need, with the beginnings and the ends of their runs. */
export function secretLines(lines: readonly JournalLine[]): readonly JournalLine[] {
  const kept = secretsIn(lines);
  return [...frames(lines, kept), ...kept.flatMap(({ intent, acked, stored }) => [intent, acked, stored])];
}

interface Refill {
  readonly intent: IntentLine;
  readonly stored: NoteLine;
}

/** The newest refill of each address that came to its end: its places have what was read then. */
function refillsIn(lines: readonly JournalLine[]): readonly Refill[] {
  const newest = new Map<string, Refill>();
  for (const { intent, note } of tracesIn(lines, ({ secret, verb }) => secret && verb === 'GET')) {
    if (note?.state !== 'stored') continue;
    newest.delete(intent.address);
    newest.set(intent.address, { intent, stored: note });
  }
  return [...newest.values()].slice(-MAX_SECRETS_KEPT);
}

/** What the kinds are told of refilled places: `{kind, address, refilled_at_ms}`. */
export function refillsFrom(lines: readonly JournalLine[]): readonly JsonObject[] {
  return refillsIn(lines).map(({ intent: { kind, address, atMs } }) => ({ kind, address, refilled_at_ms: atMs }));
}

/** The lines on refills that a later run may need, with the beginnings and the ends of their runs. */
export function refillLines(lines: readonly JournalLine[]): readonly JournalLine[] {
  const kept = refillsIn(lines);
  return [...frames(lines, kept), ...kept.flatMap(({ intent, stored }) => [intent, stored])];
}
