// The result of a run in progress: when to write it, and its final form if the process ends at once.
import type { Clock } from '../../base/time/clock.ts';
import type { RunResult, SecretLeft, StepResult } from '../../model/outcome/result.ts';
import { listOfFirst } from '../../base/text/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { nameText, shown } from '../../render/text/escape.ts';

export interface GrowingResult {
  readonly onResult: (current: () => RunResult) => void;
  end(result: RunResult): void;
  /** The final result; during the run, the result so far. Null before the first step. */
  cutOff(): Cut | null;
  /** The result so far of a run that an error ends; null if no step had begun. */
  brokenOff(): Cut | null;
}

export interface Cut {
  readonly result: RunResult;
  readonly unsaid: readonly Diagnostic[];
}

/** The minimum time between two writes of a growing result, because a large result takes long to write. */
const EVERY_MS = 500;

export function growingResult(clock: Clock, write: (current: () => RunResult) => void): GrowingResult {
  let writtenAtMs = -Infinity;
  let latest: (() => RunResult) | null = null;
  let ending: RunResult | null = null;
  const cutOff = (): Cut | null => {
    if (ending !== null) return { result: ending, unsaid: [] };
    return latest === null ? null : cut(latest());
  };
  return {
    onResult(current) {
      latest = current;
      const nowMs = clock.monotonicMs();
      if (nowMs - writtenAtMs < EVERY_MS) return;
      writtenAtMs = nowMs;
      write(current);
    },
    end: (result) => void (ending = result),
    cutOff,
    brokenOff() {
      const known = cutOff();
      if (known?.result.steps.some(({ outcome }) => outcome !== 'not_started') !== true) return null;
      return { ...known, result: { ...known.result, status: 'incomplete' } };
    },
  };
}

/** The result of a run that was cut off: running steps get an unknown outcome, and pending steps count as not started. */
function cut(result: RunResult): Cut {
  const { counts, steps, diagnostics } = result;
  const running = steps.filter(({ outcome }) => outcome === 'running');
  const open = result.secretsAtRisk.filter(({ id }) => running.some(({ resourceId }) => resourceId === id));
  const unsaid = open.map(atRisk);
  const ended = steps.map((step): StepResult => {
    if (step.outcome === 'pending') return { ...step, outcome: 'not_started' };
    if (step.outcome !== 'running') return step;
    return { ...step, outcome: 'unknown', message: `the run was stopped during this step; ${nextWords(step, open)}` };
  });
  const { unknown, notStarted } = counts;
  const known: RunResult = {
    ...result,
    status: 'interrupted',
    steps: ended,
    counts: { ...counts, unknown: unknown + running.length, notStarted: notStarted - running.length },
    diagnostics: [...diagnostics, ...unsaid],
  };
  return { result: known, unsaid };
}

function nextWords({ action, address, resourceId }: StepResult, open: readonly SecretLeft[]): string {
  const makesKey = address.startsWith('api_keys/') && (action === 'create' || action === 'rotate');
  if (!makesKey) return 'the next run waits for operations that still run';
  if (resourceId === null)
    return 'if a key was created, the next run shows the key, revokes the key with your consent, and creates another key';
  const id = shown(resourceId, 80);
  return open.some((left) => left.id === resourceId)
    ? `key ${id} was created, and neither stored nor revoked: the next run shows the key, and revokes the key with your consent`
    : `key ${id} is stored, and was not tested`;
}

function atRisk({ address, id }: SecretLeft): Diagnostic {
  const key = `key ${shown(id, 80)}`;
  return {
    severity: 'error',
    code: 'secret_at_risk',
    message: `${key} was created, and neither stored nor revoked`,
    hint: `Run trueup apply again in this folder and consent to the revocation of ${key}, or revoke that key by hand.`,
    address,
  };
}

const MOST_NAMES = 5;

export function cutOffWords({ steps, secretsAtRisk }: RunResult): string {
  const atRiskIds = new Set<string | null>(secretsAtRisk.map(({ id }) => id));
  const unknown = steps.filter(({ outcome, resourceId }) => outcome === 'unknown' && !atRiskIds.has(resourceId));
  const names = unknown.map(({ address, action }) => `${nameText(address)} (${action})`);
  const next = [...new Set(unknown.map((step) => nextWords(step, [])))].join('; ');
  const stopped =
    names.length === 0
      ? ''
      : `\nStopped at once; the outcome of ${listOfFirst(names, MOST_NAMES)} is not known. Run trueup apply again: ${next}.\n`;
  return stopped + secretsAtRisk.map(riskWords).join('');
}

function riskWords(left: SecretLeft): string {
  const { message, hint = '' } = atRisk(left);
  const byHand = left.command === undefined ? '' : `\n  ${shown(left.command, 500)}`;
  return `\nerror: ${nameText(left.address)}: ${message}\n  ${hint}${byHand}\n`;
}
