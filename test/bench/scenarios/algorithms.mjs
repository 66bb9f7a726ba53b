// Matching and ordering alone, without files and network: how the time grows with the fleet, and one crowded branch.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { benchFolder } from '../support/paths.mjs';
import { interleaved, median } from '../support/statistics.mjs';
import { table } from '../support/table.mjs';

const JOBS = [
  { shape: 'fleet', count: 1000, words: '1,000 computes in 100 projects, 10 % to change' },
  { shape: 'fleet', count: 10_000, words: '10,000 computes in 1,000 projects, 10 % to change' },
  { shape: 'fleet', count: 100_000, words: '100,000 computes in 10,000 projects, 10 % to change' },
  { shape: 'crowd', count: 500, words: '500 replicas of one branch, none pinned, all to change' },
];

const milliseconds = ({ shape, count }) =>
  Number(
    execFileSync(process.execPath, [join(benchFolder, 'support', 'time-plan.mjs'), shape, String(count)], {
      encoding: 'utf8',
    }),
  );

export const algorithms = {
  name: 'algorithms',
  async run(context) {
    const title = 'Planning alone (match, compare, order; best of three in a process, median of the processes)';
    context.log(title);
    const results = await interleaved(
      Math.min(3, context.repetitions),
      JOBS.map((job) => () => milliseconds(job)),
    );
    const rows = JOBS.map((job, at) => ({ ...job, milliseconds: median(results[at]) }));
    for (const row of rows) {
      row.growth = row.shape === 'fleet' ? row.milliseconds / rows[0].milliseconds : undefined;
      context.log(`  ${row.words}: ${row.milliseconds.toFixed(0)} ms`);
      context.keep({ scenario: title, ...row });
    }
    const columns = [
      ['input', ({ words }) => words],
      ['time', (row) => `${row.milliseconds.toFixed(0)} ms`],
      ['of 1,000', ({ growth }) => (growth === undefined ? '' : `${growth.toFixed(0)} ×`)],
    ];
    return { sections: [{ title, text: table(columns, rows) }], figures: { algorithms: rows } };
  },
};
