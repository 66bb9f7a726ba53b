// A large fleet: `validate` of its files beside the parser alone, and the plan of 100,000 computes beside both.
import process from 'node:process';
import { environment } from '../contenders.mjs';
import { measure } from '../support/measure.mjs';
import { parserScript, trueupBin } from '../support/paths.mjs';
import { interleaved, median, ratio } from '../support/statistics.mjs';
import { nameOf, seconds, table, times } from '../support/table.mjs';
import { writeFleet } from '../support/world-files.mjs';
import { complaintOf, newFolder, sideBySide } from './side-by-side.mjs';

const LARGE = { projects: 10_000, branches: 10 };
const measured = [
  ['wall', (row) => `${seconds(row.seconds)} s`],
  ['CPU', (row) => `${seconds(row.cpuSeconds)} s`],
];
const memory = [
  ['memory', (row) => `${row.megabytes.toFixed(0)} MB`],
  ['', ({ complaint }) => complaint ?? ''],
];

export const fleet = {
  name: 'fleet',
  async run(context) {
    const validate = await validateFiles(context);
    const plans = await planLarge(context);
    return {
      sections: [
        {
          title: '`trueup validate` of large files',
          text: table(
            [
              ['file', ({ name, bytes }) => `${name}, ${(bytes / 1e6).toFixed(1)} MB`],
              ...measured,
              ["of the parser's own reading", (row) => times(row.parserRatio)],
              ...memory,
            ],
            validate,
          ),
        },
        {
          title: 'Plan of 100,000 computes in 10,000 projects, nothing changed (no latency, 32 connections)',
          text: table([['tool', nameOf], ['requests', ({ requests }) => requests], ...measured, ...memory], plans),
        },
      ],
      figures: { validate, plans },
    };
  },
};

async function validateFiles(context) {
  context.log('validate');
  const sizes = [1000, 100_000].map((count) => {
    const folder = newFolder(context);
    return { count, folder, bytes: writeFleet(folder, { projects: count / 10, branches: 10 }) };
  });
  const job = (folder, words) => () => measure([process.execPath, ...words], { cwd: folder, env: environment(folder) });
  const results = await interleaved(Math.min(3, context.repetitions), [
    ...sizes.map(({ folder }) => job(folder, [trueupBin, 'validate', '-f', 'fleet', '--max-entries', '1000000'])),
    ...sizes.map(({ folder }) => job(folder, [parserScript, 'fleet'])),
  ]);
  return sizes.map(({ count, bytes }, at) => ({
    name: `${count.toLocaleString('en')} computes`,
    bytes,
    seconds: median(results[at].map((result) => result.seconds)),
    cpuSeconds: median(results[at].map((result) => result.cpuSeconds)),
    parserRatio: ratio(results[at], results[at + sizes.length], (result) => result.cpuSeconds),
    megabytes: median(results[at].map((result) => result.megabytes)),
    complaint: results[at].map(complaintOf).find((text) => text !== undefined),
  }));
}

function planLarge(context) {
  context.log('plan of 100,000 computes');
  const world = { ...LARGE, computes: true, operationMs: 0 };
  const repetitions = Math.min(2, context.repetitions);
  return sideBySide({ fleet: LARGE, world, kind: 'noop', repetitions, latencyMs: 0 }, context);
}
