// A check that finds nothing to do, for 10, 100 and 1,000 computes.
import { readingFloor } from '../contenders/floor.mjs';
import { seconds, table, nameOf, times } from '../support/table.mjs';
import { sideBySide } from './side-by-side.mjs';

const FLEETS = [
  { projects: 1, branches: 10 },
  { projects: 10, branches: 10 },
  { projects: 100, branches: 10 },
];

const columns = [
  ['tool', nameOf],
  ['requests', ({ requests }) => requests],
  ['wall', (row) => `${seconds(row.seconds)} s`],
  ['of the floor', (row) => times(row.ratio)],
  ['CPU', (row) => `${seconds(row.cpuSeconds)} s`],
  ['memory', (row) => `${row.megabytes.toFixed(0)} MB`],
  ['', ({ complaint }) => complaint ?? ''],
];

export const noop = {
  name: 'noop',
  async run(context) {
    const sections = [];
    const figures = {};
    const [bare, ...others] = context.contenders;
    for (const fleet of FLEETS) {
      const count = fleet.projects * fleet.branches;
      const world = { ...fleet, computes: true, operationMs: 0, isLocking: false };
      const title = `No-change check, ${count.toLocaleString('en')} computes in ${fleet.projects} project${fleet.projects === 1 ? '' : 's'}`;
      context.log(title);
      const job = { title, fleet, world, kind: 'noop', repetitions: context.repetitions };
      const rows = await sideBySide([bare, readingFloor, ...others], job, context);
      sections.push({ title, text: table(columns, rows) });
      figures[count] = rows;
    }
    return { sections, figures };
  },
};
