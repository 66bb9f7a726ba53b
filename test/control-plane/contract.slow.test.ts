// The contract of the API page, under the defaults and under each setting of each switch.
import { describe, expect, it } from 'vitest';
import { switchTable } from '../../src/control-plane/index.ts';
import { contract } from './contract.ts';
import { makeWorld } from './world.ts';

describe('the contract', () => {
  it.each(contract)('%s', async (_name, run) => {
    expect.hasAssertions();
    await run(makeWorld());
  });
});

const settings = Object.entries(switchTable).flatMap(([name, row]) =>
  row.settings.slice(1).map((setting) => [`${name} = ${setting}`, { [name]: setting }] as const),
);

describe.each(settings)('the contract with %s', (_setting, switches) => {
  it.each(contract)('%s', async (_name, run) => {
    expect.hasAssertions();
    await run(makeWorld({ switches }));
  });
});
