// Whatever a pull request holds, the built program judges it within 20 s of processor time and 1 GiB of memory.
import { afterAll, describe, expect, it, vi } from 'vitest';
import { cleanUp } from '../../e2e/support/program.ts';
import { HOSTILE } from './inputs.ts';
import { CPU_LIMIT_S, judge, MEMORY_LIMIT_MIB } from './run.ts';

vi.setConfig({ testTimeout: 120_000, maxConcurrency: 2 });

/** Those that are judged as others are, by the same lines of the program: they run where `HOSTILE=all` is set. */
const ALIKE: ReadonlySet<string> = new Set([
  'a chain of branches',
  'a plan of 38000 replicas, one live',
  'a plan of 20000 replicas, one live',
  'a plan of a long chain of protected branches with roles',
  'a plan of many branches with roles and databases',
  'a plan of many holds',
  'a plan of many pairs of branches that change their names, where none has them',
  'a plan: many names',
  'a tab at each line',
  'a wide profile, used by all',
  'anchors on many values',
  'as many branches as a file may hold',
  'bad days',
  'bad time zones',
  'comments and empty lines at each entry',
  'entries without a value',
  'files that write the same',
  'five files of 20 MiB',
  'folded lines',
  'forty plain files of 6,000 computes',
  'ids claimed twice',
  'many comments',
  'many protections',
  'moves from one branch',
  'parents that nobody knows',
  'projects that are one',
  'projects with settings',
  'references that nobody set',
  'sinks of many names',
  'sinks that are one',
  'six files of 240,000 entries',
  'tags on many values',
  'tags that are not accepted',
  'the same key',
  'time zones in odd letters',
  'two primaries of one branch',
  'unknown attributes of holds',
  'unknown attributes to ignore',
  'unknown branches',
  'unknown keys at the top',
  'unknown keys of computes',
  'unknown profiles',
  'wide settings, used by all',
  'wrong durations',
  'wrong labels',
  'wrong times',
  'wrong values',
  'wrong words of a list',
]);
const inputs = HOSTILE.filter(({ name }) => process.env['HOSTILE'] === 'all' || !ALIKE.has(name));

let worstCpu = { name: '', cpuS: 0 };
let worstMemory = { name: '', memoryMiB: 0 };

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
