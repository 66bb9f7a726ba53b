// Terraform, only where the operator names it: TERRAFORM_BIN, and in TERRAFORM_PROVIDER_FILE the HCL that sets up a provider of
// `neon_endpoint` which speaks to the address in the environment variable BENCH_URL (and TF_CLI_CONFIG_FILE, if it is a local one).
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { measure } from '../support/measure.mjs';
import { names } from '../stub/world.mjs';
import { environment } from './environment.mjs';

const { TERRAFORM_BIN: program, TERRAFORM_PROVIDER_FILE: provider, TF_CLI_CONFIG_FILE: settings } = process.env;

const run = ({ folder, url }, ...words) => ({
  command: [program, ...words, '-no-color', '-input=false'],
  env: environment(folder, {
    BENCH_URL: url,
    NEON_API_KEY: 'bench',
    ...(settings ? { TF_CLI_CONFIG_FILE: settings } : {}),
  }),
  cwd: folder,
});

async function must(setup) {
  const { command, ...setting } = setup;
  const { code, stderr } = await measure(command, setting);
  if (code !== 0) throw new Error(`${command.slice(1, 2)}: ${stderr.trim().split('\n')[0]}`);
}

function resource(name, projectId, branchId, type) {
  const attributes = {
    project_id: projectId,
    branch_id: branchId,
    type,
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 1,
  };
  const lines = Object.entries(attributes).map(([key, value]) => `  ${key} = ${JSON.stringify(value)}`);
  return `resource "neon_endpoint" "${name}" {\n${lines.join('\n')}\n}\n`;
}

async function prepare(input, resources) {
  copyFileSync(provider, join(input.folder, 'provider.tf'));
  writeFileSync(join(input.folder, 'main.tf'), resources.join('\n'));
  await must(run(input, 'init'));
}

const fleetOf = ({ projects, branches }) =>
  Array.from({ length: projects }, (_, p) =>
    Array.from({ length: branches }, (__, b) =>
      resource(`c_${p}_${b}`, names.projectId(p + 1), names.branchId(p + 1, b + 1), 'read_write'),
    ),
  ).flat();

export const terraform = {
  name: 'Terraform (neon_endpoint)',
  version: () =>
    program && provider
      ? JSON.parse(execFileSync(program, ['version', '-json'], { encoding: 'utf8' })).terraform_version
      : undefined,
  create: {
    prepare: (input) => prepare(input, fleetOf(input.fleet)),
    run: (input) => run(input, 'apply', '-auto-approve'),
  },
  noop: {
    /** What it is to compare with has to be in its state: it makes the fleet itself, in an account without computes. */
    startsEmpty: true,
    prepare: async (input) => {
      await prepare(input, fleetOf(input.fleet));
      await must(run(input, 'apply', '-auto-approve'));
    },
    run: (input) => run(input, 'plan'),
    sawDrift: ({ stdout }) => /Plan: .*/.exec(stdout)?.[0] ?? 'nothing',
  },
  replicas: {
    prepare: (input) =>
      prepare(
        input,
        Array.from({ length: 10 }, (_, n) => resource(`r_${n}`, names.projectId(1), names.branchId(1, 1), 'read_only')),
      ),
    run: (input) => run(input, 'apply', '-auto-approve'),
  },
};
