// Plans a reviewed plan again, from a newer reading. Guards block nothing here, because the steps have already passed them.
import type { PlannedAgain } from '../../apply/judge/decide-plan.ts';
import { knownOf } from '../../apply/read/read-input.ts';
import { kindOf } from '../../kinds/index.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Allowance } from '../../model/outcome/consent.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { leftOutOf } from '../../plan/diff/apart.ts';
import { removedByRule } from '../../plan/match/by-rule.ts';
import type { Parts } from '../workspace.ts';
import { planAccount } from '../plan-flow.ts';
import type { ApplyRequest } from '../types.ts';

const NO_LIMITS: SafetyLimits = {
  project: null,
  protect: [],
  windows: [],
  maxDeletes: null,
  maxRestarts: null,
  maxChangePercent: null,
  maxDrops: Infinity,
};

/** Reads again only the account, and the projects of steps, secrets and renewals. Rejects with `ApiFailure` if nothing can be read. */
export async function planAgain(
  parts: Parts,
  { plan, desired: declared, reading }: ApplyRequest,
  signal: AbortSignal,
): Promise<PlannedAgain> {
  const { steps, options } = plan;
  const { due, target, exclude, noHistory } = options;
  const asked = { due, target, exclude, noHistory, consent: 'reviewed', allow: allowedBy(plan), signal } as const;
  const kept = new Set(
    declared.resources.flatMap((one) => (kindOf(one.kind).upkeep?.mayNeed(one) === true ? [one.scope] : [])),
  );
  const projects = reading.live.projects.flatMap(({ id, label }) => (kept.has(label) ? [id] : []));
  const known = knownOf(reading.live, new Set([null, ...projects, ...steps.map(({ projectId }) => projectId)]));
  const outcome = await planAccount(parts, {
    ...asked,
    removals: removedByRule(plan),
    held: leftOutOf(plan),
    desired: { ...declared, safety: [NO_LIMITS] },
    known: known && { ...known, isOld: true },
  });
  const nothing = { projects: [], resources: [], histories: new Map(), unread: [], facts: new Map() };
  return { plan: outcome.plan, live: outcome.reading?.live ?? nothing, diagnostics: outcome.diagnostics };
}

/** The allowances of the plan, and those for data losses that the reviewer agreed to. */
function allowedBy({ options, changes }: Plan): readonly Allowance[] {
  const given = options.allow.map((text) => {
    const at = text.indexOf(':');
    return { action: text.slice(0, at), address: text.slice(at + 1) };
  });
  const running = changes.filter(({ blockedBy }) => blockedBy.length === 0);
  const losses = running.flatMap(({ consents = [] }) =>
    // Consent in a file depends on the live state, so it is decided again.
    consents.flatMap(({ word, address, given: by }) => (by === 'file' ? [] : [{ action: word, address }])),
  );
  return [...given, ...losses];
}
