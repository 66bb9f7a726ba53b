// Reads the requests of earlier runs from the journal: their outcomes, the young ones, and the lines worth keeping.
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { LIST_LAG_MS } from '../../model/operations/timing.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Account, IntentLine, JournalLine, NoteLine, NoteState } from './lines.ts';

/** A request with its notes up to the next attempt. */
interface Entry {
  readonly intent: IntentLine;
  readonly notes: readonly NoteLine[];
  /** The note with the id of the reply; null if no reply arrived. */
  readonly acked: NoteLine | null;
  /** `open`: no note says that its secret was stored, or that nothing was made. */
  readonly state: 'open' | 'stored' | 'closed';
  /** Canonical text of the account; null if the beginning of the run is lost. */
  readonly account: string | null;
}

const STORED: ReadonlySet<NoteState> = new Set(['stored', 'proved', 'done']);
const CLOSED: ReadonlySet<NoteState> = new Set(['undone', 'failed']);

function entriesIn(lines: readonly JournalLine[]): readonly Entry[] {
  const accounts = new Map(
    lines.flatMap((line) => (line.type === 'run' ? [[line.run, canonicalJson(line.account)] as const] : [])),
  );
  const found: { readonly intent: IntentLine; readonly notes: NoteLine[] }[] = [];
  const newest = new Map<string, NoteLine[]>();
  for (const line of lines) {
    if (line.type === 'note') newest.get(`${line.run} ${line.step}`)?.push(line);
    if (line.type !== 'intent') continue;
    const notes: NoteLine[] = [];
    newest.set(`${line.run} ${line.step}`, notes);
    found.push({ intent: line, notes });
  }
  return found.map(({ intent, notes }) => {
    const has = (states: ReadonlySet<NoteState>): boolean => notes.some(({ state }) => states.has(state));
    return {
      intent,
      notes,
      acked: notes.find(({ state }) => state === 'acked') ?? null,
      state: has(CLOSED) ? 'closed' : has(STORED) ? 'stored' : 'open',
      account: accounts.get(intent.run) ?? null,
    };
  });
}

function entriesFor(account: Account, lines: readonly JournalLine[]): readonly Entry[] {
  const own = canonicalJson(account);
  return entriesIn(lines).filter((one) => one.account === own);
}

function slotOf({ account, intent: { kind, address } }: Entry): string {
  return `${account} ${kind} ${address}`;
}

/**
 * The kinds see each request for a secret so: `{kind, address, path, verb, pool, known, places, id, made_at_ms, at_ms, answered_at_ms, state,
 * alive, stored_since}`. `id` is null if no reply arrived: then only an id that is not in `known` can be the one. `alive`: its run still
 * holds the lock. `stored_since`: the id of a secret of the address that was stored later. A verb `GET` is a refill of sinks.
 */
export function secretsFrom(
  account: Account,
  lines: readonly JournalLine[],
  holder: string | null,
): readonly JsonObject[] {
  const secrets = entriesFor(account, lines).filter(({ intent, state }) => intent.secret && state !== 'closed');
  const stored = new Map(secrets.flatMap((one, at) => (one.state === 'stored' ? [[slotOf(one), at] as const] : [])));
  return secrets.map((one, at) => {
    const { intent, acked, state } = one;
    const later = stored.get(slotOf(one)) ?? -1;
    const since = later > at ? secrets[later]?.notes.find((note) => STORED.has(note.state)) : undefined;
    const { kind, address, path, verb, pool, known, places = null } = intent;
    return {
      kind,
      address,
      path,
      verb,
      pool,
      known,
      places,
      state,
      id: acked?.id ?? null,
      made_at_ms: acked?.madeAtMs ?? null,
      at_ms: intent.atMs,
      answered_at_ms: acked?.atMs ?? null,
      alive: intent.run === holder,
      stored_since: since?.id ?? null,
    };
  });
}

/** A request whose effect a list may not show yet. */
export interface YoungRequest extends Pick<IntentLine, 'kind' | 'address' | 'verb' | 'path'> {
  /** The service's time from which on a list shows its effect, or never will. */
  readonly untilMs: number;
}

export function youngFor(account: Account, lines: readonly JournalLine[], nowMs: number): readonly YoungRequest[] {
  return entriesFor(account, lines).flatMap((one) => {
    const { kind, address, verb, path } = one.intent;
    return isYoung(one, nowMs) ? [{ kind, address, verb, path, untilMs: lastMs(one) + LIST_LAG_MS }] : [];
  });
}

function lastMs({ intent, acked }: Entry): number {
  return acked?.atMs ?? intent.atMs;
}

/** Whether a list may still lag behind the request. A time in the future comes from a wrong clock. */
function isYoung(one: Entry, nowMs: number): boolean {
  const { secret, pool } = one.intent;
  const mayShow = one.state === 'open' || (one.state === 'stored' && !secret && pool !== null);
  return mayShow && Math.abs(nowMs - lastMs(one)) < LIST_LAG_MS;
}

/** The steps that would repeat a young request, and when the last of these requests is old enough. */
export function repeatedBy(
  steps: readonly Step[],
  young: readonly YoungRequest[],
): { readonly steps: readonly Step[]; readonly untilMs: number } {
  const keyOf = (...parts: readonly string[]): string => parts.join(' ');
  const until = new Map(
    young.map(({ kind, verb, path, address, untilMs }) => [keyOf(kind, verb, path, address), untilMs]),
  );
  const found = steps.flatMap((step) => {
    const untilMs = until.get(keyOf(step.kind, step.method, step.path, step.address));
    return untilMs === undefined ? [] : [{ step, untilMs }];
  });
  return { steps: found.map(({ step }) => step), untilMs: Math.max(0, ...found.map(({ untilMs }) => untilMs)) };
}

/** More secrets than a run has. */
const MAX_KEPT = 20_000;
/** The newest runs are always kept, so that their temporary files are recognised. */
const RUNS_KEPT = 20;

/** Keeps open secrets, the newest stored secret and refill of each address, and young requests. */
export function worthKeeping(lines: readonly JournalLine[], nowMs: number): readonly JournalLine[] {
  const entries = entriesIn(lines).filter(({ account }) => account !== null);
  const latest = new Set(
    new Map(
      entries.flatMap((one) =>
        one.intent.secret && one.state === 'stored' ? [[`${slotOf(one)} ${one.intent.verb === 'GET'}`, one]] : [],
      ),
    ).values(),
  );
  const kept = entries
    .filter((one) => isYoung(one, nowMs) || latest.has(one) || (one.intent.secret && one.state === 'open'))
    .slice(-MAX_KEPT);
  const runs = new Set(kept.map(({ intent }) => intent.run));
  const needed = new Set<JournalLine>([
    ...lines.filter((line) => line.type === 'run').slice(-RUNS_KEPT),
    ...lines.filter(({ type, run }) => (type === 'run' || type === 'end') && runs.has(run)),
    ...kept.flatMap(({ intent, notes }) => [intent, ...notes]),
  ]);
  return lines.filter((line) => needed.has(line));
}

/** The pause between the two looks after a lost reply. */
export const ABSENCE_MS = 2000;
