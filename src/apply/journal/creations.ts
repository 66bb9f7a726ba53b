// What runs of ours made without a secret, by the journal: what an interrupted replacement left is told from what others made by it.
import type { JsonObject } from '../../base/json.ts';
import type { IntentLine, JournalLine, NoteLine, Owner } from './lines.ts';
import type { Processes } from './processes.ts';

/** Intents kept for later runs, the newest. */
const MAX_KEPT = 200;

interface Creation {
  readonly intent: IntentLine;
  /** Says the id in the reply; null when none arrived. */
  readonly acked: NoteLine | null;
}

/** Per address the newest answered request to make something, and those without an answer since; refused ones made nothing. */
function creationsIn(lines: readonly JournalLine[]): readonly Creation[] {
  const newest = new Map<string, IntentLine>();
  const made = new Map<IntentLine, Creation>();
  for (const line of lines) {
    if (line.type !== 'intent' && line.type !== 'note') continue;
    const step = `${line.run} ${line.step}`;
    if (line.type === 'intent') {
      if (line.secret || line.pool === null) continue;
      newest.set(step, line);
      made.set(line, { intent: line, acked: null });
      continue;
    }
    const intent = newest.get(step);
    if (intent === undefined) continue;
    if (line.state === 'acked') made.set(intent, { intent, acked: line });
    if (line.state === 'failed') made.delete(intent);
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
 * What the kinds are told of it: `{kind, address, path, pool, known, id, made_at_ms, over, at_ms}`. `id` is null when no reply arrived: then
 * only an id that is not in `known` can be the one. `made_at_ms`: when it was made, as the reply told it; null when it did not.
 * `over`: the run has ended, or its process is gone or this one.
 */
export function creationsFrom(lines: readonly JournalLine[], processes: Processes): readonly JsonObject[] {
  const owners = new Map(lines.flatMap((line) => (line.type === 'run' ? [[line.run, line.owner] as const] : [])));
  const ended = new Set(lines.flatMap((line) => (line.type === 'end' ? [line.run] : [])));
  const isOver = (run: string): boolean => {
    const owner = owners.get(run);
    return ended.has(run) || (owner !== undefined && (isSame(owner, processes.self) || !processes.isAlive(owner)));
  };
  return creationsIn(lines).map(({ intent, acked }) => ({
    kind: intent.kind,
    address: intent.address,
    path: intent.path,
    pool: intent.pool,
    known: intent.known,
    id: acked?.id ?? null,
    made_at_ms: acked?.madeAtMs ?? null,
    over: isOver(intent.run),
    at_ms: intent.atMs,
  }));
}

export function isSame(one: Owner, other: Owner): boolean {
  return one.pid === other.pid && one.startTime === other.startTime && one.host === other.host;
}

/** The lines of it that a later run may need, with the beginnings and the ends of their runs. */
export function creationLines(lines: readonly JournalLine[]): ReadonlySet<JournalLine> {
  const kept = creationsIn(lines).slice(-MAX_KEPT);
  const runs = new Set(kept.map(({ intent }) => intent.run));
  const frames = lines.filter(({ type, run }) => (type === 'run' || type === 'end') && runs.has(run));
  return new Set([...frames, ...kept.flatMap(({ intent, acked }) => (acked === null ? [intent] : [intent, acked]))]);
}
