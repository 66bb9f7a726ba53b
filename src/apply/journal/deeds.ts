// What runs of ours have surely done that leaves no trace but in the service's log: a log with a wrong clock tells it wrongly.
import type { JsonObject } from '../../base/json.ts';
import type { IntentLine, JournalLine, NoteLine } from './lines.ts';

/** Kept for later runs, the newest. */
const MAX_KEPT = 200;

interface Deed {
  readonly intent: IntentLine;
  readonly done: NoteLine;
}

/** The newest of each path of which a run saw the end. */
function deedsIn(lines: readonly JournalLine[]): readonly Deed[] {
  const open = new Map<string, IntentLine>();
  const newest = new Map<string, Deed>();
  for (const line of lines) {
    if (line.type !== 'intent' && line.type !== 'note') continue;
    const step = `${line.run} ${line.step}`;
    if (line.type === 'intent') {
      if (!line.secret && line.pool === null) open.set(step, line);
      continue;
    }
    const intent = open.get(step);
    if (intent === undefined || line.state !== 'done') continue;
    newest.delete(intent.path);
    newest.set(intent.path, { intent, done: line });
  }
  return [...newest.values()].slice(-MAX_KEPT);
}

/** What the kinds are told of it: `{kind, address, path, id, done_at_ms}`; it was sent at that time of the service, and ended well. */
export function deedsFrom(lines: readonly JournalLine[]): readonly JsonObject[] {
  return deedsIn(lines).map(({ intent: { kind, address, path, atMs }, done: { id } }) => {
    return { kind, address, path, id, done_at_ms: atMs };
  });
}

/** The lines of it that a later run may need. */
export function deedLines(lines: readonly JournalLine[]): readonly JournalLine[] {
  return deedsIn(lines).flatMap(({ intent, done }) => [intent, done]);
}
