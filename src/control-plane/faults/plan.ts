// The types of fault plans: which exchanges and operations fail, and how. A plan is plain JSON data.

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

/** Faults that replace a list by an older list or another project's list, or change its order, items or pagination. */
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

/** The types of fault members, by the names that the tables below use. */
export interface Values {
  readonly ms: number;
  /** Milliseconds to add to a time; a negative number makes the time earlier. */
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

/** Turns a table of members into a type. A member whose name ends in `?` is optional. */
type Checked<M> = {
  readonly [K in keyof M as K extends `${string}?` ? never : K]: M[K] extends keyof Values ? Values[M[K]] : never;
} & {
  readonly [K in keyof M as K extends `${infer N}?` ? N : never]?: M[K] extends keyof Values ? Values[M[K]] : never;
};
type FaultOf<T> = { readonly [K in keyof T]: { readonly kind: K } & Checked<T[K]> }[keyof T];

/** Faults of one HTTP exchange, each with its members. The documentation of the local server explains each fault. */
export const exchangeFaults = {
  'before-connect': {},
  'before-send': {},
  'mid-request': {},
  'after-send-before-commit': {},
  'after-commit-before-reply': {},
  'mid-headers': {},
  'mid-body': { 'at?': 'part' },
  'after-reply': {},
  'late-commit': { delayMs: 'ms' },
  'black-hole': { commit: 'flag' },
  reply: { commit: 'flag', status: 'status', 'body?': 'anyText', 'headers?': 'headers' },
  pretend: {},
  garble: { how: 'garbling' },
  rewrite: { at: 'text', 'value?': 'anything' },
  trickle: { bytes: 'ordinal', everyMs: 'ms' },
  latency: { ms: 'ms' },
  locked: { 'retryAfter?': 'text' },
  'rate-limited': { 'retryAfter?': 'text' },
  list: { how: 'listFault', 'back?': 'count', 'ms?': 'ms' },
  unavailable: { projects: 'texts' },
  capped: { size: 'ordinal' },
  date: { 'byMs?': 'offset' },
  created: { byMs: 'offset' },
} as const;

export const operationFaults = {
  fail: { 'applied?': 'flag', 'error?': 'text' },
  'fail-then-finish': { failures: 'count', 'retryAfterMs?': 'ms' },
  hang: { status: 'openStatus' },
  vanish: {},
  lie: {},
  status: { status: 'text', 'applied?': 'flag' },
  slow: { durationMs: 'ms' },
  flap: { times: 'count', 'everyMs?': 'ms', 'status?': 'text' },
  beside: { action: 'text' },
} as const;

export type ExchangeFault = FaultOf<typeof exchangeFaults>;
export type OperationFault = FaultOf<typeof operationFaults>;
export type Fault = ExchangeFault | (OperationFault & { readonly on: 'operation' });

/** Which exchanges or operations a rule applies to; an absent member matches all. */
export interface FaultMatch {
  readonly method?: string;
  /** Path below the version segment; `*` stands for any text without `/`, `**` for any text. */
  readonly path?: string;
  /** Id of the API key that sends the request (exchanges only). */
  readonly actor?: string;
  readonly action?: string;
  readonly endpointId?: string;
  readonly projectId?: string;
  /** The rule strikes only at this match; the first match is 1. */
  readonly nth?: number;
  /** The rule skips this number of matches first. */
  readonly after?: number;
  /** The rule strikes only within this time after the first match that `after` lets pass, in milliseconds of the clock. */
  readonly forMs?: number;
  /** Probability that the rule strikes at a match; random numbers come from the plan's seed. */
  readonly chance?: number;
}

export interface FaultRule {
  readonly when?: FaultMatch;
  /** The most times that the rule strikes. Default: 1; `always` is unlimited. */
  readonly times?: number | 'always';
  readonly fault: Fault;
}

export interface FaultPlan {
  /** Seed of the random numbers for `chance` and `latencyMs`. */
  readonly seed?: number;
  /** The range of a random latency in milliseconds, which is added to every exchange. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
  /** Projects that count as having conflicting operations, so that their changes are refused with 423. */
  readonly lockedProjects?: readonly string[];
  readonly rules?: readonly FaultRule[];
}
