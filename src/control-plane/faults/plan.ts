// The plan of faults: which exchanges and operations go wrong, and how. Plain data: it travels as JSON too.

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

export type Garbling = (typeof garblings)[number];
export type ListFault = (typeof listFaults)[number];

/** The values of members, by the words of the tables below. */
export interface Values {
  readonly ms: number;
  /** Milliseconds ahead or behind. */
  readonly offset: number;
  readonly count: number;
  readonly ordinal: number;
  readonly status: number;
  readonly flag: boolean;
  readonly text: string;
  readonly anyText: string;
  readonly texts: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly anything: unknown;
  readonly garbling: Garbling;
  readonly listFault: ListFault;
  readonly part: 'half' | 'end';
  readonly openStatus: 'scheduling' | 'running';
}

/** Members of a fault by their words; a name that ends in `?` may be absent. */
type Checked<M> = {
  readonly [K in keyof M as K extends `${string}?` ? never : K]: M[K] extends keyof Values ? Values[M[K]] : never;
} & {
  readonly [K in keyof M as K extends `${infer N}?` ? N : never]?: M[K] extends keyof Values ? Values[M[K]] : never;
};
type FaultOf<T> = { readonly [K in keyof T]: { readonly kind: K } & Checked<T[K]> }[keyof T];

/** Something that goes wrong with one exchange. "Committed" means that the change has been made all the same. */
export const exchangeFaults = {
  /** Connection refused: nothing was sent. */
  'before-connect': {},
  /** Connection reset before the first byte, in the middle of the request, and after it, before anything was done. */
  'before-send': {},
  'mid-request': {},
  'after-send-before-commit': {},
  /** Committed; then the connection ends without a reply, or within its headers. */
  'after-commit-before-reply': {},
  'mid-headers': {},
  /** Committed; the connection ends within the body: after half of it, or before the end of the stream. */
  'mid-body': { 'at?': 'part' },
  /** Committed and answered; then the connection ends. */
  'after-reply': {},
  /** The connection ends now, the change is committed `delayMs` later. */
  'late-commit': { delayMs: 'ms' },
  /** Taken, never answered. */
  'black-hole': { commit: 'flag' },
  /** Another reply than the true one, with or without commit. A missing body is that of the true reply. */
  reply: { commit: 'flag', status: 'status', 'body?': 'anyText', 'headers?': 'headers' },
  /** Answered as if it had been done, and nothing has changed. */
  pretend: {},
  /** The true reply, malformed. */
  garble: { how: 'garbling' },
  /** The true reply with another value (without one: nothing) at a place, such as `endpoints.*.type`; `*` is any member. */
  rewrite: { at: 'text', 'value?': 'anything' },
  /** The true reply, a few bytes at a time. */
  trickle: { bytes: 'ordinal', everyMs: 'ms' },
  latency: { ms: 'ms' },
  /** 423 and 429. */
  locked: { 'retryAfter?': 'text' },
  'rate-limited': { 'retryAfter?': 'text' },
  list: { how: 'listFault', 'back?': 'count', 'ms?': 'ms' },
  /** Lists of projects are without these, and say so in `unavailable_project_ids`. */
  unavailable: { projects: 'texts' },
  /** Pages hold so many items at most, whatever is asked for. */
  capped: { size: 'ordinal' },
  /** The header `Date` is off by so much; without a number there is none. */
  date: { 'byMs?': 'offset' },
  /** `created_at` of projects, branches, computes and keys comes from a clock that is off by so much. */
  created: { byMs: 'offset' },
} as const;

/** An injected behaviour of operations. */
export const operationFaults = {
  /** Fails for good; `applied` leaves the change in place. */
  fail: { 'applied?': 'flag', 'error?': 'text' },
  /** So many attempts fail and are repeated; the next one ends well. */
  'fail-then-finish': { failures: 'count', 'retryAfterMs?': 'ms' },
  /** Stays scheduling or running for ever. */
  hang: { status: 'openStatus' },
  /** Happens, but the API never shows it. */
  vanish: {},
  /** Says finished, and nothing has changed. */
  lie: {},
  /** Ends with this status word, with or without its effect. */
  status: { status: 'text', 'applied?': 'flag' },
  slow: { durationMs: 'ms' },
  /** Goes back and forth: `times` times it shows `status` (finished) for `everyMs`, and is running again; then it ends well. */
  flap: { times: 'count', 'everyMs?': 'ms', 'status?': 'text' },
  /** The control plane starts an operation of its own beside it, for the same resource; no reply mentions that one. */
  beside: { action: 'text' },
} as const;

export type ExchangeFault = FaultOf<typeof exchangeFaults>;
export type OperationFault = FaultOf<typeof operationFaults>;
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
