// neonctl 1.5: the one command line of the vendor that manages computes directly (`endpoints …`).
import { strict as assert } from 'node:assert';
import { has } from '../support/api.mjs';
import { commandCases, openCommandLine, refused } from '../support/command-case.mjs';
import { projectOf } from '../support/seed.mjs';

const project = projectOf('dusk');
const ids = (listed) => listed.map(({ id }) => id);

const cases = {
  'endpoints list --project.id PROJECT -o json': [
    'the computes of the project',
    ({ json }) => assert.deepEqual(ids(json()), [project.primary]),
  ],
  'endpoints create --project.id PROJECT --endpoint.branch_id DEV --endpoint.type read_write --endpoint.suspend_timeout_seconds 120 -o json':
    [
      'a primary, active in the end',
      async ({ json }, { api, words }) => {
        words.COMPUTE = json().id;
        assert.equal(json().pending_state, 'active');
        const asked = { branch_id: project.dev, current_state: 'active', suspend_timeout_seconds: 120 };
        has(await api.compute(project.id, words.COMPUTE), asked);
      },
    ],
  'endpoints create --project.id PROJECT --endpoint.branch_id MAIN --endpoint.type read_write': refused(
    '409 for a second primary, with the message of the API',
    /409[^]*read_write endpoint/,
  ),
  'endpoints get --project.id PROJECT --endpoint.id COMPUTE -o json': [
    'one compute',
    ({ json }, { words }) => assert.equal(json().id, words.COMPUTE),
  ],
  'endpoints list --project.id PROJECT --branch.id DEV -o json': [
    'the computes of one branch',
    ({ json }, { words }) => assert.deepEqual(ids(json()), [words.COMPUTE]),
  ],
  'endpoints update --project.id PROJECT --endpoint.id COMPUTE --endpoint.suspend_timeout_seconds 600 -o json': [
    'the `id` that this client sends inside `endpoint` is ignored; the rest is done',
    async (_, { api, words }) =>
      has(await api.compute(project.id, words.COMPUTE), { suspend_timeout_seconds: 600, branch_id: project.dev }),
  ],
  'endpoints update --project.id PROJECT --endpoint.id COMPUTE --endpoint.branch_id STAGING -o json': [
    'a move to a branch without a primary; id and host survive',
    async ({ json }, { api, words }) =>
      has(await api.compute(project.id, words.COMPUTE), { branch_id: project.staging, host: json().host }),
  ],
  'endpoints update --project.id PROJECT --endpoint.id COMPUTE --endpoint.branch_id MAIN': [
    'a move to a branch that has a primary is refused; nothing was changed',
    async (_, { api, words }) => has(await api.compute(project.id, words.COMPUTE), { branch_id: project.staging }),
    { exit: 1 },
  ],
  'endpoints delete --project.id PROJECT --endpoint.id COMPUTE -o json': [
    'gone for good',
    async ({ json }, { api, words }) => {
      assert.equal(json().id, words.COMPUTE);
      assert.equal(await api.statusOfCompute(project.id, words.COMPUTE), 404);
    },
  ],
  'endpoints get --project.id PROJECT --endpoint.id COMPUTE': refused(
    '404, with the message of the API',
    /404[^]*not found/,
  ),
  'endpoints list --project.id PROJECT': [
    "the client's own table",
    ({ stdout }) => assert.ok(stdout.includes(project.primary)),
  ],
};

export const group = {
  client: 'neonctl',
  version: '1.5.0',
  package: 'neonctl-1.5',
  project,
  open: (surroundings) => {
    // This version takes the key from the command line only.
    const flags = ['--api-key', surroundings.key];
    const words = { COMPUTE: undefined };
    return openCommandLine(surroundings, { home: 'neonctl-1', bin: ['neonctl-1.5', 'cli.js'], project, words, flags });
  },
  cases: commandCases(cases),
};
