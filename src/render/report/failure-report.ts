// The report of a plan or drift run that failed.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { rangeText } from '../human/diagnostics.ts';
import { problemText } from '../messages/problems.ts';
import { shown } from '../text/escape.ts';
import { item, line, reportOf, section, type Report } from './report.ts';

export type FailedWork = 'plan' | 'drift';

const VERDICTS: Readonly<Record<FailedWork, string>> = {
  plan: 'No plan: it could not be made.',
  drift: 'No drift report: the comparison failed.',
};

export function failureReport(name: FailedWork, problems: readonly Diagnostic[]): Report {
  const items = problems.map((one) => {
    const place = one.range === undefined ? null : rangeText(one.range);
    return item(`${shown(one.code)}: ${problemText(one)}`, place ?? one.address ?? null);
  });
  return reportOf(name, line(VERDICTS[name], { tone: 'bad' }), {
    sections: [section('Problems', { items, tone: 'bad' })],
  });
}
