// 100,000 random requests against the control plane: no 500, every answer in its schema.
import { runCampaign } from './run-test.mjs';

runCampaign('test/control-plane/random.test.ts', { TRUEUP_RANDOM_REQUESTS: process.argv[2] ?? '100000' });
