// Derives events from a saved result: begin and end of each step, diagnostics, and the end of the run.
import { SO_ALREADY, type ApplyEvent, type StepRef } from '../../model/outcome/event.ts';
import type { RunResult, StepResult } from '../../model/outcome/result.ts';

/** Sorted by time, the end last. An event without a time gets the last known time, or else `atMs`. */
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
  const { id, address, action, startedAtMs, resourceId, elapsedMs } = step;
  const ref = { step: id, address, action };
  const end = endOf(step, { ...ref, atMs: startedAtMs === null || elapsedMs === null ? endMs : endMsOf(step) });
  return [
    ...(startedAtMs === null ? [] : [{ type: 'apply_start', atMs: startedAtMs, ...ref, resourceId } as const]),
    ...(end === null ? [] : [end]),
  ];
}

function endOf(step: StepResult, at: StepRef & { readonly atMs: number }): ApplyEvent | null {
  const { outcome, message, resourceId } = step;
  const elapsedMs = step.elapsedMs ?? 0;
  const reason = message ?? (outcome === 'satisfied' ? SO_ALREADY : 'the reason is not known');
  switch (outcome) {
    case 'done':
      return { type: 'apply_complete', ...at, resourceId, elapsedMs };
    case 'failed': {
      const diagnostic = { severity: 'error', code: 'failed', message: reason, address: at.address } as const;
      return { type: 'apply_errored', ...at, elapsedMs, diagnostic };
    }
    case 'satisfied':
      return { type: 'step_skipped', ...at, reason, satisfied: true, resourceId };
    case 'unknown':
    case 'timed_out':
      return { type: 'step_unknown', ...at, elapsedMs, reason, timedOut: outcome === 'timed_out' };
    default:
      if (message === null || outcome === 'pending' || outcome === 'running') return null;
      return { type: 'step_skipped', ...at, reason, blocked: outcome === 'blocked' };
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
