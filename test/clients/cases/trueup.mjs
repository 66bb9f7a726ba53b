// trueup itself, as one client among the others: what it plans it applies, and what others change it notices.
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandCase, wordsOf } from '../support/command-case.mjs';
import { isolatedEnvironment, runNode } from '../support/command.mjs';
import { root, trueupBin } from '../support/paths.mjs';
import { projectOf } from '../support/seed.mjs';

const project = projectOf('ember');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const desired = ({ max = 2, replica = '', key = '' } = {}) => `version: 1
projects:
  ${project.name}:
    branches: { main: ${project.main}, staging: ${project.staging} }
    computes:
      primary:
        branch: main
        autoscaling_limit_min_cu: 0.5
        autoscaling_limit_max_cu: ${max}
        suspend_timeout_seconds: 10m
      reports:
        branch: staging
        type: read_only
        ${replica}
api_keys:
  from-trueup:
    secret: { file: from-trueup.json }
    ${key}
`;

const cases = [
  {
    command: 'ping',
    shows: 'address and key are good',
  },
  {
    command: 'plan --detailed-exitcode --format json',
    exit: 2,
    shows: 'one update, two creates; nothing is changed',
    check: async ({ json }, { api }) => {
      const { create, update } = json().trueup.summary;
      assert.deepEqual([create, update], [2, 1]);
      assert.equal((await api.computes(project.id)).length, 1);
    },
  },
  {
    command: 'apply --auto-approve',
    shows: 'the world is as the file says; the key lies in its file and nowhere else',
    check: async ({ stdout, stderr }, { api, secretFile }) => {
      const primary = await api.compute(project.id, project.primary);
      const { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max, suspend_timeout_seconds: delay } = primary;
      assert.deepEqual([min, max, delay], [0.5, 2, 600]);
      assert.deepEqual(await typesOn(api, project.staging), ['read_only']);
      const key = secretIn(secretFile);
      assert.ok(await api.opens(key));
      assert.ok(!`${stdout}${stderr}`.includes(key));
      assert.equal(statSync(secretFile).mode & 0o077, 0);
    },
  },
  {
    command: 'plan --detailed-exitcode',
    shows: 'no difference after an apply',
    check: ({ stdout }) => assert.match(stdout, /No changes\./),
  },
  {
    command: 'drift',
    shows: 'no drift after an apply',
  },
  {
    command: 'list --format json',
    shows: 'what the file manages, with live ids',
    check: ({ stdout }) => assert.ok(stdout.includes(project.primary)),
  },
  {
    command: 'operations --project PROJECT --format json',
    shows: 'the newest is the start of the compute that the apply made',
    check: ({ json }) => {
      const [newest] = json().operations;
      assert.deepEqual([newest.action, newest.status], ['start_compute', 'finished']);
      assert.equal(newest.branch_id, project.staging);
    },
  },
  {
    command: 'keys --format json',
    shows: 'the key with its sink, without its value',
    check: ({ stdout }, { secretFile }) => {
      assert.ok(stdout.includes('from-trueup'));
      assert.ok(!stdout.includes(secretIn(secretFile)));
    },
  },
  {
    command: 'drift --format json',
    exit: 2,
    shows: 'what someone else changed is seen',
    before: ({ api }) =>
      change(api, 'PATCH', `/endpoints/${project.primary}`, { endpoint: { autoscaling_limit_max_cu: 4 } }),
    check: ({ stdout }) => assert.ok(stdout.includes('autoscaling_limit_max_cu')),
  },
  {
    command: 'apply --auto-approve --allow restart:*',
    shows: 'and put back',
    check: async (_, { api }) => {
      assert.equal((await api.compute(project.id, project.primary)).autoscaling_limit_max_cu, 2);
    },
  },
  {
    command: 'plan -o saved.json',
    shows: 'a plan saved for a resize',
    before: ({ write }) => write(desired({ max: 3 })),
    check: (_, { savedPlan }) => assert.ok(existsSync(savedPlan)),
  },
  {
    command: 'apply saved.json',
    exit: 4,
    shows: 'the saved plan is refused once the world has moved on; nothing is sent',
    before: ({ api }) =>
      change(api, 'PATCH', `/endpoints/${project.primary}`, { endpoint: { autoscaling_limit_max_cu: 5 } }),
    check: async (_, { api }) => {
      assert.equal((await api.compute(project.id, project.primary)).autoscaling_limit_max_cu, 5);
    },
  },
  {
    command: 'apply --auto-approve',
    exit: 5,
    shows: 'a delete and a revocation are not done without consent; the resize is',
    before: ({ write }) => write(desired({ max: 3, replica: 'state: absent', key: 'state: absent' })),
    check: async (_, { api, secretFile }) => {
      assert.equal((await api.compute(project.id, project.primary)).autoscaling_limit_max_cu, 3);
      assert.deepEqual(await typesOn(api, project.staging), ['read_only']);
      assert.ok(await api.opens(secretIn(secretFile)));
    },
  },
  {
    command: 'apply --auto-approve --allow delete:*/reports --allow revoke:api_keys/from-trueup',
    shows: 'done where it is consented to',
    check: async (_, { api, secretFile }) => {
      assert.deepEqual(await typesOn(api, project.staging), []);
      assert.equal(await api.opens(secretIn(secretFile)), false);
    },
  },
  {
    command: 'plan --detailed-exitcode',
    shows: 'no difference in the end',
    check: ({ stdout }) => assert.match(stdout, /No changes\./),
  },
  {
    command: 'import --project for-*',
    shows: 'the projects of the other clients as YAML',
    check: ({ stdout }) => {
      for (const label of ['amber', 'birch', 'coral', 'dusk'])
        assert.ok(stdout.includes(projectOf(label).primary), label);
    },
  },
];

export const group = {
  client: 'trueup',
  version,
  project,
  open: ({ url, key, api, folder }) => {
    const cwd = join(folder, 'trueup');
    mkdirSync(cwd);
    const write = (text) => writeFileSync(join(cwd, 'trueup.yaml'), text);
    write(desired());
    const secrets = join(folder, 'trueup-secrets');
    const env = isolatedEnvironment(folder, { TRUEUP_API_KEY: key, TRUEUP_BASE_URL: url, TRUEUP_SECRETS_DIR: secrets });
    const files = {
      secretFile: join(secrets, 'from-trueup.json'),
      savedPlan: join(cwd, 'saved.json'),
    };
    const cli = (args) => runNode([trueupBin, ...args], { cwd, env });
    return { api, write, ...files, words: wordsOf(project), cli };
  },
  cases: cases.map(commandCase),
};

async function typesOn(api, branch) {
  return (await api.computes(project.id)).filter(({ branch_id }) => branch_id === branch).map(({ type }) => type);
}

function secretIn(file) {
  const { key } = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(typeof key, 'string', 'the secret file holds a key');
  return key;
}

/** A change by someone else, finished. */
async function change(api, method, path, body) {
  const { status } = await api.request(method, `/projects/${project.id}${path}`, { body });
  assert.equal(status, 200);
  await api.settled(project.id);
}
