// A machine that runs the action as GitHub's does: its steps in order, their conditions, environment, outputs and summaries.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../architecture/source-tree.ts';
import { bin } from '../../e2e/support/program.ts';
import { evaluate, interpolate, isTrue, type Names } from './expression.ts';

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly ActionStep[] };
}

interface ActionStep {
  readonly id: string;
  readonly if?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
  readonly run: string;
}

export const actionFolder: string = join(root, '.github/actions/trueup');
export const action: ActionFile = parse(readFileSync(join(actionFolder, 'action.yml'), 'utf8')) as ActionFile;

/** What the repository holds on GitHub's side. */
export interface Forge {
  readonly token: string;
  readonly readOnly?: boolean;
  readonly comments: readonly {
    id: number;
    node_id?: string;
    issue: number;
    user: { login: string; type?: string };
    editor?: { login: string };
    created_at?: string;
    updated_at?: string;
    lastEditedAt?: string;
    body: string;
  }[];
  /** The runs of the workflow for pull requests, and the run that was started again. */
  readonly runs?: readonly { readonly id: number }[];
  readonly rerun?: number;
  /** The right of each collaborator. */
  readonly permissions?: Readonly<Record<string, string>>;
  readonly issues: readonly { number: number; state: string; user: { login: string }; title: string; body: string }[];
  readonly pulls: readonly object[];
}

export interface Job {
  /** Folder of the checkout. */
  readonly cwd: string;
  readonly event?: { readonly name: string; readonly payload: object };
  readonly env?: Readonly<Record<string, string>>;
}

export interface JobResult {
  readonly failed: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly log: string;
  readonly summary: string;
}

export interface Runner {
  forge(): Forge;
  change(forge: Partial<Forge>): void;
  /** One use of the action with these inputs. */
  use(inputs: Readonly<Record<string, string>>, job: Job): Promise<JobResult>;
  /** The runner's own folder for files that live as long as a job: no checkout reaches it. */
  readonly temp: string;
  /** Every argument of every process that the action's steps started by name: gh and trueup. */
  argv(): string;
}

export const REPOSITORY = 'acme/databases';
export const TOKEN = 'canary-github-token';

/** A runner whose files lie in `folder`. */
export function openRunner(folder: string): Runner {
  const tools = join(folder, 'tools');
  const state = join(folder, 'forge.json');
  mkdirSync(tools, { recursive: true });
  const temp = join(folder, 'temp');
  mkdirSync(temp);
  const node = JSON.stringify(process.execPath);
  program(join(tools, 'gh'), `exec ${node} ${JSON.stringify(join(import.meta.dirname, 'fake-gh.mjs'))} "$@"`);
  program(
    join(tools, 'trueup'),
    `printf '%s\\n' "$*" >> ${JSON.stringify(`${state}.argv`)}\nexec ${node} ${JSON.stringify(bin)} "$@"`,
  );
  const write = (forge: Forge): void => writeFileSync(state, JSON.stringify(forge));
  const forge = (): Forge => JSON.parse(readFileSync(state, 'utf8')) as Forge;
  write({ token: TOKEN, comments: [], issues: [], pulls: [] });
  return {
    forge,
    temp,
    change: (parts) => write({ ...forge(), ...parts }),
    use: async (inputs, job) => use(inputs, job, { tools, state, folder, temp }),
    argv: () => (existsSync(`${state}.argv`) ? readFileSync(`${state}.argv`, 'utf8') : ''),
  };
}

function program(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

interface Machine {
  readonly tools: string;
  readonly state: string;
  readonly folder: string;
  readonly temp: string;
}

async function use(given: Readonly<Record<string, string>>, job: Job, machine: Machine): Promise<JobResult> {
  const unknown = Object.keys(given).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`);
  const outputs = new Map<string, string>();
  const names: Names = (name) => {
    if (name === 'cancelled()') return false;
    if (name === 'github.token') return TOKEN;
    const [kind = '', ...rest] = name.split('.');
    if (kind === 'env') return job.env?.[rest.join('.')] ?? '';
    if (kind === 'steps') return outputs.get(`${rest[0]}.${rest[2]}`) ?? '';
    const input = rest.join('.');
    return given[input] ?? interpolate(action.inputs[input]?.default ?? '', names);
  };
  const result = { failed: false, log: '', summary: '' };
  for (const step of action.runs.steps) {
    const always = step.if?.includes('cancelled()') === true;
    if ((result.failed && !always) || (step.if !== undefined && !isTrue(evaluate(step.if, names)))) continue;
    const done = await runStep(step, names, job, machine);
    for (const [name, value] of done.outputs) outputs.set(`${step.id}.${name}`, value);
    result.log += done.log;
    result.summary += done.summary;
    result.failed ||= done.code !== 0;
  }
  const values = Object.entries(action.outputs).map(([name, { value }]) => [name, interpolate(value, names)] as const);
  return { ...result, outputs: Object.fromEntries(values) };
}

interface StepResult {
  readonly code: number;
  readonly outputs: ReadonlyMap<string, string>;
  readonly log: string;
  readonly summary: string;
}

async function runStep(
  step: ActionStep,
  names: Names,
  job: Job,
  { tools, state, folder, temp }: Machine,
): Promise<StepResult> {
  const own = mkdtempSync(join(folder, 'step-'));
  const file = (name: string): string => join(own, name);
  for (const name of ['output', 'summary']) writeFileSync(file(name), '');
  writeFileSync(file('event.json'), JSON.stringify(job.event?.payload ?? {}));
  const stepEnv = Object.entries(step.env).map(([name, value]) => [name, interpolate(value, names)]);
  const ended = await runBash(step.run, resolvePath(job.cwd, interpolate(step['working-directory'] ?? '.', names)), {
    PATH: `${tools}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: actionFolder,
    GITHUB_OUTPUT: file('output'),
    GITHUB_STEP_SUMMARY: file('summary'),
    GITHUB_EVENT_PATH: file('event.json'),
    GITHUB_EVENT_NAME: job.event?.name ?? 'push',
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_WORKSPACE: job.cwd,
    RUNNER_TEMP: temp,
    GITHUB_REF_NAME: 'main',
    FAKE_GH_STATE: state,
    ...job.env,
    ...(Object.fromEntries(stepEnv) as Record<string, string>),
  });
  const outputs = new Map(
    readFileSync(file('output'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  );
  return { ...ended, outputs, summary: readFileSync(file('summary'), 'utf8') };
}

/** Runs a step's text as a runner's bash does. */
async function runBash(
  text: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly log: string }> {
  return new Promise((resolve, reject) => {
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', text];
    const child = spawn('bash', words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, log: Buffer.concat(chunks).toString('utf8') }));
  });
}
