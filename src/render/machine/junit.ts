// Drift as a JUnit report: a suite per project, a case per resource, so that CI systems show trends.
import { groupBy } from '../../base/group-by.ts';
import { escapeMarkup } from '../../base/text/inert.ts';
import { scopeOf, type Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { SourceRange } from '../../model/source.ts';
import { findingsOf, isGap } from '../view/findings.ts';
import { problemText } from '../messages/problems.ts';
import { shown } from '../text/escape.ts';

export interface JunitOptions {
  readonly timestamp: string;
  readonly seconds: number | null;
  readonly matching: readonly Address[];
}

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

export function renderJunit(report: DriftReport, options: JunitOptions): string {
  const findings = findingsOf(report);
  const found = new Set(findings.map(({ address }) => address));
  const cases = findings.map((finding): Case => ({
    ...caseOf(finding.address),
    class: finding.kind,
    source: finding.source,
    outcome: finding.drift ? 'failure' : isGap(finding) ? 'error' : 'skipped',
    type: finding.kind,
    message: finding.message,
  }));
  const passed = options.matching.filter((address) => !found.has(address)).map(caseOf);
  return junitText([...cases, ...passed], options);
}

function caseOf(address: Address): Case {
  const suite = scopeOf(address);
  return { suite, name: address, class: 'matching', source: null, outcome: 'passed', type: '', message: '' };
}

export function renderJunitFailure(problems: readonly Diagnostic[], options: Pick<JunitOptions, 'timestamp'>): string {
  const cases = problems.map((problem): Case => ({
    suite: TITLE,
    name: problem.address ?? problem.code,
    class: 'error',
    source: problem.range ?? null,
    outcome: 'error',
    type: problem.code,
    message: problemText(problem),
  }));
  return junitText(cases, { ...options, seconds: null });
}

function junitText(cases: readonly Case[], { timestamp, seconds }: Omit<JunitOptions, 'matching'>): string {
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([name, inner]) => {
    const head = attributes({ name, ...countsOf(inner), timestamp });
    return `  <testsuite${head}>\n${inner.map(testcase).join('')}  </testsuite>\n`;
  });
  const time = seconds === null ? {} : { time: seconds.toFixed(3) };
  const totals = attributes({ name: TITLE, ...countsOf(cases), ...time });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites.join('')}</testsuites>\n`;
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
    .map(([name, value]) => ` ${name}="${escapeXml(shown(String(value), 2000))}"`)
    .join('');
}

function escapeXml(text: string): string {
  return escapeMarkup(text).replace(/[\ufffe\uffff]/g, '\ufffd');
}
