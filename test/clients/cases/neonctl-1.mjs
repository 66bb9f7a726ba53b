// neonctl 1.5: the one command line of the vendor that manages computes directly (`endpoints …`).
import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandCase, wordsOf } from '../support/command-case.mjs';
import { isolatedEnvironment, runNode } from '../support/command.mjs';
import { installed } from '../support/paths.mjs';
import { projectOf } from '../support/seed.mjs';

const project = projectOf('dusk');

const cases = [
  {
    command: 'endpoints list --project.id PROJECT -o json',
    shows: 'the computes of the project',
    check: ({ json }) =>
      assert.deepEqual(
        json().map(({ id }) => id),
        [project.primary],
      ),
  },
  {
    command:
      'endpoints create --project.id PROJECT --endpoint.branch_id DEV --endpoint.type read_write --endpoint.suspend_timeout_seconds 120 -o json',
    shows: 'a primary, active in the end',
    check: async ({ json }, { api, words }) => {
      words.COMPUTE = json().id;
      assert.equal(json().pending_state, 'active');
      await api.settled(project.id);
      const live = await api.compute(project.id, words.COMPUTE);
      assert.deepEqual([live.branch_id, live.current_state], [project.dev, 'active']);
      assert.equal(live.suspend_timeout_seconds, 120);
    },
  },
  {
    command: 'endpoints create --project.id PROJECT --endpoint.branch_id MAIN --endpoint.type read_write',
    exit: 1,
    shows: '409 for a second primary, with the message of the API',
    check: ({ stderr }) => assert.match(stderr, /409[^]*read_write endpoint/),
  },
  {
    command: 'endpoints get --project.id PROJECT --endpoint.id COMPUTE -o json',
    shows: 'one compute',
    check: ({ json }, { words }) => assert.equal(json().id, words.COMPUTE),
  },
  {
    command: 'endpoints list --project.id PROJECT --branch.id DEV -o json',
    shows: 'the computes of one branch',
    check: ({ json }, { words }) =>
      assert.deepEqual(
        json().map(({ id }) => id),
        [words.COMPUTE],
      ),
  },
  {
    command:
      'endpoints update --project.id PROJECT --endpoint.id COMPUTE --endpoint.suspend_timeout_seconds 600 -o json',
    shows: 'the `id` that this client sends inside `endpoint` is ignored; the rest is done',
    check: async (_, { api, words }) => {
      await api.settled(project.id);
      const live = await api.compute(project.id, words.COMPUTE);
      assert.deepEqual([live.suspend_timeout_seconds, live.branch_id], [600, project.dev]);
    },
  },
  {
    command: 'endpoints update --project.id PROJECT --endpoint.id COMPUTE --endpoint.branch_id STAGING -o json',
    shows: 'a move to a branch without a primary; id and host survive',
    check: async ({ json }, { api, words }) => {
      await api.settled(project.id);
      const live = await api.compute(project.id, words.COMPUTE);
      assert.deepEqual([live.branch_id, live.host], [project.staging, json().host]);
    },
  },
  {
    command: 'endpoints update --project.id PROJECT --endpoint.id COMPUTE --endpoint.branch_id MAIN',
    exit: 1,
    shows: 'a move to a branch that has a primary is refused; nothing was changed',
    check: async (_, { api, words }) => {
      assert.equal((await api.compute(project.id, words.COMPUTE)).branch_id, project.staging);
    },
  },
  {
    command: 'endpoints delete --project.id PROJECT --endpoint.id COMPUTE -o json',
    shows: 'gone for good',
    check: async ({ json }, { api, words }) => {
      assert.equal(json().id, words.COMPUTE);
      await api.settled(project.id);
      assert.equal(await api.statusOfCompute(project.id, words.COMPUTE), 404);
    },
  },
  {
    command: 'endpoints get --project.id PROJECT --endpoint.id COMPUTE',
    exit: 1,
    shows: '404, with the message of the API',
    check: ({ stderr }) => assert.match(stderr, /404[^]*not found/),
  },
  {
    command: 'endpoints list --project.id PROJECT',
    shows: "the client's own table",
    check: ({ stdout }) => assert.ok(stdout.includes(project.primary)),
  },
];

export const group = {
  client: 'neonctl',
  version: '1.5.0',
  package: 'neonctl-1.5',
  project,
  open: ({ url, key, api, folder }) => {
    const cwd = join(folder, 'neonctl-1');
    mkdirSync(cwd);
    // This version takes the key from the command line only.
    const flags = ['--api-host', url, '--api-key', key, '--no-analytics', '--config-dir', join(cwd, 'config')];
    const bin = installed('neonctl-1.5', 'cli.js');
    const env = isolatedEnvironment(folder);
    return {
      api,
      words: { ...wordsOf(project), COMPUTE: undefined },
      cli: (args) => runNode([bin, ...flags, ...args], { cwd, env }),
    };
  },
  cases: cases.map(commandCase),
};
