// Making computes and waiting for their operations: 100 and 1,000 with short ones, 100 with operations of 5 seconds.
import { readingFloor } from '../contenders/floor.mjs';
import { seconds, table, nameOf, times } from '../support/table.mjs';
import { sideBySide } from './side-by-side.mjs';

/** With the most repetitions: more where single runs differ by as much as their median is away from its target. */
const JOBS = [
  { key: 'create100', fleet: { projects: 10, branches: 10 }, operationMs: 300, most: 3 },
  { key: 'create1000', fleet: { projects: 100, branches: 10 }, operationMs: 300, most: 5 },
  { key: 'slow100', fleet: { projects: 10, branches: 10 }, operationMs: 5000, most: 3, options: { pollMs: 1000 } },
];

const columns = [
  ['tool', nameOf],
  ['requests', ({ requests }) => requests],
  ['wall', (row) => `${seconds(row.seconds)} s`],
  ['of the floor', (row) => times(row.ratio)],
  ['CPU', (row) => `${seconds(row.cpuSeconds)} s`],
  ['made', ({ computes, wanted }) => `${computes} of ${wanted}`],
  ['', ({ complaint }) => complaint ?? ''],
];

export const create = {
  name: 'create',
  async run(context) {
    const sections = [];
    const figures = {};
    const [bare, ...others] = context.contenders;
    for (const { key, fleet, operationMs, most, options } of JOBS) {
      const count = fleet.projects * fleet.branches;
      const world = { ...fleet, computes: false, operationMs, isLocking: false };
      const title = `Create ${count.toLocaleString('en')} computes in ${fleet.projects} projects, operations of ${operationMs / 1000} s`;
      context.log(title);
      const repetitions = Math.min(context.repetitions, most);
      const job = { title, fleet, world, kind: 'create', isFresh: true, repetitions, options };
      const rows = await sideBySide([bare, readingFloor, ...others], job, context);
      sections.push({ title, text: table(columns, rows) });
      figures[key] = rows;
    }
    return { sections, figures };
  },
};
