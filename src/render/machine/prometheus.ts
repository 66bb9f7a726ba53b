// Drift as a Prometheus textfile: written after each run, so that an alarm can tell drift from a dead cron job.
import { compareText } from '../../base/json.ts';
import type { DriftReport, DriftStatus } from '../../model/outcome/drift.ts';
import { FINDING_CLASSES, findingsOf, type Finding, type FindingClass } from '../view/findings.ts';
import { scopeOf } from '../../model/address.ts';
import { shown } from '../text/escape.ts';

export interface PrometheusOptions {
  readonly nowMs: number;
  /** Null where it is not known: then nothing is said of it. */
  readonly seconds: number | null;
  readonly requests: number | null;
  /** The file's text before this run: a run that could not read everything keeps the time of the last one that could. */
  readonly previous: string | null;
}

/** `error`: the run came to no result. */
const STATUSES: readonly (DriftStatus | 'error')[] = ['in_sync', 'drifted', 'incomplete', 'error'];
const LAST_SUCCESS = 'trueup_drift_last_success_timestamp_seconds';

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

export function renderPrometheus(report: DriftReport, options: PrometheusOptions): string {
  const findings = findingsOf(report);
  const scopes = [...new Set(findings.map(({ address }) => scopeOf(address)))].sort(compareText);
  const success = report.status === 'incomplete' ? lastSuccess(options.previous) : options.nowMs / 1000;
  const count = (within: readonly Finding[], kind: FindingClass): number =>
    within.filter((finding) => finding.class === kind).length;
  const byScope = scopes.flatMap((scope) => {
    const within = findings.filter(({ address }) => scopeOf(address) === scope);
    return FINDING_CLASSES.map((kind): Sample => [{ scope, class: kind }, count(within, kind)]);
  });
  return [
    statusMetric(report.status),
    metric(
      'trueup_drift_findings',
      'Findings by class.',
      FINDING_CLASSES.map((kind): Sample => [{ class: kind }, count(findings, kind)]),
    ),
    metric(
      'trueup_drift_findings_by_scope',
      'Number of findings by class and by project or section.',
      byScope.filter(([, found]) => found > 0),
    ),
    ...timeMetrics(options.nowMs, success),
    metric('trueup_drift_duration_seconds', 'Duration of the last run.', known(options.seconds)),
    metric('trueup_drift_requests', 'Number of requests that the last run sent.', known(options.requests)),
  ].join('');
}

/** A run that came to no result: it has no findings, and the time of the last run that could read everything stays. */
export function renderPrometheusFailure({ nowMs, previous }: Pick<PrometheusOptions, 'nowMs' | 'previous'>): string {
  return [statusMetric('error'), ...timeMetrics(nowMs, lastSuccess(previous))].join('');
}

function statusMetric(current: DriftStatus | 'error'): string {
  return metric(
    'trueup_drift_status',
    '1 if the account has this status, otherwise 0.',
    STATUSES.map((status): Sample => [{ status }, current === status ? 1 : 0]),
  );
}

function timeMetrics(nowMs: number, successSeconds: number | null): string[] {
  return [
    metric('trueup_drift_last_run_timestamp_seconds', 'Time at which the last run ended.', [[{}, nowMs / 1000]]),
    metric(LAST_SUCCESS, 'Time at which the last complete run ended.', known(successSeconds)),
  ];
}

/** A sample without labels; none for an unknown value. */
function known(value: number | null): Sample[] {
  return value === null ? [] : [[{}, value]];
}

function metric(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${shown(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function lastSuccess(previous: string | null): number | null {
  const match = new RegExp(`^${LAST_SUCCESS} ([0-9]+(?:\\.[0-9]+)?)$`, 'm').exec(previous ?? '');
  return match === null ? null : Number(match[1]);
}
