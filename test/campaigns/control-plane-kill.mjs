// 200 random kill -9 of a server under load: nothing acknowledged is lost, no operation is stuck.
import { runCampaign } from './run-test.mjs';

runCampaign('test/control-plane/kill.test.ts', { TRUEUP_KILLS: process.argv[2] ?? '200' });
