// The plan of faults: which exchanges and operations go wrong, and how. Plain data: it travels as JSON too.
import type { OperationFault } from '../resources/operation/fate.ts';

/** Something that goes wrong with one exchange. "Committed" means that the change has been made all the same. */
export type ExchangeFault =
  /** Connection refused: nothing was sent. */
  | { readonly kind: 'before-connect' }
  /** Connection reset before the first byte. */
  | { readonly kind: 'before-send' }
  /** Reset in the middle of the request, and after it, before anything was done. */
  | { readonly kind: 'mid-request' | 'after-send-before-commit' }
  /** Committed; then the connection ends without a reply, or within its headers. */
  | { readonly kind: 'after-commit-before-reply' | 'mid-headers' }
  /** Committed; the connection ends within the body: after half of it, or before the end of the stream. */
  | { readonly kind: 'mid-body'; readonly at?: 'half' | 'end' }
  /** Committed and answered; then the connection ends. */
  | { readonly kind: 'after-reply' }
  /** The connection ends now, the change is committed `delayMs` later. */
  | { readonly kind: 'late-commit'; readonly delayMs: number }
  /** Taken, never answered. */
  | { readonly kind: 'black-hole'; readonly commit: boolean }
  /** Another reply than the true one, with or without commit. A missing body is that of the true reply. */
  | {
      readonly kind: 'reply';
      readonly commit: boolean;
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Answered as if it had been done, and nothing has changed. */
  | { readonly kind: 'pretend' }
  /** The true reply, malformed. */
  | { readonly kind: 'garble'; readonly how: Garbling }
  /** The true reply with another value (without one: nothing) at a place, such as `endpoints.*.type`; `*` is any member. */
  | { readonly kind: 'rewrite'; readonly at: string; readonly value?: unknown }
  /** The true reply, a few bytes at a time. */
  | { readonly kind: 'trickle'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'latency'; readonly ms: number }
  /** 423 and 429. */
  | { readonly kind: 'locked' | 'rate-limited'; readonly retryAfter?: string }
  | { readonly kind: 'list'; readonly how: ListFault; readonly back?: number; readonly ms?: number }
  /** Lists of projects are without these, and say so in `unavailable_project_ids`. */
  | { readonly kind: 'unavailable'; readonly projects: readonly string[] }
  /** Pages hold so many items at most, whatever is asked for. */
  | { readonly kind: 'capped'; readonly size: number }
  /** The header `Date` is off by so much; without a number there is none. */
  | { readonly kind: 'date'; readonly byMs?: number }
  /** `created_at` of projects, branches, computes and keys comes from a clock that is off by so much. */
  | { readonly kind: 'created'; readonly byMs: number };

/** Ways to make a reply malformed. */
export const garblings = [
  'empty',
  'no-content',
  'html',
  'malformed',
  'array',
  'null',
  'no-ids',
  'no-operations',
  'empty-operations',
  'byte-order-mark',
  'utf-16',
  'invalid-utf8',
  'duplicate-keys',
  'duplicate-list',
  'proto-key',
  'unknown-members',
  'gzip',
  'huge',
] as const;

export type Garbling = (typeof garblings)[number];

/** Lists of an older state, of another project, in another order or extent, without a next page, or of another parent. */
export const listFaults = [
  'stale',
  'lagging',
  'elsewhere',
  'reversed',
  'shuffled',
  'first-half',
  'empty',
  'doubled',
  'contradicting',
  'repeated-cursor',
  'no-pagination',
  'foreign',
] as const;

export type ListFault = (typeof listFaults)[number];

export type Fault = ExchangeFault | (OperationFault & { readonly on: 'operation' });

/** Which exchanges (or operations) a rule applies to; what is absent matches all. */
export interface FaultMatch {
  readonly method?: string;
  /** Path below the version segment; `*` stands for one segment, `**` for any rest. */
  readonly path?: string;
  /** Id of the key that asks (exchanges only). */
  readonly actor?: string;
  /** Action of the operation. */
  readonly action?: string;
  readonly endpointId?: string;
  readonly projectId?: string;
  /** Only the n-th match (from 1). */
  readonly nth?: number;
  /** So many matches pass unharmed first. */
  readonly after?: number;
  /** Only for so long after the first match that counts, milliseconds of the control plane's clock. */
  readonly forMs?: number;
  /** Probability of each match, drawn from the plan's seed. */
  readonly chance?: number;
}

export interface FaultRule {
  readonly when?: FaultMatch;
  /** Number of times it happens. Default: 1; `always` has no end. */
  readonly times?: number | 'always';
  readonly fault: Fault;
}

export interface FaultPlan {
  /** Seed of the chances. */
  readonly seed?: number;
  /** Added to every exchange. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
  /** Projects that answer every write with 423. */
  readonly lockedProjects?: readonly string[];
  readonly rules?: readonly FaultRule[];
}
