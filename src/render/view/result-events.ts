// A saved result as events, as far as they can be derived: begin and end of each step, diagnostics, and the end.
import { unreachable } from '../../base/assert.ts';
import type { ApplyEvent, StepRef } from '../../model/outcome/event.ts';
import type { RunResult, StepResult } from '../../model/outcome/result.ts';

/** Sorted by time, with the end last. An event without a time gets the last known time, or `atMs`. */
export function resultEvents(result: RunResult, atMs: number): ApplyEvent[] {
  const lastMs = result.steps.reduce((ms, step) => Math.max(ms, endMsOf(step)), -Infinity);
  const endMs = Number.isFinite(lastMs) ? lastMs : atMs;
  const steps = result.steps.flatMap((step) => stepEvents(step, endMs));
  return [...steps.toSorted((a, b) => a.atMs - b.atMs), ...said(result, endMs), finished(result, endMs)];
}

export function finished({ status, counts, requests, seconds }: RunResult, atMs: number): ApplyEvent {
  return { type: 'run_finished', atMs, status, counts, requests, seconds };
}

function endMsOf({ startedAtMs, elapsedMs }: StepResult): number {
  return startedAtMs === null ? -Infinity : startedAtMs + (elapsedMs ?? 0);
}

function stepEvents(step: StepResult, endMs: number): ApplyEvent[] {
  const { id, address, action, startedAtMs, resourceId } = step;
  const ref: StepRef = { step: id, address, action };
  const start: ApplyEvent[] =
    startedAtMs === null ? [] : [{ type: 'apply_start', atMs: startedAtMs, ...ref, resourceId }];
  const end = endOf(step, ref, startedAtMs === null || step.elapsedMs === null ? endMs : endMsOf(step));
  return end === null ? start : [...start, end];
}

function endOf({ outcome, message, resourceId, elapsedMs }: StepResult, ref: StepRef, atMs: number): ApplyEvent | null {
  const elapsed = elapsedMs ?? 0;
  const reason = message ?? '';
  switch (outcome) {
    case 'pending':
    case 'running':
      return null;
    case 'done':
      return { type: 'apply_complete', atMs, ...ref, resourceId, elapsedMs: elapsed };
    case 'failed': {
      const diagnostic = { severity: 'error', code: 'failed', message: reason, address: ref.address } as const;
      return { type: 'apply_errored', atMs, ...ref, elapsedMs: elapsed, diagnostic };
    }
    case 'satisfied':
      return { type: 'step_skipped', atMs, ...ref, reason, satisfied: true, resourceId };
    case 'not_started':
    case 'skipped':
    case 'blocked':
      return message === null ? null : { type: 'step_skipped', atMs, ...ref, reason, blocked: outcome === 'blocked' };
    case 'unknown':
    case 'timed_out':
      return { type: 'step_unknown', atMs, ...ref, elapsedMs: elapsed, reason, timedOut: outcome === 'timed_out' };
    default:
      return unreachable(outcome);
  }
}

function said({ diagnostics, secretsAtRisk }: RunResult, atMs: number): ApplyEvent[] {
  return diagnostics.map((diagnostic): ApplyEvent => {
    const left = secretsAtRisk.find(
      ({ address }) => diagnostic.code === 'secret_at_risk' && address === diagnostic.address,
    );
    return { type: 'diagnostic', atMs, diagnostic, ...(left === undefined ? {} : { resourceId: left.id }) };
  });
}
