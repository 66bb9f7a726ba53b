// Large fleets: reading the file alone, and planning 100,000 computes in 10,000 projects beside the bare loop.
import process from 'node:process';
import { environment } from '../contenders/environment.mjs';
import { floor } from '../contenders/floor.mjs';
import { trueup } from '../contenders/trueup.mjs';
import { measure } from '../support/measure.mjs';
import { parserScript, trueupBin } from '../support/paths.mjs';
import { interleaved, median, ratio } from '../support/statistics.mjs';
import { nameOf, seconds, table, times } from '../support/table.mjs';
import { writeFleet } from '../support/world-files.mjs';
import { complaintOf, newFolder } from './rounds.mjs';
import { sideBySide } from './side-by-side.mjs';

const LARGE = { projects: 10_000, branches: 10 };

export const fleet = {
  name: 'fleet',
  async run(context) {
    const files = await validateFiles(context);
    const plans = [];
    for (const [what, everyNth] of [
      ['nothing changed', 0],
      ['1 % changed', 100],
    ])
      plans.push(...(await planLarge(context, what, everyNth)));
    const parser = files.rows.at(-1);
    for (const row of plans) row.besideParser = row.name === 'trueup' ? row.megabytes - parser.megabytes : undefined;
    const columns = [
      ['tool', nameOf],
      ['fleet', ({ what }) => what],
      ['requests', ({ requests }) => requests],
      ['wall', (row) => `${seconds(row.seconds)} s`],
      ['CPU', (row) => `${seconds(row.cpuSeconds)} s`],
      ['CPU of the floor', (row) => times(row.cpuRatio)],
      ['memory', (row) => `${row.megabytes.toFixed(0)} MB`],
      ['beside the parser', ({ besideParser }) => (besideParser === undefined ? '' : `${besideParser.toFixed(0)} MB`)],
      ['', ({ complaint }) => complaint ?? ''],
    ];
    const title = 'Plan of 100,000 computes in 10,000 projects (no latency, 32 connections)';
    return {
      sections: [files.section, { title, text: table(columns, plans) }],
      figures: { validate: files.rows, plans },
    };
  },
};

async function validateFiles(context) {
  const title = '`trueup validate` of large files';
  context.log(title);
  const sizes = [1000, 10_000, 100_000].map((count) => {
    const folder = newFolder(context);
    return { count, folder, bytes: writeFleet(folder, { projects: count / 10, branches: 10 }) };
  });
  const job = (folder, words) => () => measure([process.execPath, ...words], { cwd: folder, env: environment(folder) });
  const results = await interleaved(Math.min(3, context.repetitions), [
    ...sizes.map(({ folder }) => job(folder, [trueupBin, 'validate', '-f', 'fleet', '--max-entries', '1000000'])),
    ...sizes.map(({ folder }) => job(folder, [parserScript, 'fleet'])),
  ]);
  const rows = sizes.map(({ count, bytes }, at) => ({
    name: `${count.toLocaleString('en')} computes`,
    bytes,
    seconds: median(results[at].map((result) => result.seconds)),
    cpuSeconds: median(results[at].map((result) => result.cpuSeconds)),
    parserRatio: ratio(results[at], results[at + sizes.length], (result) => result.cpuSeconds),
    megabytes: median(results[at].map((result) => result.megabytes)),
    complaint: results[at].map(complaintOf).find((text) => text !== undefined),
  }));
  for (const row of rows) {
    context.log(`  ${row.name}: ${row.seconds.toFixed(2)} s, ${row.megabytes.toFixed(0)} MB ${row.complaint ?? ''}`);
    context.keep({ scenario: title, ...row });
  }
  const columns = [
    ['file', ({ name, bytes }) => `${name}, ${(bytes / 1e6).toFixed(1)} MB`],
    ['wall', (row) => `${seconds(row.seconds)} s`],
    ['CPU', (row) => `${seconds(row.cpuSeconds)} s`],
    ["of the parser's own reading", (row) => times(row.parserRatio)],
    ['memory', (row) => `${row.megabytes.toFixed(0)} MB`],
    ['', ({ complaint }) => complaint ?? ''],
  ];
  return { rows, section: { title, text: table(columns, rows) } };
}

async function planLarge(context, what, everyNth) {
  const title = `Plan of 100,000 computes, ${what}`;
  context.log(title);
  const world = { ...LARGE, computes: true, operationMs: 0, isLocking: false };
  const job = {
    title,
    fleet: { ...LARGE, everyNth },
    world,
    kind: 'noop',
    repetitions: Math.min(2, context.repetitions),
    latencyMs: 0,
  };
  const rows = await sideBySide([floor, trueup], job, context);
  return rows.map((row) => ({ ...row, what }));
}
