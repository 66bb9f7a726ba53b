// Making computes and waiting for their operations: 100 and 1,000 with short ones, 1,000 with the usual budget of requests, 100 with operations of 5 seconds.
import { readingFloor } from '../contenders/floor.mjs';
import { trueup } from '../contenders/trueup.mjs';
import { seconds, table, nameOf, times } from '../support/table.mjs';
import { sideBySide } from './side-by-side.mjs';

/** With the most repetitions: more where single runs differ by as much as their median is away from its target. */
const JOBS = [
  { key: 'create100', fleet: { projects: 10, branches: 10 }, operationMs: 300, most: 3 },
  { key: 'create1000', fleet: { projects: 100, branches: 10 }, operationMs: 300, most: 5 },
  // Minutes of waiting: one run of each is enough.
  { key: 'paced1000', fleet: { projects: 100, branches: 10 }, operationMs: 300, most: 1, options: { perMinute: 600 } },
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
      const pace = options?.perMinute === undefined ? '' : `, ${options.perMinute} requests a minute`;
      const title = `Create ${count.toLocaleString('en')} computes in ${fleet.projects} projects, operations of ${operationMs / 1000} s${pace}`;
      context.log(title);
      const repetitions = Math.min(context.repetitions, most);
      const job = { title, fleet, world, kind: 'create', isFresh: true, repetitions, options };
      const beside = pace === '' ? [readingFloor, ...others] : others.filter((one) => one === trueup);
      const rows = await sideBySide([bare, ...beside], job, context);
      sections.push({ title, text: table(columns, rows) });
      figures[key] = rows;
    }
    return { sections, figures };
  },
};
