// The library's door: what other programs may use of trueup.

export { createReconciler } from './reconciler/index.ts';
export type {
  ApplyRequest,
  ComparisonOutcome,
  ComparisonRequest,
  PlanOutcome,
  PlanRequest,
  Reconciler,
  ReconcilerOptions,
  StopSignals,
} from './reconciler/types.ts';
export { Secret } from './base/secret.ts';
export { ApiFailure } from './client/failure.ts';
export type { FailureClass } from './client/types.ts';
export type { Allowance, Consent } from './plan/input.ts';
export type { Address } from './model/address.ts';
export type { Comparison } from './model/outcome/comparison.ts';
export type { DesiredState } from './model/desired.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export type { DriftReport } from './model/outcome/drift.ts';
export type { ApplyEvent, RunStatus } from './model/outcome/event.ts';
export type { LiveState } from './model/live.ts';
export type { Impact } from './model/outcome/impact.ts';
export type { Action, AttributeChange, Change, Plan, PlanSummary, Step } from './model/outcome/plan.ts';
export type { RunResult, StepResult } from './model/outcome/result.ts';
