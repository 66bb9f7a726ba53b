// Every renderer applied to sample values, by name: what goldens, the hostile corpus and the properties run over.
import type { DriftReport } from '../../../src/model/outcome/drift.ts';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { diagnosticsToJson, jsonText } from '../../../src/render/machine/diagnostics-json.ts';
import { renderDiagnostics } from '../../../src/render/human/diagnostics.ts';
import { startRunLog } from '../../../src/render/human/run-log.ts';
import { renderReport } from '../../../src/render/human/report.ts';
import type { HumanOptions } from '../../../src/render/text/style.ts';
import type { DriftFacts } from '../../../src/render/view/findings.ts';
import type { PlanContext } from '../../../src/render/view/plan-rows.ts';
import { renderReportHtml } from '../../../src/render/html/report.ts';
import { renderReportMarkdown } from '../../../src/render/markdown/report.ts';
import { driftReport } from '../../../src/render/report/drift-report.ts';
import { planReport } from '../../../src/render/report/plan-report.ts';
import { resultReport } from '../../../src/render/report/result-report.ts';
import { renderJunit } from '../../../src/render/machine/junit.ts';
import { renderKeys } from '../../../src/render/tables/keys.ts';
import { renderEnv, renderList } from '../../../src/render/tables/resources.ts';
import { eventLine } from '../../../src/render/machine/ndjson.ts';
import { operationLine, renderOperations } from '../../../src/render/tables/operations.ts';
import { renderPrometheus } from '../../../src/render/machine/prometheus.ts';
import { resultToJson } from '../../../src/render/machine/result-json.ts';
import { driftToSarif } from '../../../src/render/machine/sarif.ts';
import { EVENTS, RESULT } from './runs.ts';
import { AT, FULL_PLAN, SOURCES } from './worlds.ts';
import { DRIFT, KEYS, OPERATIONS } from './reports.ts';

export interface World {
  readonly plan: Plan;
  readonly drift: DriftReport;
  readonly result: RunResult;
  readonly events: readonly ApplyEvent[];
  readonly keys: typeof KEYS;
  readonly operations: typeof OPERATIONS;
}

export const WORLD: World = {
  plan: FULL_PLAN,
  drift: DRIFT,
  result: RESULT,
  events: EVENTS,
  keys: KEYS,
  operations: OPERATIONS,
};

export const CONTEXT: PlanContext = {
  local: null,
  orgId: 'org-spring-garden',
  files: ['infra'],
  overlays: ['prod.yaml'],
};

export const OPTIONS: HumanOptions = {
  color: false,
  width: 80,
  verbose: false,
};

const MAX_CHARS = 65_536;

/** A plan in a terminal. */
export function planText(plan: Plan, options: HumanOptions = OPTIONS): string {
  return renderReport(planReport(plan, CONTEXT), options);
}

export function applyLog(events: readonly ApplyEvent[], verbose: boolean): string {
  const log = startRunLog({ color: false, verbose });
  return events
    .flatMap(log)
    .map((line) => `${line}\n`)
    .join('');
}

/** Texts for people and logs, by file name. */
export function textsOf(world: World): Readonly<Record<string, string>> {
  const { plan, drift, result, events, keys, operations } = world;
  return {
    'plan.txt': planText(plan),
    'plan-verbose.txt': planText(plan, { ...OPTIONS, verbose: true }),
    'drift.txt': renderReport(driftReport(drift), OPTIONS),
    'result.txt': renderReport(resultReport(result), OPTIONS),
    'result-verbose.txt': renderReport(resultReport(result), { ...OPTIONS, verbose: true }),
    'apply.log.txt': applyLog(events, false),
    'apply-verbose.log.txt': applyLog(events, true),
    'diagnostics.txt': renderDiagnostics(plan.diagnostics, { ...OPTIONS, sources: SOURCES }),
    'list.txt': renderList(result.resources, { ...OPTIONS, isWhole: true }),
    'list.env': renderEnv(result.resources),
    'keys.txt': renderKeys(keys, AT, OPTIONS),
    'operations.txt': renderOperations(operations, AT, OPTIONS),
    'operations.log.txt': operations.map((operation) => `${operationLine(operation)}\n`).join(''),
    'drift.prom': renderPrometheus(drift, null, FACTS),
  };
}

export const FACTS: DriftFacts = {
  nowMs: AT,
  seconds: 1.5,
  requests: 7,
  matching: ['shop/alike', 'shop/odd'],
  files: ['trueup.yaml'],
  problems: [],
};

export function markupOf(world: World): Readonly<Record<string, string>> {
  const { plan, drift, result } = world;
  return {
    'plan.html': renderReportHtml(planReport(plan, CONTEXT)),
    'drift.html': renderReportHtml(driftReport(drift)),
    'result.html': renderReportHtml(resultReport(result)),
    'drift.junit.xml': renderJunit(drift, FACTS),
  };
}

export function markdownOf(world: World): Readonly<Record<string, string>> {
  const { plan, drift, result } = world;
  return {
    'plan.md': renderReportMarkdown(planReport(plan, CONTEXT), MAX_CHARS),
    'drift.md': renderReportMarkdown(driftReport(drift), MAX_CHARS),
    'result.md': renderReportMarkdown(resultReport(result), MAX_CHARS),
  };
}

export function jsonOf(world: World): Readonly<Record<string, string>> {
  const resources = new Map(world.plan.changes.map((change) => [change.address, change]));
  return {
    'events.ndjson': world.events.map((event) => eventLine(event, resources)).join(''),
    'result.json': `${jsonText(resultToJson(world.result), 2)}\n`,
    'drift.sarif': `${jsonText(driftToSarif(world.drift, '0.1.0', FACTS), 2)}\n`,
    'diagnostics.json': `${jsonText(diagnosticsToJson(world.plan.diagnostics, true), 2)}\n`,
  };
}
