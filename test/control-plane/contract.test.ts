// The contract of the API reference, under the defaults and under a dozen rows of settings of all switches together.
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { switchTable } from '../../src/control-plane/index.ts';
import { accessCases } from './contract-access.ts';
import { computeCases } from './contract-computes.ts';
import { keyCases } from './contract-keys.ts';
import { operationCases } from './contract-operations.ts';
import { restartCases } from './contract-restarts.ts';
import { makeWorld } from './world.ts';

const contract = Object.entries({ ...keyCases, ...computeCases, ...restartCases, ...accessCases, ...operationCases });

/** A smaller plan refuses the sizes that other settings make, so its settings stand alone. */
const { plan, ...others } = switchTable;
const ROWS = 12;

const random = seededRandom(1);
const columns = Object.entries(others).map(([name, row]) => [name, columnOf(row.settings)] as const);
const rows = [
  {},
  ...plan.settings.slice(1).map((setting) => ({ plan: setting })),
  ...Array.from({ length: ROWS }, (_, at) => Object.fromEntries(columns.map(([name, column]) => [name, column[at]]))),
];

const all = rows.flatMap((switches, at) => contract.map(([name, run]) => [at, name, run, switches] as const));

it.each(all)('the contract under row %i: %s', async (_at, _name, run, switches) => {
  expect.hasAssertions();
  await run(makeWorld({ switches })).catch((error: unknown) => {
    throw new Error(`with ${JSON.stringify(switches)}`, { cause: error });
  });
});

/** Each setting equally often, in an order drawn by chance: so most pairs of settings of two switches meet in some row. */
function columnOf(settings: readonly unknown[]): readonly unknown[] {
  return Array.from({ length: ROWS }, (_, at) => ({ setting: settings[at % settings.length], order: random.next() }))
    .sort((one, other) => one.order - other.order)
    .map(({ setting }) => setting);
}
