// Drift as a JUnit report: a suite per project, a case per resource, so that CI systems draw their trends.
import { groupBy } from '../../base/group-by.ts';
import { escapeMarkup } from '../../base/text/inert.ts';
import { scopeOf, type Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { findingsOf, type Finding } from '../view/findings.ts';
import { problemText } from '../messages/problems.ts';
import { shown } from '../text/escape.ts';

export interface JunitOptions {
  /** ISO 8601. */
  readonly timestamp: string;
  /** Null where it is not known. */
  readonly seconds: number | null;
  /** Managed resources without a difference; each is a test case that passes. */
  readonly matching: readonly Address[];
}

interface Case {
  readonly address: Address;
  readonly finding: Finding | null;
}

export function renderJunit(report: DriftReport, options: JunitOptions): string {
  const findings = findingsOf(report);
  const found = new Set(findings.map(({ address }) => address));
  const cases: Case[] = [
    ...findings.map((finding) => ({ address: finding.address, finding })),
    ...options.matching.flatMap((address) => (found.has(address) ? [] : [{ address, finding: null }])),
  ];
  const scopes = groupBy(cases, ({ address }) => scopeOf(address));
  const suites = [...scopes].map(([scope, inner]) => suite(scope, inner, options));
  const totals = attributes({
    name: 'trueup drift',
    ...countsOf(cases),
    ...(options.seconds === null ? {} : { time: options.seconds.toFixed(3) }),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites.join('')}</testsuites>\n`;
}

function suite(scope: string, cases: readonly Case[], options: JunitOptions): string {
  const head = attributes({
    name: scope,
    ...countsOf(cases),
    timestamp: options.timestamp,
  });
  return `  <testsuite${head}>\n${cases.map(testcase).join('')}  </testsuite>\n`;
}

function countsOf(cases: readonly Case[]): Readonly<Record<string, string>> {
  return {
    tests: String(cases.length),
    failures: String(cases.filter(isFailure).length),
    errors: String(cases.filter(isError).length),
    skipped: String(cases.filter((one) => one.finding !== null && !isFailure(one) && !isError(one)).length),
  };
}

function testcase(one: Case): string {
  const { finding } = one;
  const source = finding?.source ?? null;
  const place = source === null ? {} : { file: source.file, line: String(source.start.line) };
  const head = attributes({ name: one.address, classname: `drift.${finding?.class ?? 'matching'}`, ...place });
  if (finding === null) return `    <testcase${head}/>\n`;
  const element = isFailure(one) ? 'failure' : isError(one) ? 'error' : 'skipped';
  const inner = attributes({ ...(element === 'skipped' ? {} : { type: finding.class }), message: finding.message });
  return `    <testcase${head}>\n      <${element}${inner}/>\n    </testcase>\n`;
}

function isFailure({ finding }: Case): boolean {
  return finding?.drift === true;
}

function isError({ finding }: Case): boolean {
  return finding?.class === 'unread' || finding?.class === 'unplanned';
}

/** A report of a run that came to no result: each problem is a case with an error. */
export function renderJunitFailure(
  problems: readonly Diagnostic[],
  { timestamp }: { readonly timestamp: string },
): string {
  const totals = {
    name: 'trueup drift',
    tests: String(problems.length),
    failures: '0',
    errors: String(problems.length),
    skipped: '0',
  };
  const cases = problems.map((problem) => {
    const place =
      problem.range === undefined ? {} : { file: problem.range.file, line: String(problem.range.start.line) };
    const head = attributes({ name: problem.address ?? problem.code, classname: 'drift.error', ...place });
    const inner = attributes({ type: problem.code, message: problemText(problem) });
    return `    <testcase${head}>\n      <error${inner}/>\n    </testcase>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes(totals)}>\n  <testsuite${attributes({ ...totals, timestamp })}>\n${cases.join('')}  </testsuite>\n</testsuites>\n`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(shown(value, 2000))}"`)
    .join('');
}

function escapeXml(text: string): string {
  return escapeMarkup(text).replace(/[\ufffe\uffff]/g, '\ufffd');
}
