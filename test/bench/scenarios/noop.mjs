// A plan that finds nothing to do, for 1,000 computes.
import { seconds, table, nameOf, times } from '../support/table.mjs';
import { sideBySide } from './side-by-side.mjs';

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
    const fleet = { projects: 100, branches: 10 };
    const title = 'Plan without a change, 1,000 computes in 100 projects';
    context.log(title);
    const world = { ...fleet, computes: true, operationMs: 0 };
    const rows = await sideBySide({ fleet, world, kind: 'noop', repetitions: context.repetitions }, context);
    return { sections: [{ title, text: table(columns, rows) }], figures: { noop: rows } };
  },
};
