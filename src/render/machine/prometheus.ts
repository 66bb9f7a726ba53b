// Renders drift as a Prometheus textfile. Its times let an alarm tell drift from a cron job that stopped.
import { compareText } from '../../base/json.ts';
import { groupBy } from '../../base/group-by.ts';
import type { DriftReport, DriftStatus } from '../../model/outcome/drift.ts';
import { FINDING_CLASSES, findingsOf, type DriftFacts, type Finding } from '../view/findings.ts';
import { scopeOf } from '../../model/address.ts';
import { shown } from '../text/escape.ts';

const STATUSES: readonly (DriftStatus | 'error')[] = ['in_sync', 'drifted', 'incomplete', 'error'];
const LAST_SUCCESS = 'trueup_drift_last_success_timestamp_seconds';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** An incomplete or failed run takes the time of the last complete run from `previous`, the former text of the file. */
export function renderPrometheus(
  report: DriftReport | null,
  previous: string | null,
  { nowMs, seconds, requests }: Pick<DriftFacts, 'nowMs' | 'seconds' | 'requests'>,
): string {
  const current = report?.status ?? 'error';
  const isComplete = report !== null && current !== 'incomplete';
  return [
    metric(
      'trueup_drift_status',
      '1 if the account has this status, otherwise 0.',
      STATUSES.map((status): Sample => [{ status }, current === status ? 1 : 0]),
    ),
    ...(report === null ? [] : findingMetrics(findingsOf(report))),
    metric('trueup_drift_last_run_timestamp_seconds', 'Time at which the last run ended.', known(nowMs / 1000)),
    metric(
      LAST_SUCCESS,
      'Time at which the last complete run ended.',
      known(isComplete ? nowMs / 1000 : lastSuccess(previous)),
    ),
    metric('trueup_drift_duration_seconds', 'Duration of the last run.', known(seconds)),
    metric('trueup_drift_requests', 'Number of requests that the last run sent.', known(requests)),
  ].join('');
}

function findingMetrics(findings: readonly Finding[]): readonly string[] {
  const samples = (within: readonly Finding[], labels: Labels): readonly Sample[] =>
    FINDING_CLASSES.map((kind) => [{ ...labels, class: kind }, within.filter((one) => one.kind === kind).length]);
  const scopes = [...groupBy(findings, ({ address }) => scopeOf(address))].sort(([a], [b]) => compareText(a, b));
  const byScope = scopes.flatMap(([scope, within]) => samples(within, { scope }));
  return [
    metric('trueup_drift_findings', 'Findings by class.', samples(findings, {})),
    metric(
      'trueup_drift_findings_by_scope',
      'Number of findings by class and by project or section.',
      byScope.filter(([, found]) => found > 0),
    ),
  ];
}

function known(value: number | null): readonly Sample[] {
  return value === null ? [] : [[{}, value]];
}

function metric(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${shown(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function lastSuccess(previous: string | null): number | null {
  const match = new RegExp(`^${LAST_SUCCESS} ([0-9]+(?:\\.[0-9]+)?)$`, 'm').exec(previous ?? '');
  return match === null ? null : Number(match[1]);
}
