// The input of every execution: the kinds, the machine, the journal, the signals, and the listeners.
import { comparing } from '../../plan/diff/difference.ts';
import { isJsonObject } from '../../base/json.ts';
import type { SecretSink } from '../../apply/sinks/index.ts';
import { kindOf, kinds } from '../../kinds/index.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Workspace } from '../workspace.ts';
import type { ExecuteInput } from '../../apply/execute.ts';
import type { ApplyEvent } from '../../model/outcome/event.ts';
import type { Entry } from '../enter-folder.ts';
import type { ApplyParts } from '../parts.ts';
import { STEP_TIMEOUT_MS } from '../../model/operations/timing.ts';
import { writesAtOnce } from '../connect.ts';
import type { ApplyRequest, StopSignals } from '../types.ts';

type Machinery = Omit<ExecuteInput, 'plan' | 'histories' | 'planAgain' | 'earlier' | 'onSecret' | 'onMade'>;

interface Frame {
  readonly entry: Entry;
  /** Monotonic, for the whole run; null = none. */
  readonly deadlineMs: number | null;
  readonly emit: (event: ApplyEvent) => void;
}

export function machineryOf(
  { session, workspace, options }: ApplyParts,
  request: ApplyRequest,
  { entry, deadlineMs, emit }: Frame,
): Machinery {
  return {
    kinds: kinds.map((remote) => ({
      remote,
      canonical: comparing(remote),
      marks: (live) => remote.fingerprint(live),
      ...(remote.contents === undefined ? {} : { contents: remote.contents }),
    })),
    client: session.client,
    waiter: session.waiter,
    clock: session.clock,
    journal: entry.journal,
    runId: workspace.runId(),
    openSinks: openSinksOf(workspace),
    stop: stopOf(request),
    parallelism: writesAtOnce(options),
    stepTimeoutMs: options.stepTimeoutMs ?? STEP_TIMEOUT_MS,
    runDeadlineMs: deadlineMs,
    emit,
    ...(options.onPoint === undefined ? {} : { reach: options.onPoint }),
  };
}

export function stopOf({ stop }: ApplyRequest): StopSignals {
  const never = new AbortController().signal;
  return stop ?? { soft: never, hard: never };
}

/** Opens the sinks of a step or a declaration. */
export function openSinksOf(workspace: Workspace): (of: Pick<Step, 'kind' | 'options'>) => readonly SecretSink[] {
  return ({ kind, options }) => {
    const targets = options['secret'];
    const shape = kindOf(kind).record;
    return Array.isArray(targets) && shape !== undefined
      ? workspace.open(targets.filter(isJsonObject), shape).sinks
      : [];
  };
}
