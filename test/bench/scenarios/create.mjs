// Creates computes and waits for their operations: 1,000 with short ones, 100 with operations of 5 seconds.
import { seconds, table, nameOf, times } from '../support/table.mjs';
import { sideBySide } from './side-by-side.mjs';

const JOBS = [
  { key: 'create1000', fleet: { projects: 100, branches: 10 }, operationMs: 300, most: 5 },
  { key: 'slow100', fleet: { projects: 10, branches: 10 }, operationMs: 5000, most: 3, options: { pollMs: 1000 } },
];

const columns = [
  ['tool', nameOf],
  ['requests', ({ requests }) => requests],
  ['wall', (row) => `${seconds(row.seconds)} s`],
  ['of the floor', (row) => times(row.ratio)],
  ['CPU', (row) => `${seconds(row.cpuSeconds)} s`],
  ['created', ({ computes, wanted }) => `${computes} of ${wanted}`],
  ['', ({ complaint }) => complaint ?? ''],
];

export const create = {
  name: 'create',
  async run(context) {
    const sections = [];
    const figures = {};
    for (const { key, fleet, operationMs, most, options } of JOBS) {
      const count = fleet.projects * fleet.branches;
      const world = { ...fleet, computes: false, operationMs };
      const title = `Create ${count.toLocaleString('en')} computes in ${fleet.projects} projects, operations of ${operationMs / 1000} s`;
      context.log(title);
      const repetitions = Math.min(context.repetitions, most);
      const rows = await sideBySide({ fleet, world, kind: 'create', isFresh: true, repetitions, options }, context);
      sections.push({ title, text: table(columns, rows) });
      figures[key] = rows;
    }
    return { sections, figures };
  },
};
