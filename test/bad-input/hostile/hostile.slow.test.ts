// Whatever a pull request holds, the built program judges it within 20 s of processor time and 1 GiB of memory.
import { afterAll, describe, expect, it, vi } from 'vitest';
import { cleanUp } from '../../e2e/support/program.ts';
import { isFullSize } from '../../support/full-size.ts';
import { HOSTILE } from './inputs.ts';
import { CPU_LIMIT_S, judge, MEMORY_LIMIT_MIB } from './run.ts';

vi.setConfig({ testTimeout: 120_000, maxConcurrency: 2 });

/** One for each kind of input; the others and the largest are judged at full size. */
const SAMPLE: ReadonlySet<string> = new Set([
  '"[{" again and again',
  '"\\\\x41" again and again in a quoted text',
  'one file beyond the bound',
  'a billion laughs',
  'variables of variables',
  'references that are left open',
  'patterns of many stars',
  'variables: escapes',
  'a plan: one name',
  'the journal: lines of runs',
  'limits',
]);
const inputs = HOSTILE.filter(({ name }) => isFullSize || SAMPLE.has(name));

let worstCpu = { name: '', cpuS: 0 };
let worstMemory = { name: '', memoryMiB: 0 };

it('has each input of the sample', () => {
  expect(HOSTILE.filter(({ name }) => SAMPLE.has(name))).toHaveLength(SAMPLE.size);
});

afterAll(() => {
  cleanUp();
  process.stdout.write(
    `${inputs.length} hostile inputs: at most ${worstCpu.cpuS.toFixed(1)} s (${worstCpu.name}) and ${worstMemory.memoryMiB.toFixed(0)} MiB (${worstMemory.name})\n`,
  );
});

describe.concurrent('is judged within bounds', () => {
  it.each(inputs)('$name', async (input) => {
    const { code, text, cpuS, memoryMiB } = await judge(input);
    if (process.env['HOSTILE_LOG'] === '1')
      process.stderr.write(
        `${cpuS.toFixed(1)} ${memoryMiB.toFixed(0)} ${code} ${input.name} ## ${text.slice(0, 100).replaceAll('\n', ' ')}\n`,
      );
    expect(input.codes ?? [1], text.slice(0, 2000)).toContain(code);
    expect(text.length).toBeLessThan(200_000);
    if (input.says !== undefined) expect(text).toContain(input.says);
    expect(cpuS).toBeLessThan(CPU_LIMIT_S);
    expect(memoryMiB).toBeLessThan(MEMORY_LIMIT_MIB);
    if (cpuS > worstCpu.cpuS) worstCpu = { name: input.name, cpuS };
    if (memoryMiB > worstMemory.memoryMiB) worstMemory = { name: input.name, memoryMiB };
  });
});
