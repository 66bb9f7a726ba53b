// What the tests of keys share: declarations as the section makes them, live keys, facts, and the rules' answers in short.
import { inMs } from './times.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { factsToJson, type KeyFacts, type SinkFact } from '../../../../src/kinds/api-key/facts/facts.ts';
import { rules } from '../../../../src/kinds/api-key/rules/rules.ts';
import { section } from '../../../../src/kinds/api-key/section/section.ts';
import type { DesiredResource } from '../../../../src/model/desired.ts';
import type { LiveResource } from '../../../../src/model/live.ts';
import type { SourceRange } from '../../../../src/model/source.ts';
import type { Choice, Intent, KindContext, Verdict } from '../../../../src/plan/kind-rules.ts';

export const NOW_MS: number = Date.UTC(2026, 5, 1, 12);
const ADDRESS = 'api_keys/ci';

const source: SourceRange = {
  file: 'trueup.yaml',
  start: { line: 1, column: 1, offset: 0 },
  end: { line: 1, column: 1, offset: 0 },
};

/** The key `ci` with this entry in the file. */
export function declared(entry: JsonObject = {}): DesiredResource {
  const { spec, options, problems } = section.meaning({
    name: 'ci',
    value: entry,
    project: null,
    projects: [],
    parent: null,
  });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join());
  return {
    kind: 'api_key',
    address: ADDRESS,
    scope: 'api_keys',
    name: 'ci',
    pin: entry['id'] === undefined ? null : String(entry['id']),
    absent: entry['state'] === 'absent',
    isNew: false,
    movedFrom: null,
    spec,
    lifecycle: { protect: false, ignore: [], hold: [], via: null },
    options,
    source,
    sources: {},
  };
}

export interface KeyDraft {
  readonly id: string;
  readonly name?: string;
  /** As `inMs` reads them: `90d` ago; null = the service does not tell. */
  readonly made?: string | null;
  readonly used?: string | null;
  readonly from?: string;
}

/** A live key: made 30 days ago and never used, unless the draft says otherwise. */
export function key({ id, name = 'ci', made = '30d', used = null, from = '192.0.2.7' }: KeyDraft): LiveResource {
  const at = (ago: string | null): Json => (ago === null ? null : new Date(NOW_MS - inMs(ago)).toISOString());
  return {
    kind: 'api_key',
    id,
    projectId: null,
    spec: { name },
    observed: { created_at: at(made), last_used_at: at(used), last_used_from_addr: used === null ? null : from },
    createdAtMs: made === null ? null : NOW_MS - inMs(made),
  };
}

/** A file sink that holds the value of this key; `absent` (also `on ci`), `broken` or `told nothing` (a program's). */
function sink(holds: string): SinkFact {
  const base = { label: 'file:ci.json', id: null, name: null, reason: null, warning: null, isOurs: null };
  if (holds === 'on ci') return { ...base, state: 'absent', warning: 'the machine may vanish' };
  if (holds === 'absent') return { ...base, state: 'absent' };
  if (holds === 'broken') return { ...base, state: 'broken', reason: 'the disk is full' };
  if (holds === 'told nothing') return { ...base, label: 'exec:vault', state: 'stored' };
  return { ...base, state: 'stored', id: holds, name: 'ci', isOurs: false };
}

export interface FactsDraft {
  readonly sinks?: readonly string[];
  readonly self?: string | null;
  readonly isSelfSure?: boolean;
  readonly orphans?: readonly string[];
  readonly unstored?: readonly string[];
  readonly probable?: readonly string[];
  readonly uncertain?: readonly string[];
}

/** By default the run's own key is another one, and it is established. */
export function contextOf({
  sinks,
  self = '1',
  isSelfSure = false,
  orphans = [],
  unstored = [],
  probable = [],
  uncertain = [],
}: FactsDraft = {}): KindContext {
  const facts: KeyFacts = {
    sinks: sinks === undefined ? {} : { [ADDRESS]: sinks.map(sink) },
    self,
    isSelfSure,
    orphans,
    unstored,
    probable,
    uncertain,
  };
  // Through text and back, as it travels in a saved state.
  const json = JSON.parse(JSON.stringify(factsToJson(facts))) as JsonObject;
  return {
    nowMs: NOW_MS,
    project: null,
    liveProject: null,
    history: null,
    facts: json,
    declared: [],
    made: new Map(),
    beside: () => ({ declared: [], facts: {} }),
    around: [],
    parentId: null,
  };
}

export interface Judged {
  readonly choice: Choice;
  readonly verdict: Verdict;
  /** `rotate due`, `revoke 41 [self]`: what is proposed, in short. */
  readonly intents: readonly string[];
  readonly codes: readonly string[];
}

/** Chooses and judges as the planner does. */
export function judge(desired: DesiredResource, live: readonly LiveResource[], facts: FactsDraft = {}): Judged {
  const context = contextOf(facts);
  const choose = rules.choose;
  if (choose === undefined) throw new Error('keys are chosen by their kind');
  const choice = choose(desired, live, context);
  const { live: chosen, companions } = choice;
  const verdict = rules.verdict({
    desired,
    live: chosen,
    companions,
    differs: chosen === null,
    restarts: false,
    context,
  });
  return {
    choice,
    verdict,
    intents: verdict.intents.map((intent) => inShort(intent, context)),
    codes: [...choice.diagnostics, ...verdict.diagnostics].map(({ code }) => code),
  };
}

/** With the guard that the planner asks of every removal. */
function inShort({ action, target, due, blockedBy, allowance, consented }: Intent, context: KindContext): string {
  const guard = target === null ? undefined : rules.removalGuard?.(target, context);
  const blocks = [...blockedBy, ...(guard?.blockedBy ?? [])];
  const needs = allowance === undefined ? [] : [allowance];
  return [
    action,
    ...(target === null ? [] : [target.id]),
    ...(due ? ['due'] : []),
    ...(blocks.length === 0 ? [] : [`[${blocks.join()}]`]),
    ...needs.map((address) => `needs ${address}`),
    ...(consented ? [] : ['asks']),
  ].join(' ');
}
