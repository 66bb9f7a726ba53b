// Ten replicas in one project that refuses every write while an operation runs.
import { seconds, table, nameOf, times } from '../support/table.mjs';
import { sideBySide } from './side-by-side.mjs';

const columns = [
  ['tool', nameOf],
  ['requests', ({ requests }) => requests],
  ['refused with 423', ({ refusals }) => refusals],
  ['wall', (row) => `${seconds(row.seconds)} s`],
  ['of the floor', (row) => times(row.ratio)],
  ['made', ({ computes }) => `${computes} of 10`],
  ['', ({ complaint }) => complaint ?? ''],
];

export const busy = {
  name: 'busy',
  async run(context) {
    const title = 'A busy project: 10 replicas, 423 while an operation (0.3 s) runs; the floor goes one by one';
    context.log(title);
    const world = { projects: 1, branches: 1, computes: false, operationMs: 300, isLocking: true };
    const job = {
      title,
      world,
      count: 10,
      kind: 'replicas',
      isFresh: true,
      repetitions: Math.min(context.repetitions, 3),
    };
    const rows = await sideBySide(context.contenders, job, context);
    return { sections: [{ title, text: table(columns, rows) }], figures: { busy: rows } };
  },
};
