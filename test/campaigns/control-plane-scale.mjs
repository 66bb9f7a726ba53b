// 1,000 projects × 3 branches × 20 computes, with 1,000,000 operations: start, latency at 200 requests a second, and memory.
import { count, runCampaign } from './run-test.mjs';

const ms = (value) => `${value < 10 ? value.toFixed(1) : count(value)} ms`;

runCampaign({
  name: 'a large account',
  testFile: 'test/control-plane/scale.slow.test.ts',
  size: '1000',
  sizes: (size) => ({ TRUEUP_SCALE_PROJECTS: size, TRUEUP_SCALE_SECONDS: '30', TRUEUP_SCALE_QUIET: '1' }),
  words: ({ projects, branches, computes, operations, startMs, requests, perSecond, p50Ms, p99Ms, memoryMb }) =>
    `${count(projects)} projects, ${count(branches)} branches, ${count(computes)} computes and ${count(operations)} operations: started in ${ms(startMs)}; ` +
    `${count(requests)} lists and gets at ${count(perSecond)} a second, p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}; ${count(memoryMb)} MB of memory`,
});
