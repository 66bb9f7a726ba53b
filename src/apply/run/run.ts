// What the steps of one run share: the world, the lanes, the claims, the signals, and the way to say what happens.
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/time/clock.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { ApiClient } from '../../client/types.ts';
import type { OperationWaiter } from '../../client/operations/waiting.ts';
import type { Address } from '../../model/address.ts';
import type { KindName, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ApplyEvent, Progress } from '../../model/outcome/event.ts';
import { scopeKey } from '../../model/kind.ts';
import type { Contents, LastUse, LiveResource, OperationHistory, OperationRecord } from '../../model/live.ts';
import type { Marks, Plan, Step, StepId } from '../../model/outcome/plan.ts';
import type { Assessment } from '../judge/assess.ts';
import type { Canonical } from '../judge/attributes.ts';
import type { Journal } from '../journal/journal.ts';
import type { InHand, KindRemote, Recognise, ToldSecret } from '../kind-remote.ts';
import type { LaneId, Lanes } from './lanes.ts';
import type { SecretSink } from '../sinks/sink.ts';
import type { World } from '../judge/world.ts';
import type { SecretLeft } from '../../model/outcome/result.ts';

/** A kind as the executor needs it. */
export interface ExecutableKind {
  readonly remote: KindRemote;
  readonly canonical: Canonical;
  /** What tells a live resource from every other, and what of it passes. */
  readonly marks: (live: LiveResource) => Marks;
  /** Missing for kinds that nobody uses. */
  readonly lastUse?: LastUse;
  /** Missing for kinds with which nothing goes. */
  readonly contents?: Contents;
  /** What its attributes refer to. */
  readonly references?: Readonly<Record<string, Referred>>;
}

/** Of a reference: the kind of the referent, and what of it the value is. */
export interface Referred {
  readonly kind: KindName;
  readonly field: string;
  readonly among: 'siblings' | 'project';
}

/**
 * How a step ended. `satisfied`: it was so before; `reason` where that is not plain · `held`: a guard kept it from being sent ·
 * `not_started`: nothing of it was done, because the run was stopped.
 */
export type StepEnd =
  | { readonly end: 'done'; readonly id: ResourceId | null }
  | { readonly end: 'satisfied'; readonly id: ResourceId | null; readonly reason?: string }
  | { readonly end: 'failed'; readonly diagnostic: Diagnostic }
  | { readonly end: 'unknown'; readonly reason: string; readonly timedOut: boolean }
  | { readonly end: 'stale'; readonly reason: string }
  | { readonly end: 'skipped'; readonly reason: string }
  | { readonly end: 'held'; readonly reason: string }
  | { readonly end: 'not_started' };

/** Why no further step starts, besides the user's request. */
export type Halt = 'stale' | 'unauthorized' | 'timeout' | 'bug';

/** Signals of growing urgency. */
export interface RunSignals {
  /** No step that has not been sent may be. */
  readonly admission: AbortSignal;
  /** The same for what finishes a chain that the run has begun: it may be sent although another step was stale. */
  readonly finishing: AbortSignal;
  /** Operations are no longer waited for. */
  readonly waits: AbortSignal;
  /** Programs that store a secret are ended. */
  readonly stores: AbortSignal;
  /** Open requests are given up. */
  readonly requests: AbortSignal;
}

/** A resource that holds a secret which is kept nowhere, and that could not be removed. */
export interface SecretAtRisk {
  readonly step: Step;
  readonly id: ResourceId;
}

/** An event without its time. */
export type Happening = ApplyEvent extends infer E ? (E extends ApplyEvent ? Omit<E, 'atMs'> : never) : never;

/** What the steps of a run share: what they may use, what they know of each other so far, and how they tell. */
export interface Run {
  readonly use: RunTools;
  readonly known: RunKnowledge;
  readonly tell: RunTeller;
}

/** What a step may use. */
export interface RunTools {
  readonly clock: Clock;
  readonly client: ApiClient;
  readonly waiter: OperationWaiter;
  readonly world: World;
  readonly lanes: Lanes;
  /** Its turn among the steps that wait for the same lane, the lowest first. */
  readonly turnOf: (step: Step) => number;
  readonly journal: Journal;
  readonly runId: string;
  readonly signals: RunSignals;
  readonly stepTimeoutMs: number;
  /** Monotonic; Infinity = none. */
  readonly runDeadlineMs: number;
  readonly kinds: ReadonlyMap<KindName, ExecutableKind>;
  readonly openSinks: (of: Pick<Step, 'kind' | 'options'>) => readonly SecretSink[];
  /** What is carried out. */
  readonly plan: Plan;
}

/** What the steps know of each other and of earlier runs; it grows as they end. */
export interface RunKnowledge {
  /** Operation logs as they were read before the run, by project. */
  readonly histories: ReadonlyMap<string, OperationHistory>;
  /** What the journal told of earlier runs when this one began. */
  readonly earlier: readonly JsonObject[];
  /** Ids that belong to steps of this run. */
  readonly claims: Set<ResourceId>;
  /** By id, others' operations as they were when they had been waited for: a log may lag behind that. */
  readonly joined: Map<string, OperationRecord>;
  /** Pools in which a creation has an unknown outcome. */
  readonly uncertain: Set<string>;
  /** When each step ended well, monotonic. */
  readonly endedAtMs: Map<StepId, number>;
  /** Ids of steps that this run itself has carried out. */
  readonly carriedOut: Set<StepId>;
  /** Steps after which a place is free. */
  readonly freed: Set<StepId>;
  /** What the steps of this run have made of each resource, oldest first. */
  readonly made: Map<ResourceId, JsonObject[]>;
  /** The ids of what the steps of this run have made or found, by address. */
  readonly madeIds: Map<Address, ResourceId>;
  readonly atRisk: SecretAtRisk[];
  /** Of kinds whose secrets can be read again: where the service keeps none, nobody else has them. */
  readonly inHand: Map<Address, ToldSecret>;
}

/** How a step tells what happens. */
export interface RunTeller {
  readonly emit: (event: Happening) => void;
  /** Told of the named moments of the run. */
  readonly reach: (point: RunPoint) => void;
  readonly progress: () => Progress;
  readonly halt: (why: Halt) => void;
  /** Told what becomes of each secret, as soon as it is so. */
  readonly onSecret: (secret: SecretStatus) => void;
  /** Told the id of what a step has made. */
  readonly onMade: (step: Step, id: ResourceId) => void;
}

export function kindOf(run: Run, step: Step): ExecutableKind {
  const kind = run.use.kinds.get(step.kind);
  assert(kind !== undefined, `no kind ${step.kind}`);
  return kind;
}

/** True for a step that leaves a secret in places, of a kind whose secrets can be read again. */
export function keepsSecret(run: Run, step: Step): boolean {
  return kindOf(run, step).remote.reveal !== undefined && Array.isArray(step.options['secret']);
}

/** True for a step that makes a new secret in the place of one, of a kind whose secrets can be read again, whether or not it has places itself. */
export function remakesSecret(run: Run, step: Step): boolean {
  return kindOf(run, step).remote.reveal !== undefined && step.action === 'update';
}

/**
 * How the effect of a step is recognised when its reply was lost: as its kind says for a creation; by the operation log for a restart, which
 * no attribute shows; else by the attributes.
 */
export function recognition(run: Run, step: Step): Recognise | 'operation' | 'attributes' {
  if (step.expects.state === 'absent') return kindOf(run, step).remote.recognise(step);
  return step.action === 'restart' ? 'operation' : 'attributes';
}

/** True for a step that makes a secret which the service shows once. */
export function makesCredential(run: Run, step: Step): boolean {
  return kindOf(run, step).remote.record?.removedBy !== undefined && step.expects.state === 'absent';
}

/** The lane that a step writes in: that of its project, or the narrow one beside it of the kinds that take one write at a time. */
export function laneOf(run: Run, step: Step): LaneId {
  const name = step.projectId ?? `account ${step.kind}`;
  return kindOf(run, step).remote.isSerial === true
    ? { name: `${name} in turn`, isNarrow: true }
    : { name, isNarrow: false };
}

/** The pool that a creation joins, as a text that equal pools share; null for a step that creates nothing. */
export function poolOf(step: Step): string | null {
  if (step.expects.state !== 'absent') return null;
  return canonicalJson([scopeKey(step), step.expects.joins.where]);
}

/** Ids of the live resources that the steps act on. */
export function targetsOf(steps: readonly Step[]): Set<ResourceId> {
  return new Set(steps.flatMap(({ expects }) => (expects.state === 'present' ? [expects.id] : [])));
}

export function refOf(step: Step): {
  readonly step: StepId;
  readonly address: string;
  readonly action: Step['action'];
} {
  return { step: step.id, address: step.address, action: step.action };
}

export function failedBecause(step: Step, code: string, message: string, hint?: string): StepEnd {
  const diagnostic = { severity: 'error', code, message, address: step.address } as const;
  return { end: 'failed', diagnostic: hint === undefined ? diagnostic : { ...diagnostic, hint } };
}

/** Tells of a step what does not end it. */
export function warn(
  { tell }: Pick<Run, 'tell'>,
  { address }: Step,
  code: string,
  message: string,
  hint?: string,
): void {
  const diagnostic = { severity: 'warning', code, message, address } as const;
  tell.emit({ type: 'diagnostic', diagnostic: hint === undefined ? diagnostic : { ...diagnostic, hint } });
}

/** A list that is needed to judge the step could not be read. */
export function unreadBecause(step: Step, { message }: Error): StepEnd {
  return failedBecause(
    step,
    'unread',
    `the live state could not be read: ${message}`,
    'Nothing was sent. Run trueup apply again.',
  );
}

export function satisfiedBy({ id, reason }: Extract<Assessment, { readonly state: 'satisfied' }>): StepEnd {
  return { end: 'satisfied', id, ...(reason === undefined ? {} : { reason }) };
}

export function unknownBecause(reason: string, timedOut: boolean = false): StepEnd {
  return { end: 'unknown', reason, timedOut };
}

export interface ExecutionReport {
  /** Why steps were kept from starting; null when each had its turn. */
  readonly halted: Halt | 'interrupted' | null;
  readonly secretsAtRisk: readonly SecretAtRisk[];
  readonly inHand: InHand;
}

/** `open`: it is made, and kept nowhere yet, or not to be kept · `stored`: in all its places · `gone`: what holds it was removed again. */
export interface SecretStatus {
  readonly step: StepId;
  readonly status: 'open' | 'stored' | 'gone';
  /** What is left if nobody removes it. */
  readonly what: SecretLeft;
}

/** The named moments of a run: what has happened at each, and what has not. */
export const RUN_POINTS = {
  approved: 'the plan is approved; nothing is locked or sent',
  locked: 'the lock is held and the journal open; nothing is sent',
  reserved: 'all sinks can take the secret; it is not created',
  intended: 'the intent of a write is on the disk; it is not sent',
  answered: 'the service has answered a write; the journal does not know it',
  settling: 'the reply of a write was lost; its effect is about to be looked for',
  acked: 'the answer is in the journal; nothing is stored or waited for',
  waiting: 'operations are about to be waited for',
  stored: 'the secret is in all its sinks and not yet used',
  proved: 'the new secret was used once; its step is not yet done',
  removing: 'the secret could not be stored; its key is about to be revoked',
  ended: 'a step has ended and been reported',
  executed: 'all steps have ended; nothing is verified yet',
  verified: 'the account is verified; no result is delivered',
  leaving: 'the result is delivered; journal and lock are still there',
} as const;

export type RunPoint = keyof typeof RUN_POINTS;
