// What the tests of keys share: declarations as the section makes them, live keys, facts, and the rules' answers in short.
import { parseDurationMs } from '../../../../src/base/time/duration.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { apiKey } from '../../../../src/kinds/api-key/api-key.ts';
import type { Leftover } from '../../../../src/kinds/api-key/key.ts';
import type { SinkFact } from '../../../../src/kinds/shared/secret-sinks.ts';
import type { DesiredResource } from '../../../../src/model/desired.ts';
import type { LiveResource } from '../../../../src/model/live.ts';
import type { Plan } from '../../../../src/model/outcome/plan.ts';
import type { PlanInput } from '../../../../src/plan/input.ts';
import type { Choice, Intent, KindContext, Verdict } from '../../../../src/plan/kind-rules.ts';
import { makePlan } from '../../../../src/plan/make-plan.ts';
import { bareInput, declaredAs } from '../../plan/support/world.ts';

/** A duration: `7d`, `-1h` for what lies ahead. */
export function inMs(text: string): number {
  const ms = parseDurationMs(text.replace(/^-/, ''));
  if (ms === undefined) throw new Error(`no duration: ${text}`);
  return text.startsWith('-') ? -ms : ms;
}

export const NOW_MS: number = Date.UTC(2026, 5, 1, 12);
const ADDRESS = 'api_keys/ci';

/** A key that goes to a file; with `every`, it is rotated. */
export const FILE = { secret: { file: 'ci.json' } };
export const every = (revoke = 'when_unused'): JsonObject => ({
  ...FILE,
  rotate: { every: '90d', overlap: '7d', revoke },
});

/** The key `ci` with this entry in the file. */
export function declared(value: JsonObject = {}): DesiredResource {
  const { spec, options, problems } = apiKey.meaning({ name: 'ci', value, project: null, projects: [], parent: null });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join());
  const pin = value['id'] === undefined ? null : String(value['id']);
  const absent = value['state'] === 'absent';
  return declaredAs({ kind: 'api_key', address: ADDRESS, scope: 'api_keys', name: 'ci', pin, absent, spec, options });
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
  const base = { label: 'file:ci.json', target: { file: 'ci.json' }, holds: null, reason: null };
  if (holds === 'on ci') return { ...base, state: 'absent', warning: 'the machine may vanish' };
  if (holds === 'absent') return { ...base, state: 'absent' };
  if (holds === 'broken') return { ...base, state: 'broken', reason: 'the disk is full' };
  if (holds === 'told nothing') return { ...base, label: 'exec:vault', state: 'stored' };
  return { ...base, state: 'stored', holds: { id: holds, name: 'ci' }, isOurs: false };
}

/** Live keys as texts: `41 60d used 1h, 42 of unknown age`. */
export function keysIn(text: string): LiveResource[] {
  const drafts = text === '' ? [] : text.split(', ');
  return drafts.map((draft) => {
    const [, id = '', age, used = null, name = 'ci'] =
      /^(\d+)(?: (\d\w+|of unknown age))?(?: used (\w+))?(?: named (\w+))?$/.exec(draft) ?? [];
    return key({ id, name, used, made: age === 'of unknown age' ? null : (age ?? '30d') });
  });
}

export interface FactsDraft {
  /** What each sink of `ci` holds, as `sink` reads it: `42, absent`. */
  readonly sinks?: string | undefined;
  readonly self?: string | null;
  readonly isSelfSure?: boolean;
  readonly leftovers?: Readonly<Record<string, Leftover>>;
}

/** By default the run's own key is another one, and it is established. */
export function contextOf({ sinks, self = '1', isSelfSure = false, leftovers = {} }: FactsDraft = {}): KindContext {
  const facts = {
    sinks: sinks === undefined ? {} : { [ADDRESS]: sinks === '' ? [] : sinks.split(', ').map(sink) },
    self,
    self_sure: isSelfSure,
    leftovers,
  };
  // Through text and back, as it travels in a saved state.
  const json = JSON.parse(JSON.stringify(facts)) as JsonObject;
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
export function judge(desired: DesiredResource, all: readonly LiveResource[], facts: FactsDraft = {}): Judged {
  const context = contextOf(facts);
  const choose = apiKey.choose;
  if (choose === undefined) throw new Error('keys are chosen by their kind');
  const choice = choose(desired, all, context);
  const { live, companions } = choice;
  const verdict = apiKey.verdict({ desired, live, companions, differs: live === null, restarts: false, context });
  return {
    choice,
    verdict,
    intents: verdict.intents.map((intent) => inShort(intent, context)),
    codes: [...choice.diagnostics, ...verdict.diagnostics].map(({ code }) => code),
  };
}

/** With the guard that the planner asks of every removal. */
function inShort({ action, target, due, blockedBy, allowance, consented }: Intent, context: KindContext): string {
  const guard = target === null ? undefined : apiKey.removalGuard?.(target, context);
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

/** What is declared, lives, is known and asked. */
export interface Wish {
  readonly desired: readonly DesiredResource[];
  readonly live: readonly LiveResource[];
  readonly facts?: FactsDraft;
  readonly more?: Partial<Omit<PlanInput, 'desired' | 'live'>>;
  readonly prune?: boolean;
}

/** The plan of keys alone. */
export function planOf({ desired, live, facts = {}, more = {}, prune = false }: Wish): Plan {
  return makePlan(
    bareInput({
      desired: { resources: desired, accountPrune: prune ? ['api_key'] : [] },
      live: { resources: live, facts: new Map([['api_key', contextOf(facts).facts]]) },
      kinds: [apiKey],
      nowMs: NOW_MS,
      ...more,
    }),
  );
}
