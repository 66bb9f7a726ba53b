// 1,000 projects × 20 computes × 1,000,000 operations: start, latency at 200 requests a second, and memory.
import { runCampaign } from './run-test.mjs';

runCampaign('test/control-plane/scale.test.ts', {
  TRUEUP_SCALE_PROJECTS: process.argv[2] ?? '1000',
  TRUEUP_SCALE_SECONDS: '30',
  TRUEUP_SCALE_SLACK: '1',
});
