// What holds for every file, however it is written: a state or reasons with a place, soon, and nothing of our insides.
import { inert } from '../../../src/base/text/inert.ts';
import { parseJson, stringifyJson } from '../../../src/base/json.ts';
import { type PlanRecord, makePlan } from '../../../src/plan/make-plan.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan } from '../../../src/plan/json/saved-plan.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { renderDiagnostics } from '../../../src/render/human/diagnostics.ts';
import { load } from '../../support/files.ts';

/** Processor time for a text of a few kilobytes; a busy machine does not stretch it. */
const WITHIN_MS = 2000;
const INSIDES =
  /bug in trueup|internal error|\bat .*\(.*:\d+:\d+\)|node_modules|undefined|\[object|TypeError|RangeError|NaN/;

function isActive(words: string): boolean {
  return inert(words, words.length) !== words;
}

/** Broken laws, in words; and the codes that the file led to. */
export interface Judged {
  readonly violations: readonly string[];
  readonly codes: readonly string[];
}

export async function judgeFile(text: string): Promise<Judged> {
  const before = process.cpuUsage();
  try {
    const { desired, diagnostics, sources } = await load({ files: { 'trueup.yaml': text }, variables: { size: '2' } });
    const used = process.cpuUsage(before);
    const usedMs = (used.user + used.system) / 1000;
    const shown = renderDiagnostics(diagnostics, { color: false, width: 80, verbose: false, sources });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return {
      codes: [...new Set(diagnostics.map(({ code }) => code))].sort(),
      violations: [
        ...(usedMs > WITHIN_MS ? [`it took ${Math.round(usedMs)} ms`] : []),
        ...((desired === null) === errors.length > 0 ? [] : ['there is a state and an error, or neither']),
        ...diagnostics.flatMap((diagnostic) => troubles(diagnostic, text)),
        ...(INSIDES.test(shown) && !INSIDES.test(text)
          ? [`the report shows our insides: ${INSIDES.exec(shown)?.[0]}`]
          : []),
        ...(isActive(shown.replaceAll('\n', '')) ? ['the report holds an active character'] : []),
        ...(desired === null ? [] : planOf(desired)),
      ],
    };
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { codes: [], violations: [`it threw ${words}`] };
  }
}

function troubles({ code, message, hint, range, severity }: Diagnostic, text: string): string[] {
  const words = `${message} ${hint ?? ''}`;
  const lines = text.split(/\r\n|\r|\n/).length;
  const isPlaced =
    range !== undefined && range.start.line >= 1 && range.start.line <= lines + 1 && range.start.column >= 1;
  const isOrdered = range === undefined || range.end.offset >= range.start.offset;
  // Only what no place can be given for has none: bytes that are no text.
  const mayBeBare = severity === 'warning' || code === 'encoding';
  return [
    ...(isPlaced || mayBeBare ? [] : [`${code} has no place in the file: ${JSON.stringify(range)}`]),
    ...(isOrdered ? [] : [`${code} ends before it starts`]),
    ...(isActive(words) ? [`${code} holds an active character`] : []),
    ...(INSIDES.test(words) && !INSIDES.test(text) ? [`${code} shows our insides: ${words}`] : []),
    ...(message.length > 2000 ? [`${code} has a message of ${message.length} characters`] : []),
  ];
}

/** A state that was accepted can be planned, here for an account that holds nothing. */
function planOf(desired: DesiredState): string[] {
  const projects = desired.projects.map(({ label, id }) => ({ label, id: id ?? 'calm-lake-100001', name: label }));
  const live = { projects, resources: [], histories: new Map(), unread: [], facts: new Map() };
  const asked = { consent: 'reviewed', allow: [], due: true, target: [], exclude: [] } as const;
  const nowMs = Date.UTC(2026, 10, 20);
  const input: PlanRecord['input'] = { baseUrl: 'http://localhost/api/v2', desired, live, nowMs, ...asked };
  const plan = makePlan({ ...input, kinds });
  const stamp = { timestamp: '2026-11-20T00:00:00Z', toolVersion: '0.0.0', expiresInMs: null };
  const json = planToJson(plan, { ...stamp, record: { input, before: [], after: [] } });
  const opened = openPlan(parseJson(stringifyJson(json)), { kinds, toolVersion: '0.0.0' });
  if ('problem' in opened) return [`its saved plan is refused: ${opened.problem}`];
  const harmful = plan.steps.filter(({ action }) => action !== 'create' && action !== 'rotate');
  return harmful.map(({ action, address }) => `an empty account gets ${action} of ${address}`);
}
