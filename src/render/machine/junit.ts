// Renders drift as a JUnit report: a suite for each project or section, a case for each resource or problem.
import { isoTime } from '../../base/time/clock.ts';
import { groupBy } from '../../base/group-by.ts';
import { escapeMarkup } from '../../base/text/inert.ts';
import { scopeOf, type Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { SourceRange } from '../../model/source.ts';
import { findingsOf, isGap, type DriftFacts, type Finding } from '../view/findings.ts';
import { problemText } from '../messages/problems.ts';
import { shown } from '../text/escape.ts';

interface Case {
  readonly suite: string;
  readonly name: string;
  readonly class: string;
  readonly source: SourceRange | null;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
}

const TITLE = 'trueup drift';

export function renderJunit(report: DriftReport | null, { nowMs, seconds, matching, problems }: DriftFacts): string {
  const timestamp = isoTime(nowMs);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const findings = report === null ? [] : findingsOf(report);
  const found = new Set(findings.map(({ address }) => address));
  const passed = matching.filter((address) => !found.has(address)).map(caseOf);
  const cases = [...findings.map(findingCase), ...passed, ...errors.map(problemCase)];
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([name, inner]) => {
    const head = attributes({ name, ...countsOf(inner), timestamp });
    return `  <testsuite${head}>\n${inner.map(testcase).join('')}  </testsuite>\n`;
  });
  const time = seconds === null ? {} : { time: seconds.toFixed(3) };
  const totals = attributes({ name: TITLE, ...countsOf(cases), ...time });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites.join('')}</testsuites>\n`;
}

function caseOf(address: Address): Case {
  const suite = scopeOf(address);
  return { suite, name: address, class: 'matching', source: null, outcome: 'passed', type: '', message: '' };
}

function findingCase(finding: Finding): Case {
  const { address, kind, source, message, drift } = finding;
  const outcome = drift ? 'failure' : isGap(finding) ? 'error' : 'skipped';
  return { ...caseOf(address), class: kind, type: kind, source, outcome, message };
}

function problemCase(problem: Diagnostic): Case {
  const { address, code, range = null } = problem;
  const message = problemText(problem);
  return { suite: TITLE, name: address ?? code, class: 'error', type: code, source: range, outcome: 'error', message };
}

function countsOf(cases: readonly Case[]): Readonly<Record<string, number>> {
  const count = (wanted: Case['outcome']): number => cases.filter(({ outcome }) => outcome === wanted).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

function testcase({ name, class: kind, source, outcome, type, message }: Case): string {
  const place = source === null ? {} : { file: source.file, line: source.start.line };
  const head = attributes({ name, classname: `drift.${kind}`, ...place });
  if (outcome === 'passed') return `    <testcase${head}/>\n`;
  const inner = attributes(outcome === 'skipped' ? { message } : { type, message });
  return `    <testcase${head}>\n      <${outcome}${inner}/>\n    </testcase>\n`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(shown(String(value), 2000))}"`)
    .join('');
}
