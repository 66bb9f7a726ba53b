// 200 random kill -9 of a server under load: nothing acknowledged is lost, no operation is stuck.
import { count, runCampaign } from './run-test.mjs';

runCampaign({
  name: 'kill -9 under load',
  testFile: 'test/control-plane/kill.slow.test.ts',
  size: '200',
  sizes: (size) => ({ TRUEUP_KILLS: size }),
  words: ({ kills, acknowledged, unanswered, checks }) =>
    `${count(kills)} kills with ${count(acknowledged)} changes acknowledged between them: none lost, no operation stuck; ` +
    `${count(unanswered)} changes were cut off unanswered; ${count(checks)} looks at the whole account`,
});
