// Plans a reviewed plan anew from what is live now: the same files and options, under no guards but those that its steps have passed.
import type { PlannedAgain } from '../../apply/judge/decide.ts';
import { knownOf } from '../../apply/read/read-input.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Allowance } from '../../model/outcome/consent.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { Session } from '../connect.ts';
import { planAccount } from '../plan-flow.ts';
import type { ApplyRequest } from '../types.ts';
import type { Workspace } from '../workspace.ts';

/** Limits that hold nothing back. */
const NO_LIMITS: SafetyLimits = {
  project: null,
  protect: [],
  windows: [],
  maxDeletes: null,
  maxRestarts: null,
  maxChangePercent: null,
  maxDrops: Infinity,
};

/** Reads again what the steps are about; the reading of the plan holds for the rest. Rejects with `ApiFailure` where nothing can be read. */
export async function planAgain(
  session: Session,
  workspace: Workspace,
  { plan, desired: declared, reading }: ApplyRequest,
  signal: AbortSignal,
): Promise<PlannedAgain> {
  const { steps, options } = plan;
  const { due, target, exclude, noHistory } = options;
  const asked = { due, target, exclude, noHistory, consent: 'reviewed', allow: allowedBy(plan), signal } as const;
  const known = knownOf(reading.live, new Set(steps.map(({ projectId }) => projectId)));
  const outcome = await planAccount(session, workspace, {
    ...asked,
    desired: { ...declared, safety: [NO_LIMITS] },
    known: known && { ...known, isOld: true },
  });
  const nothing = { projects: [], resources: [], histories: new Map(), unread: [], facts: new Map() };
  return { plan: outcome.plan, live: outcome.reading?.live ?? nothing, diagnostics: outcome.diagnostics };
}

/** What the plan was made with, and the losses that its reader has consented to. */
function allowedBy({ options, changes }: Plan): readonly Allowance[] {
  const given = options.allow.map((text) => {
    const at = text.indexOf(':');
    return { action: text.slice(0, at), address: text.slice(at + 1) };
  });
  const running = changes.filter(({ blockedBy }) => blockedBy.length === 0);
  const losses = running.flatMap(({ consents = [] }) =>
    // A declaration consents by what is live: that is judged anew.
    consents.flatMap(({ word, address, given: by }) => (by === 'file' ? [] : [{ action: word, address }])),
  );
  return [...given, ...losses];
}
