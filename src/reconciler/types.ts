// The types of the library's entry: the options and the methods of a reconciler.
import type { FileSystem } from '../apply/folder/file-system.ts';
import type { Processes } from '../apply/journal/processes.ts';
import type { KnownReading } from '../apply/read/read-input.ts';
import type { RunPoint } from '../apply/run/run.ts';
import type { StopRequests } from '../apply/run/signals.ts';
import type { RunProgram } from '../apply/sinks/index.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Random } from '../base/random.ts';
import type { Secret } from '../base/secret.ts';
import type { ApiClient, RetryNotice, Send } from '../client/types.ts';
import type { LoadResult } from '../config/load.ts';
import type { FilesInput } from './load.ts';
import type { Address } from '../model/address.ts';
import type { Comparison } from '../model/outcome/comparison.ts';
import type { DesiredState, KindName, ResourceId, SafetyLimits } from '../model/desired.ts';
import type { Diagnostic, Unplanned } from '../model/diagnostic.ts';
import type { DriftReport } from '../model/outcome/drift.ts';
import type { ApplyEvent } from '../model/outcome/event.ts';
import type { LiveProject, LiveState, OperationHistory, Unread } from '../model/live.ts';
import type { Plan, UnmanagedResource } from '../model/outcome/plan.ts';
import type { ResourceResult, RunResult } from '../model/outcome/result.ts';
import type { Allowance, Consent } from '../plan/input.ts';
import type { PlanRecord } from '../plan/record.ts';

/** The parts of the machine that a run uses, besides sockets and time. */
export interface Machine {
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
  /** Runs the programs of sinks. */
  readonly runProgram: RunProgram;
}

/** How a reconciler reaches the service and the machine. Only `baseUrl` and `credential` must be given. */
export interface ReconcilerOptions {
  /** Ends with the version segment, for example `https://console.example.com/api/v2`. `http:` only for loopback. */
  readonly baseUrl: string;
  readonly credential: string | Secret;
  readonly orgId?: string;
  /** The store, if several have one base URL: journals and saved plans belong to one store. */
  readonly store?: string;
  /** Speaks to the service in place of sockets, for example to an embedded control plane. */
  readonly send?: Send;
  /** `http://…` of a proxy. */
  readonly proxy?: string;
  readonly clock?: Clock;
  /** Another machine than this one, for example one that exists only in memory. */
  readonly machine?: Machine;
  readonly random?: Random;
  /** Folder for journal, lock and (by default) secrets; null keeps none. Default: that of `cwd`, by TRUEUP_STATE_DIR, XDG_STATE_HOME or HOME of `env`. */
  readonly stateDir?: string | null;
  /** Files that the desired state is read from: no secret is kept in a work tree of theirs, nor of `cwd`. */
  readonly inputs?: readonly string[];
  readonly cwd?: string;
  readonly secretsDir?: string;
  /** Programs that keep secrets, by the name that the files use. */
  readonly sinks?: ReadonlyMap<string, string>;
  /** Environment of sink programs (the credential's variables are never passed on). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default 600; Infinity = no limit. */
  readonly requestsPerMinute?: number;
  /** Writes in flight, default 10. */
  readonly parallelism?: number;
  /** The longest pause between looks at operations, default 5000. */
  readonly pollIntervalMs?: number;
  /** Default 600000. */
  readonly stepTimeoutMs?: number;
  readonly userAgent?: string;
  readonly onRetry?: (notice: RetryNotice) => void;
  /** Called with the reason when a plan waits before it reads the account again. */
  readonly onPause?: (words: string) => void;
  /** Called at the named moments of an apply, so that a test can end the process there. */
  readonly onPoint?: (point: RunPoint) => void;
}

export interface PlanRequest {
  readonly desired: DesiredState;
  readonly consent?: Consent;
  readonly allow?: readonly Allowance[];
  readonly due?: boolean;
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  /** Leaves the operation logs out: the plan says so, and has another hash. */
  readonly noHistory?: boolean;
  /** Reads each list once, and no log: for commands that show the matching and change nothing. */
  readonly once?: boolean;
  /** An earlier reading of the same desired state, and its outdated parts: only those are read. */
  readonly known?: KnownReading | null;
  /** To verify a run: ids of the projects whose logs count too. The run has followed the operations of the others. */
  readonly logsOf?: ReadonlySet<string>;
  /** To verify a run: ids of the resources that it created, by address. */
  readonly made?: ReadonlyMap<Address, ResourceId>;
  /** To verify or repeat a plan: the addresses that it removes by rule, by id. */
  readonly removals?: ReadonlyMap<ResourceId, Address>;
  readonly signal?: AbortSignal;
}

/** A reading of the account. */
export interface Reading {
  readonly live: LiveState;
}

/** A plan with its reading and its record, or the errors that prevent it. */
export type PlanOutcome = { readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly plan: Plan; readonly reading: Reading; readonly record: PlanRecord }
  | { readonly plan: null; readonly reading: Reading | null; readonly record: null }
);

/** A plan request that is compared with `base`, the files of another git branch. */
export interface ComparisonRequest extends PlanRequest {
  readonly base: Pick<PlanRequest, 'desired' | 'target' | 'exclude'>;
}

/** A plan, and its comparison with other files; `comparison` is null without a plan. */
export type ComparisonOutcome = PlanOutcome & { readonly comparison: Comparison | null };

/** The projects and kinds that a survey reads besides the declared ones. */
export interface SurveyRequest {
  readonly desired: DesiredState;
  /** The projects to read; `label` is the project's id if no file names it. */
  readonly isWanted: (project: LiveProject) => boolean;
  /** Further kinds to read. */
  readonly include?: readonly KindName[];
  /** True if account-wide kinds are read, too. */
  readonly accountWide: boolean;
  readonly signal?: AbortSignal;
}

/** The live resources of the requested projects, and the unclaimed ones among them. */
export interface Survey {
  /** Null after an error. */
  readonly live: LiveState | null;
  readonly unlisted: readonly UnmanagedResource[];
  /** Addresses of what is declared and live, by kind and id. */
  readonly matched: ReadonlyMap<string, Address>;
  /** Ids of the projects that a file names. */
  readonly declared: ReadonlySet<string>;
  /** Projects and sections whose files cannot be judged: nothing of them is unlisted. */
  readonly unplanned: readonly Unplanned[];
  /** Sections that no file names and the credential may not see. */
  readonly hidden: readonly Unread[];
  /** Diagnostics of everything else. */
  readonly diagnostics: readonly Diagnostic[];
}

interface DriftOutcome {
  /** Null after an error. */
  readonly report: DriftReport | null;
  /** Addresses without a difference. */
  readonly matching: readonly Address[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ApplyRequest {
  readonly plan: Plan;
  /** The desired state that the plan was made from. */
  readonly desired: DesiredState;
  /** The reading that the plan was made from. */
  readonly reading: Reading;
  /** True for a plan of an earlier run: it is read again, and checked as a whole before the first write. */
  readonly isSaved?: boolean;
  /** True if the run waited since that reading, for example for an answer. */
  readonly hasPaused?: boolean;
  /** The request of the plan: verification plans again with it. */
  readonly request: Pick<PlanRequest, 'allow' | 'due' | 'target' | 'exclude' | 'consent' | 'noHistory'>;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Called with the id of a new resource as soon as it is known. */
  readonly onMade?: (address: Address, id: ResourceId) => void;
  /** Called after each change of the result; `current` returns the result so far. */
  readonly onResult?: (current: () => RunResult) => void;
  readonly stop?: StopRequests;
  /** Limit of the whole run; null = none. */
  readonly timeoutMs?: number | null;
}

export interface Reconciler {
  readonly client: ApiClient;
  /** Reads and checks files; nothing is sent. */
  load(input: FilesInput): Promise<LoadResult>;
  /** Reads the account (GET only) and makes the plan. */
  plan(request: PlanRequest): Promise<PlanOutcome>;
  /** The same, compared with the files of another git branch; the account is read once for both. */
  compare(request: ComparisonRequest): Promise<ComparisonOutcome>;
  /** The projects of a saved plan with all names by which these limits may mean them. Rejects with `ApiFailure` without an answer. */
  named(input: {
    readonly projects: readonly LiveProject[];
    readonly safety: readonly SafetyLimits[];
    readonly signal: AbortSignal;
  }): Promise<{ readonly projects: readonly LiveProject[]; readonly diagnostics: readonly Diagnostic[] }>;
  /** Executes a plan: waits for operations, and verifies by planning again. */
  apply(request: ApplyRequest): Promise<RunResult>;
  /** Reads the account (GET only) and reports the differences with their likely causes. */
  drift(request: PlanRequest): Promise<DriftOutcome>;
  /** Reads the account (GET only) and returns the live resource of each address; null after an error. */
  list(request: PlanRequest): Promise<{
    readonly resources: Readonly<Record<Address, ResourceResult>> | null;
    /** Parts that could not be read or matched. */
    readonly unread: readonly Unread[];
    readonly diagnostics: readonly Diagnostic[];
  }>;
  /** Reads the account (GET only) and returns the unlisted resources. */
  survey(request: SurveyRequest): Promise<Survey>;
  /** The newest operations of a project. */
  operations(
    projectId: string,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<OperationHistory>;
  close(): Promise<void>;
}
