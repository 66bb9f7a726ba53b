// `trueup show FILE…`: renders a saved plan, a drift report or the results of applies in any format.
import { arrayOf, isJsonObject, numberOf, objectOf, type Json } from '../../base/json.ts';
import type { RunStatus } from '../../model/outcome/event.ts';
import type { RunResult } from '../../model/outcome/result.ts';
import { driftFromJson } from '../../plan/json/saved-drift.ts';
import { kinds } from '../../kinds/index.ts';
import { openPlan } from '../../plan/json/saved-plan.ts';
import { jsonPage } from '../../render/machine/diagnostics-json.ts';
import { resultReport } from '../../render/report/result-report.ts';
import { eventLine, versionLine } from '../../render/machine/ndjson.ts';
import { resultEvents } from '../../render/view/result-events.ts';
import { resultToJson } from '../../render/machine/result-json.ts';
import { resultFromJson } from '../../render/machine/saved-result.ts';
import type { Run, Session } from '../command.ts';
import { exitCodes, UsageError } from '../process/exit-code.ts';
import { readNamedJson, programVersion } from '../process/files.ts';
import { deliver, reportTexts, type Renderings, driftTexts, planTexts } from '../output/output.ts';

export const run: Run = async (invocation) => {
  const { settings, words } = invocation;
  const [shown = '', ...others] = words;
  const json = others.length === 0 ? readNamedJson(invocation, shown) : mergedIn(invocation, words);
  const texts = planIn(json, shown, invocation) ?? resultIn(json, invocation) ?? driftIn(json, invocation);
  if (texts === null) throw new UsageError(`${shown} is not a plan, drift report or result of trueup`);
  const renderings: Renderings = { ...texts, json: () => jsonPage(json) };
  const asked = [settings.format, ...settings.writes.map(({ format }) => format)];
  const strange = asked.find((format) => !Object.hasOwn(renderings, format));
  if (strange !== undefined)
    throw new UsageError(
      `${shown} cannot be shown as ${strange}`,
      `Formats: ${Object.keys(renderings).join(', ')}. Only a drift report can be shown as junit, sarif or prometheus.`,
    );
  await deliver(invocation, renderings);
  return exitCodes.done;
};

function planIn(json: Json, shown: string, session: Session): Renderings | null {
  if (!isJsonObject(json) || !isJsonObject(json['trueup'])) return null;
  const saved = openPlan(json, { kinds, toolVersion: programVersion() });
  if ('problem' in saved) throw new UsageError(`${shown}: ${saved.problem}`, null, saved.code);
  const { plan, comparison, files } = saved;
  const context = { local: null, orgId: null, files: files?.paths ?? [], overlays: files?.overlays ?? [] };
  return planTexts(session, plan, { comparison, context, isSaid: false });
}

function resultIn(json: Json, session: Session): Renderings | null {
  const result = resultFromJson(json);
  if (result === undefined) return null;
  const nowMs = session.io.clock.nowMs();
  const events = resultEvents(result, nowMs);
  return {
    ...reportTexts(session, () => resultReport(result)),
    ndjson: () =>
      [versionLine(programVersion(), events[0]?.atMs ?? nowMs), ...events.map((event) => eventLine(event))].join(''),
  };
}

/** Merges the results of several runs into one, such as those of the shards of a file. */
function mergedIn(session: Session, names: readonly string[]): Json {
  const results = names.map((name) => {
    const result = resultFromJson(readNamedJson(session, name));
    if (result === undefined)
      throw new UsageError(`${name} is not a result of trueup: only results are shown together`);
    return result;
  });
  return resultToJson(results.reduce(merged));
}

/** Sorted by severity, the worst status first. */
const STATUSES: readonly RunStatus[] = ['error', 'interrupted', 'stale', 'incomplete', 'blocked', 'converged'];

function merged(one: RunResult, other: RunResult): RunResult {
  const names = Object.keys(one.counts) as (keyof RunResult['counts'])[];
  const counts = names.map((name) => [name, one.counts[name] + other.counts[name]] as const);
  return {
    status: STATUSES.find((status) => status === one.status || status === other.status) ?? 'error',
    planHash: `${one.planHash} ${other.planHash}`,
    steps: [...one.steps, ...other.steps],
    upkeep: [...one.upkeep, ...other.upkeep],
    resources: { ...one.resources, ...other.resources },
    counts: Object.fromEntries(counts) as unknown as RunResult['counts'],
    diagnostics: [...one.diagnostics, ...other.diagnostics],
    requests: one.requests + other.requests,
    seconds: Math.max(one.seconds, other.seconds),
    secretsAtRisk: [...one.secretsAtRisk, ...other.secretsAtRisk],
    vacated: [...one.vacated, ...other.vacated],
  };
}

/** Reads a drift report. Reports of older versions lack some members. */
function driftIn(json: Json, session: Session): Renderings | null {
  const report = driftFromJson(json);
  if (report === undefined) return null;
  const { timestamp = null, files, matching, seconds, requests } = objectOf(json);
  const facts = {
    nowMs: Date.parse(String(timestamp)),
    seconds: numberOf(seconds),
    requests: numberOf(requests),
    matching: arrayOf(matching).map(String),
    files: arrayOf(files).map(String),
    problems: [],
  };
  return driftTexts(session, report, facts, '');
}
