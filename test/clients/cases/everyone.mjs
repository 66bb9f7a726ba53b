// What holds for the run as a whole: nobody spoke to anything but this machine, and that would have been seen.
import { strict as assert } from 'node:assert';
import { casesOf } from '../support/runner.mjs';
import { isolatedEnvironment, runNode } from '../support/command.mjs';

// Reserved for documentation (RFC 5737): nobody answers there.
const ELSEWHERE = '192.0.2.1';

export const group = {
  client: 'all of them',
  version: '',
  open: (surroundings) => surroundings,
  cases: casesOf({
    'every process above': [
      'no connection beyond loopback was tried',
      ({ refused }) => assert.deepEqual(refused(), []),
    ],
    [`fetch('http://${ELSEWHERE}/')`]: [
      'such a connection would have been refused and written down',
      async ({ folder, refused }) => {
        const script = `fetch('http://${ELSEWHERE}/').catch((error) => console.log(error.cause.message))`;
        const { stdout } = await runNode(['-e', script], { cwd: folder, env: isolatedEnvironment(folder) });
        assert.match(stdout, /beyond loopback/);
        assert.deepEqual(refused(), [`${ELSEWHERE}:80`]);
      },
    ],
  }),
};
