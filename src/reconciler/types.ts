// The types of the library's entry: what a reconciler is given, and what it can do.
import type { FileSystem } from '../apply/folder/file-system.ts';
import type { Processes } from '../apply/journal/processes.ts';
import type { KnownReading } from '../apply/read/read-input.ts';
import type { RunPoint } from '../apply/run/run.ts';
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
  /** Which store it is, where many stand behind one base URL: the journal and saved plans of one are not another's. */
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
  /** Told, in words, what a plan waits for before it looks at the account again. */
  readonly onPause?: (words: string) => void;
  /** Told of the named moments of an apply, as it passes them: so that a test can end the process there. */
  readonly onPoint?: (point: RunPoint) => void;
}

export interface PlanRequest {
  readonly desired: DesiredState;
  readonly consent?: Consent;
  readonly allow?: readonly Allowance[];
  readonly due?: boolean;
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  /** Leaves the operation logs out: the plan then says so, and its hash is another one. */
  readonly noHistory?: boolean;
  /** Read each list once, and no log: for what shows the plan's matching and changes nothing. What only guards removals is not looked for. */
  readonly once?: boolean;
  /** An earlier reading of the same desired state, and where it holds no longer: only that is read. */
  readonly known?: KnownReading | null;
  /** To verify a run: ids of the projects whose logs count too. The run has followed the operations of the others. */
  readonly logsOf?: ReadonlySet<string>;
  /** To verify a run: ids of the resources that it created, by address. */
  readonly made?: ReadonlyMap<Address, ResourceId>;
  readonly signal?: AbortSignal;
}

/** A reading of the account. */
export interface Reading {
  readonly live: LiveState;
}

/** A plan, the reading that it was made from, and the record with which it can be made again; without a plan, the errors that kept it from being made. */
export type PlanOutcome = { readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly plan: Plan; readonly reading: Reading; readonly record: PlanRecord }
  | { readonly plan: null; readonly reading: Reading | null; readonly record: null }
);

/** A request whose result is told apart from what `base`, the files of another branch, would do. */
export interface ComparisonRequest extends PlanRequest {
  readonly base: Pick<PlanRequest, 'desired' | 'target' | 'exclude'>;
}

/** A plan, and how it stands to another branch's files; `comparison` is null where `plan` is. */
export type ComparisonOutcome = PlanOutcome & { readonly comparison: Comparison | null };

/** The projects and kinds that a survey reads besides the declared ones. */
export interface SurveyRequest {
  readonly desired: DesiredState;
  /** Which projects are read; `label` is the project's id where no file speaks of it. */
  readonly isWanted: (project: LiveProject) => boolean;
  /** Kinds that are read besides those which everybody has. */
  readonly include?: readonly KindName[];
  /** Whether account-wide kinds are read too. */
  readonly accountWide: boolean;
  readonly signal?: AbortSignal;
}

/** Everything that is live in the projects asked for, and what of it no declaration claims. */
export interface Survey {
  /** Null when errors kept it from being read. */
  readonly live: LiveState | null;
  readonly unlisted: readonly UnmanagedResource[];
  /** Addresses of what is declared and live, by kind and id. */
  readonly matched: ReadonlyMap<string, Address>;
  /** Ids of the projects of which a file speaks. */
  readonly declared: ReadonlySet<string>;
  /** Projects and sections of which the files say what cannot be judged: nothing of them is unlisted. */
  readonly unplanned: readonly Unplanned[];
  /** Sections that no file speaks of, and that the credential is not allowed to see: nothing of them can be managed with it. */
  readonly hidden: readonly Unread[];
  /** Diagnostics of everything else. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface DriftOutcome {
  /** Null when errors kept it from being made. */
  readonly report: DriftReport | null;
  /** Addresses without a difference. */
  readonly matching: readonly Address[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How a running apply is asked to stop: `soft` starts no new step and waits for running ones, `hard` finishes open requests only. */
export interface StopSignals {
  readonly soft: AbortSignal;
  readonly hard: AbortSignal;
}

export interface ApplyRequest {
  readonly plan: Plan;
  /** The desired state that the plan was made from. */
  readonly desired: DesiredState;
  /** The reading that the plan was made from. */
  readonly reading: Reading;
  /** True for a plan of an earlier run: what it touches is read anew, and it is checked as a whole before the first write. */
  readonly isSaved?: boolean;
  /** True when something was waited for since that reading, such as an answer. */
  readonly hasPaused?: boolean;
  /** The plan request's own words: the run is verified by planning again. */
  readonly request: Pick<PlanRequest, 'allow' | 'due' | 'target' | 'exclude' | 'consent' | 'noHistory'>;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Told the id of what was made for an address, as soon as it is known. */
  readonly onMade?: (address: Address, id: ResourceId) => void;
  /** Told whenever the result has changed; `current` gives it as it stands. */
  readonly onResult?: (current: () => RunResult) => void;
  readonly stop?: StopSignals;
  /** Limit of the whole run; null = none. */
  readonly timeoutMs?: number | null;
}

export interface Reconciler {
  readonly client: ApiClient;
  /** Reads and checks files; nothing is sent. */
  load(input: FilesInput): Promise<LoadResult>;
  /** Reads the account (GET only) and makes the plan. */
  plan(request: PlanRequest): Promise<PlanOutcome>;
  /** The same, with its changes told apart from those that another branch's files ask for; the account is read once for both. */
  compare(request: ComparisonRequest): Promise<ComparisonOutcome>;
  /**
   * The projects of a saved plan with the names by which these limits may mean them, read (GET only) where they count. Rejects with
   * `ApiFailure` where the service does not answer; a name that is refused is null, and said.
   */
  named(input: {
    readonly projects: readonly LiveProject[];
    readonly safety: readonly SafetyLimits[];
    readonly signal: AbortSignal;
  }): Promise<{ readonly projects: readonly LiveProject[]; readonly diagnostics: readonly Diagnostic[] }>;
  /** Executes a plan: waits, reads back, plans again. */
  apply(request: ApplyRequest): Promise<RunResult>;
  /** Reads the account (GET only) and reports the differences with their likely causes. */
  drift(request: PlanRequest): Promise<DriftOutcome>;
  /** Reads the account (GET only) and tells which live resource each address is; null when errors kept it from that. */
  list(request: PlanRequest): Promise<{
    readonly resources: Readonly<Record<Address, ResourceResult>> | null;
    /** Parts that could not be read or matched, and are therefore missing. */
    readonly unread: readonly Unread[];
    readonly diagnostics: readonly Diagnostic[];
  }>;
  /** Reads the account (GET only) and tells what no file lists. */
  survey(request: SurveyRequest): Promise<Survey>;
  /** The newest operations of a project. */
  operations(
    projectId: string,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<OperationHistory>;
  close(): Promise<void>;
}
