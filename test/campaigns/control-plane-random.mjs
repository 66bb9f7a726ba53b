// 100,000 random requests against the control plane: no 500, every answer in its schema.
import { count, runCampaign } from './run-test.mjs';

runCampaign({
  name: 'random requests',
  testFile: 'test/control-plane/random.slow.test.ts',
  size: '100000',
  sizes: (size) => ({ TRUEUP_RANDOM_REQUESTS: size }),
  words: ({ requests, succeeded, refused, failed }) =>
    `${count(requests)} requests, ${count(succeeded)} of them done, ${count(refused)} refused with 4xx or 501, ` +
    `${count(failed)} answered with another 5xx; every answer held against its schema`,
});
