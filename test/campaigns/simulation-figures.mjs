// What a simulation campaign has counted: as lines, and as a table in a document.
import { readFileSync, writeFileSync } from 'node:fs';

const COUNTED = 'schedules faults crashPoints runs exchanges simulatedMs repeated rejoined healed'.split(' ');
const count = (number) => Math.round(number).toLocaleString('en-US');

/** The tallies of the finished jobs of one kind, added up. */
export function sumOf(finished) {
  const sum = { seconds: 0, violations: finished.flatMap(({ result }) => result.violations) };
  for (const name of COUNTED) sum[name] = finished.reduce((total, { result }) => total + result[name], 0);
  sum.seconds = finished.reduce((total, { seconds }) => total + seconds, 0);
  return sum;
}

export function wordsOf(name, sum) {
  const hours = count(sum.simulatedMs / 3_600_000);
  const pace = count(sum.schedules / sum.seconds);
  return `${name}: ${count(sum.schedules)} schedules (${count(sum.rejoined)} rejoined another), ${count(sum.faults)} faults, ${count(sum.crashPoints)} crash points, ${count(sum.runs)} runs, ${count(sum.exchanges)} exchanges, ${hours} simulated hours, ${sum.violations.length} violations, ${sum.seconds.toFixed(1)} s of a worker (${pace} a second)`;
}

/** Puts the figures between the marks of a document. */
export function writeFigures(file, results, { seconds, workers }) {
  const all = Object.values(results);
  const total = (name) => count(all.reduce((sum, one) => sum + one[name], 0));
  const hours = count(all.reduce((sum, one) => sum + one.simulatedMs, 0) / 3_600_000);
  const schedules = all.reduce((sum, one) => sum + one.schedules, 0);
  const rows = [
    ['figure', 'value'],
    ['---', '---'],
    ['schedules played', total('schedules')],
    ...Object.entries(results).map(([name, one]) => [`of these, ${name}`, count(one.schedules)]),
    ['faults injected', total('faults')],
    ['deaths at crash points', total('crashPoints')],
    ['runs of the reconciler', total('runs')],
    ['exchanges with the control plane', total('exchanges')],
    ['simulated hours', hours],
    ['schedules played twice, to the same bytes', total('repeated')],
    ['schedules that left the same bytes as another, and were not played on', total('rejoined')],
    ['violations', all.reduce((sum, one) => sum + one.violations.length, 0)],
    ['time', `${count(seconds)} s with ${workers} workers: ${count(schedules / seconds)} schedules a second`],
  ];
  const text = readFileSync(file, 'utf8');
  const marked = /(<!-- figures:begin -->\n)[\s\S]*?(<!-- figures:end -->)/;
  if (!marked.test(text)) throw new Error(`${file} has no place for figures`);
  const table = rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n');
  writeFileSync(
    file,
    text.replace(marked, (_, begin, end) => `${begin}\n${table}\n\n${end}`),
  );
}
