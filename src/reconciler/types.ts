// The types of the library's entry: the options and methods of a reconciler.
import type { FileSystem } from '../apply/file-system.ts';
import type { Processes } from '../apply/journal/lock.ts';
import type { KnownReading } from '../apply/read/read-scopes.ts';
import type { RunPoint } from '../apply/run/run.ts';
import type { StopRequests } from '../apply/run/signals.ts';
import type { RunProgram } from '../apply/sinks/run-program.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Random } from '../base/random.ts';
import type { Secret } from '../base/secret.ts';
import type { ApiClient, RetryNotice, Send } from '../client/types.ts';
import type { LoadResult } from '../config/load.ts';
import type { FilesInput } from './load.ts';
import type { Address } from '../model/address.ts';
import type { Comparison } from '../model/outcome/guard.ts';
import type { DesiredState, KindName, ResourceId, SafetyLimits } from '../model/desired.ts';
import type { Diagnostic, Unplanned } from '../model/diagnostic.ts';
import type { DriftReport } from '../model/outcome/drift.ts';
import type { ApplyEvent } from '../model/outcome/event.ts';
import type { LiveProject, LiveState, OperationHistory, Unread } from '../model/live.ts';
import type { Plan, UnmanagedResource } from '../model/outcome/plan.ts';
import type { ResourceResult, RunResult } from '../model/outcome/result.ts';
import type { PlanInput } from '../plan/input.ts';
import type { PlanRecord } from '../plan/make-plan.ts';

export interface Machine {
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
  readonly runProgram: RunProgram;
}

export interface ReconcilerOptions {
  /** Ends with the version segment, for example `https://console.example.com/api/v2`. Plain `http:` only for a loopback host. */
  readonly baseUrl: string;
  readonly credential: string | Secret;
  readonly orgId?: string;
  /** Names the store, if several embedded control planes have one base URL; a journal or a saved plan belongs to one store. */
  readonly store?: string;
  /** Sends the requests instead of the network, for example to an embedded control plane. */
  readonly send?: Send;
  readonly proxy?: string;
  readonly clock?: Clock;
  /** The file system, processes and programs to use instead of this computer's, for example in memory. */
  readonly machine?: Machine;
  readonly random?: Random;
  /** The folder for journal, lock and (by default) secrets; null for none. Default: from TRUEUP_STATE_DIR, XDG_STATE_HOME or HOME in `env`. */
  readonly stateDir?: string | null;
  /** The files that declare the desired state. No secret is stored in the git work tree of one of these files, or of `cwd`. */
  readonly inputs?: readonly string[];
  readonly cwd?: string;
  readonly secretsDir?: string;
  /** The programs of exec sinks. A key is the name of a sink in the files, or a pattern with `*` for several names. */
  readonly sinks?: ReadonlyMap<string, string>;
  /** The environment of sink programs; the variables of trueup and the service are never passed on. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default 600; Infinity for no limit. */
  readonly requestsPerMinute?: number;
  /** The most writes in flight at once; default 10. */
  readonly parallelism?: number;
  /** The longest pause between two polls of operations, in milliseconds; default 5000. */
  readonly pollIntervalMs?: number;
  /** How long a step may wait for its operations, in milliseconds; default 600000. */
  readonly stepTimeoutMs?: number;
  readonly userAgent?: string;
  readonly onRetry?: (notice: RetryNotice) => void;
  /** Called with a reason when a plan pauses before it reads the account again. */
  readonly onPause?: (words: string) => void;
  /** Called at each `RunPoint` of an apply, so that a test can end the process at this point. */
  readonly onPoint?: (point: RunPoint) => void;
}

export interface PlanRequest extends Partial<
  Pick<PlanInput, 'consent' | 'allow' | 'due' | 'target' | 'exclude' | 'noHistory' | 'made' | 'removals' | 'held'>
> {
  readonly desired: DesiredState;
  /** True to read each list only once, and no operation log: for commands that only show the matches. */
  readonly once?: boolean;
  /** An earlier reading of the account for the same desired state; only its outdated parts are read again. */
  readonly known?: KnownReading | null;
  /** For verification: ids of the projects whose logs are read, too. In other projects the run has followed every operation. */
  readonly logsOf?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

export interface Reading {
  readonly live: LiveState;
}

export type PlanOutcome = { readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly plan: Plan; readonly reading: Reading; readonly record: PlanRecord }
  | { readonly plan: null; readonly reading: Reading | null; readonly record: null }
);

/** A plan request with `base`: the files of another git branch, to compare with. */
export interface ComparisonRequest extends PlanRequest {
  readonly base: Pick<PlanRequest, 'desired' | 'target' | 'exclude'>;
}

/** `comparison` is null if there is no plan. */
export type ComparisonOutcome = PlanOutcome & { readonly comparison: Comparison | null };

export interface SurveyRequest {
  readonly desired: DesiredState;
  /** Returns true for a project to read. If no file names the project, its `label` is its id. */
  readonly isWanted: (project: LiveProject) => boolean;
  /** Kinds to read although they are normally read only if declared. */
  readonly include?: readonly KindName[];
  readonly accountWide: boolean;
  readonly signal?: AbortSignal;
}

export interface Survey {
  /** Null if an error prevented the survey. */
  readonly live: LiveState | null;
  readonly unlisted: readonly UnmanagedResource[];
  /** Addresses of the live resources that match a declaration. A key is the kind, a space and the id. */
  readonly matched: ReadonlyMap<string, Address>;
  /** Ids of the live projects that the files name. */
  readonly declared: ReadonlySet<string>;
  /** Projects and account-wide kinds that could not be planned; `unlisted` has no resource of these. */
  readonly unplanned: readonly Unplanned[];
  /** Account-wide kinds whose lists the credential may not see, and of which no file declares a resource. */
  readonly hidden: readonly Unread[];
  readonly diagnostics: readonly Diagnostic[];
}

interface DriftOutcome {
  /** Null if an error prevented the report. */
  readonly report: DriftReport | null;
  readonly matching: readonly Address[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ApplyRequest {
  readonly plan: Plan;
  /** The desired state and, as `reading`, the live state that the plan was made from. */
  readonly desired: DesiredState;
  readonly reading: Reading;
  /** True for a plan from an earlier run: the account is read again, and the whole plan checked before the first write. */
  readonly isSaved?: boolean;
  /** True if time passed since `reading`, for example while a person was asked. */
  readonly hasPaused?: boolean;
  /** The request that the plan was made with; verification uses the same request for its plan. */
  readonly request: Pick<PlanRequest, 'allow' | 'due' | 'target' | 'exclude' | 'consent' | 'noHistory'>;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Called with the id of a new resource as soon as it is known. */
  readonly onMade?: (address: Address, id: ResourceId) => void;
  /** Called after each change of the result; `current` returns the result so far. */
  readonly onResult?: (current: () => RunResult) => void;
  readonly stop?: StopRequests;
  /** The time limit of the whole run, in milliseconds; null for none. */
  readonly timeoutMs?: number | null;
}

export interface Reconciler {
  readonly client: ApiClient;
  /** Reads and checks files; sends nothing. */
  load(input: FilesInput): Promise<LoadResult>;
  /** Reads the account (GET only) and makes the plan. */
  plan(request: PlanRequest): Promise<PlanOutcome>;
  /** Plans, and compares with the files of another git branch; the account is read once for both. */
  compare(request: ComparisonRequest): Promise<ComparisonOutcome>;
  /** Adds the live name to each project that an operator's `protect` may cover. Rejects with `ApiFailure` if a request gets no answer. */
  named(input: {
    readonly projects: readonly LiveProject[];
    readonly safety: readonly SafetyLimits[];
    readonly signal: AbortSignal;
  }): Promise<{ readonly projects: readonly LiveProject[]; readonly diagnostics: readonly Diagnostic[] }>;
  /** Executes a plan, waits for operations, and verifies by planning again. */
  apply(request: ApplyRequest): Promise<RunResult>;
  /** Reads the account (GET only) and reports each difference with its likely cause. */
  drift(request: PlanRequest): Promise<DriftOutcome>;
  /** Reads the account (GET only) and returns the live resource of each address; `resources` is null after an error. */
  list(request: PlanRequest): Promise<{
    readonly resources: Readonly<Record<Address, ResourceResult>> | null;
    readonly unread: readonly Unread[];
    readonly diagnostics: readonly Diagnostic[];
  }>;
  /** Reads the account (GET only) and finds the resources that no file declares. */
  survey(request: SurveyRequest): Promise<Survey>;
  operations(
    projectId: string,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<OperationHistory>;
  close(): Promise<void>;
}
