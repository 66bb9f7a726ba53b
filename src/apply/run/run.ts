// The types of one run: its tools, what is known so far, and its events.
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/time/clock.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { ApiClient } from '../../client/types.ts';
import type { OperationWaiter } from '../../client/waiter.ts';
import type { Address } from '../../model/address.ts';
import type { KindName, ResourceId } from '../../model/desired.ts';
import { errorOf, warningOf, type Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent, Progress, StepRef } from '../../model/outcome/event.ts';
import { scopeKey } from '../../model/kind.ts';
import type { Plan, Step, StepId } from '../../model/outcome/plan.ts';
import type { KindRules } from '../../plan/kind-rules.ts';
import type { Journal } from '../journal/journal.ts';
import type { InHand, KindRemote, Recognise, ToldSecret } from '../kind-remote.ts';
import type { LaneId, Lanes } from './lanes.ts';
import type { SecretSink } from '../sinks/sink.ts';
import type { World } from '../judge/world.ts';
import type { SecretLeft } from '../../model/outcome/result.ts';

export type ExecutableKind = KindRemote & Pick<KindRules, 'fingerprint'>;

/** `done`: the resource `id` already fits the step (null: the target of a removal is gone), or `reason` makes the step needless. */
export type Decision =
  | { readonly state: 'send' }
  | { readonly state: 'done'; readonly id: ResourceId | null; readonly reason?: string }
  | { readonly state: 'changed'; readonly reason: string };

/** `satisfied`: nothing had to be sent, because of `reason` · `blocked`: by a guard at its turn · `not_started`: the run stopped earlier. */
export type StepEnd =
  | { readonly end: 'done'; readonly id: ResourceId | null }
  | { readonly end: 'satisfied'; readonly id: ResourceId | null; readonly reason?: string | undefined }
  | { readonly end: 'failed'; readonly diagnostic: Diagnostic }
  | { readonly end: 'unknown'; readonly reason: string; readonly timedOut: boolean }
  | { readonly end: 'skipped' | 'blocked'; readonly reason: string }
  | { readonly end: 'not_started' };

export type Halt = 'stale' | 'unauthorized' | 'timeout' | 'bug';

export interface RunSignals {
  /** Once aborted, no further step is sent. */
  readonly admission: AbortSignal;
  /** Like `admission`, but not aborted by a stale step: a step that fills a slot that this run has freed may still be sent. */
  readonly finishing: AbortSignal;
  /** Once aborted, the run waits for no more operations. */
  readonly waits: AbortSignal;
  /** Once aborted, programs that store a secret are ended. */
  readonly stores: AbortSignal;
  /** Once aborted, requests in flight are given up. */
  readonly requests: AbortSignal;
}

/** An event without its time, which the receiver adds. */
export type Happening = ApplyEvent extends infer E ? (E extends ApplyEvent ? Omit<E, 'atMs'> : never) : never;

export interface RunInput {
  readonly plan: Plan;
  readonly kinds: ReadonlyMap<KindName, ExecutableKind>;
  readonly client: ApiClient;
  readonly waiter: OperationWaiter;
  readonly clock: Clock;
  readonly journal: Journal;
  /** Identifies the plan and this run. Annotations contain this id, so that a later run of the plan recognises the created resources. */
  readonly runId: string;
  readonly openSinks: (of: Pick<Step, 'kind' | 'options'>) => readonly SecretSink[];
  readonly stepTimeoutMs: number;
  /** Monotonic time; Infinity without a deadline. */
  readonly runDeadlineMs: number;
  readonly emit: (event: Happening) => void;
  readonly reach: (point: RunPoint) => void;
  readonly onSecret: (secret: SecretStatus) => void;
  /** Called with the id of a created resource. If the step has an intent, the journal already has the id. */
  readonly onMade: (step: Step, id: ResourceId) => void;
}

export interface Run extends RunInput {
  readonly world: World;
  readonly lanes: Lanes;
  /** The order among steps in one queue, the lowest number first. */
  readonly turnOf: (step: Step) => number;
  readonly signals: RunSignals;
  readonly progress: () => Progress;
  readonly halt: (why: Halt) => void;
  /** The ids of resources that steps of this run target, created or found. */
  readonly claims: Set<ResourceId>;
  /** Pools (see `poolOf`) to which a creation with an unknown outcome may have added a resource. */
  readonly uncertain: Set<string>;
  /** Steps that succeeded in this run; not the steps that were already satisfied. */
  readonly carriedOut: Set<StepId>;
  /** The attributes that steps of this run wrote or found, by resource, oldest first. */
  readonly made: Map<ResourceId, JsonObject[]>;
  /** By address: the id of the resource that a step of this run created, changed or found. */
  readonly madeIds: Map<Address, ResourceId>;
  /** Secrets from replies of this run. If the service does not store a secret, only this run can write it to sinks. */
  readonly inHand: Map<Address, ToldSecret>;
}

export function kindOf(run: Run, step: Step): ExecutableKind {
  const kind = run.kinds.get(step.kind);
  assert(kind !== undefined, `no kind ${step.kind}`);
  return kind;
}

/** True if the step stores a secret that the service can show again. */
export function keepsSecret(run: Run, step: Step): boolean {
  return kindOf(run, step).reveal !== undefined && Array.isArray(step.options['secret']);
}

/** True if the step replaces a secret that the service can show again. */
export function remakesSecret(run: Run, step: Step): boolean {
  return kindOf(run, step).reveal !== undefined && step.action === 'update';
}

/** Returns what shows the effect of a step after a lost reply: for a creation, what its kind defines; for a restart, the log; else attributes. */
export function recognition(run: Run, step: Step): Recognise | 'operation' | 'attributes' {
  if (step.expects.state === 'absent') return kindOf(run, step).recognise(step);
  return step.action === 'restart' ? 'operation' : 'attributes';
}

/** True if the step creates a secret that the service shows only once. */
export function makesCredential(run: Run, step: Step): boolean {
  return kindOf(run, step).record?.removedBy !== undefined && step.expects.state === 'absent';
}

/** Returns the queue of a step. Each project, and each account-wide kind, has one queue, and a second queue for `isSerial` kinds. */
export function laneOf(run: Run, step: Step): LaneId {
  const name = step.projectId ?? `account ${step.kind}`;
  return kindOf(run, step).isSerial === true ? { name: `${name} in turn`, isNarrow: true } : { name, isNarrow: false };
}

/** Returns a text for the pool that a creation adds to: the resources of the scope with the same identifying attributes. Null for other steps. */
export function poolOf(step: Step): string | null {
  if (step.expects.state !== 'absent') return null;
  return canonicalJson([scopeKey(step), step.expects.joins.where]);
}

export function targetIdOf({ expects }: Pick<Step, 'expects'>): ResourceId | null {
  return expects.state === 'present' ? expects.id : null;
}

export function targetsOf(steps: readonly Step[]): Set<ResourceId> {
  return new Set(steps.flatMap((step) => targetIdOf(step) ?? []));
}

export function refOf(step: Step): StepRef {
  return { step: step.id, address: step.address, action: step.action };
}

export function failedBecause(step: Step, code: string, message: string, hint?: string): StepEnd {
  return { end: 'failed', diagnostic: errorOf(code, message, hint, { address: step.address }) };
}

/** Returns an end that stops the run, because the plan no longer fits the account. */
export function staleBecause(step: Step, reason: string): StepEnd {
  return failedBecause(step, 'stale', reason, 'The account changed since the plan was made. Run trueup plan again.');
}

export function warn(
  { emit }: Pick<Run, 'emit'>,
  { address }: Step,
  code: string,
  message: string,
  hint?: string,
): void {
  emit({ type: 'diagnostic', diagnostic: warningOf(code, message, hint, { address }) });
}

export function unreadBecause(step: Step, { message }: Error): StepEnd {
  return failedBecause(
    step,
    'unread',
    `the live state could not be read: ${message}`,
    'Nothing was done. Run trueup apply again.',
  );
}

export function satisfiedBy({ id, reason }: Extract<Decision, { readonly state: 'done' }>): StepEnd {
  return { end: 'satisfied', id, reason };
}

export function unknownBecause(reason: string, timedOut: boolean = false): StepEnd {
  return { end: 'unknown', reason, timedOut };
}

export interface ExecutionReport {
  readonly halted: Halt | 'interrupted' | null;
  readonly inHand: InHand;
}

/** `open`: the secret is created but not stored · `stored`: every sink has the secret · `gone`: the resource of the secret was removed again. */
export interface SecretStatus {
  readonly step: StepId;
  readonly status: 'open' | 'stored' | 'gone';
  readonly what: SecretLeft;
}

/** The named moments of a run, each with what has happened and what has not; tests stop or crash a run there. */
export const RUN_POINTS = {
  approved: 'the plan is approved; nothing is locked or sent',
  locked: 'the lock is held and the journal open; nothing is sent',
  reserved: 'all sinks can take the secret; the secret is not created yet',
  intended: 'the journal has the intent of a write; the write is not sent yet',
  answered: 'the service has answered a write; the answer is not in the journal yet',
  settling: 'the reply to a write was lost; trueup is about to look for the effect of the write',
  acked: 'the answer is in the journal; no secret is stored, and no operation has been waited for',
  waiting: 'trueup is about to wait for operations',
  stored: 'the secret is in all its sinks and not yet used',
  proved: 'the new secret was used once; its step is not yet done',
  removing: 'the secret could not be stored; trueup is about to revoke the key',
  ended: 'a step has ended and been reported',
  executed: 'all steps have ended; nothing is verified yet',
  verified: 'the account is verified; no result is delivered',
  leaving: 'the result is delivered; journal and lock are still there',
} as const;

export type RunPoint = keyof typeof RUN_POINTS;
