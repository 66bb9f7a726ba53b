// Runs a workflow of examples/pipelines/github/ as GitHub does: conditions of jobs and steps, checkouts, secrets by event, the action.
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../architecture/source-tree.ts';
import { evaluate, interpolate, isTrue, type Names } from './expression.ts';
import type { PullRequest, Repository } from './repository.ts';
import { REPOSITORY, type JobResult, type Runner } from './runner.ts';

interface WorkflowJob {
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly WorkflowStep[];
}

interface WorkflowStep {
  readonly id?: string;
  readonly if?: string;
  readonly uses: string;
  readonly with?: Readonly<Record<string, string | boolean | number>>;
}

export interface Trigger {
  readonly event: 'pull_request' | 'push' | 'schedule' | 'workflow_dispatch' | 'issue_comment';
  readonly pull?: PullRequest;
  /** The further members of the event. */
  readonly payload?: object;
  readonly inputs?: Readonly<Record<string, string>>;
}

export interface Forges {
  readonly repository: Repository;
  readonly runner: Runner;
  readonly folder: string;
  /** The API key of each environment. */
  readonly keys: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** How each job went: its steps that used the action, in order; `skipped` when its condition kept it from starting. */
export type WorkflowResult = Readonly<Record<string, 'skipped' | readonly JobResult[]>>;

/** Runs a workflow by its file's name. */
export async function runWorkflow(name: string, trigger: Trigger, forges: Forges): Promise<WorkflowResult> {
  const file = join(root, 'examples/pipelines/github', name);
  const { jobs } = parse(readFileSync(file, 'utf8')) as { readonly jobs: Readonly<Record<string, WorkflowJob>> };
  const results: Record<string, 'skipped' | readonly JobResult[]> = {};
  for (const [id, job] of Object.entries(jobs)) {
    const before = job.needs === undefined ? [] : (results[job.needs] ?? []);
    const always = job.if?.includes('cancelled()') === true;
    const isHeld = before === 'skipped' || (!always && before.some(({ failed }) => failed));
    const isWanted = job.if === undefined || isTrue(evaluate(job.if, namesOf(trigger, new Map())));
    const ran: JobResult[] = [];
    results[id] = isHeld || !isWanted ? 'skipped' : ran;
    if (isHeld || !isWanted) continue;
    for (const shard of job.strategy?.matrix.shard ?? [0]) ran.push(...(await runJob(job, shard, trigger, forges)));
  }
  return results;
}

async function runJob(job: WorkflowJob, part: number, trigger: Trigger, forges: Forges): Promise<readonly JobResult[]> {
  const { repository, runner, folder, env } = forges;
  const known = { 'matrix.shard': String(part), 'runner.temp': runner.temp };
  const artifacts = join(folder, 'artifacts');
  const cwd = mkdtempSync(join(folder, 'job-'));
  const outputs = new Map<string, string>();
  const results: JobResult[] = [];
  const own = trigger.pull === undefined ? 'refs/heads/main' : `refs/pull/${trigger.pull.number}/merge`;
  runner.change({ readOnly: !Object.values(job.permissions ?? {}).includes('write') });
  for (const step of job.steps) {
    const names = namesOf(trigger, outputs, { ...known, key: forges.keys[job.environment ?? ''] ?? '' });
    const failed = results.some((result) => result.failed);
    if (step.if === undefined ? failed : !isTrue(evaluate(step.if, names))) continue;
    const given = Object.entries(step.with ?? {}).map(
      ([key, value]) => [key, interpolate(String(value), names)] as const,
    );
    const inputs: Readonly<Record<string, string>> = Object.fromEntries(given);
    if (step.uses.startsWith('actions/checkout@')) {
      repository.checkout(inputs['ref'] ?? own, join(cwd, inputs['path'] ?? '.'));
    } else if (step.uses.startsWith('actions/upload-artifact@')) {
      const { name = '', path = '' } = inputs;
      mkdirSync(join(artifacts, name), { recursive: true });
      cpSync(path, join(artifacts, name, basename(path)));
    } else if (step.uses.startsWith('actions/download-artifact@')) {
      cpSync(artifacts, join(cwd, inputs['path'] ?? '.'), { recursive: true });
    } else if (step.uses.includes('/.github/actions/trueup@')) {
      const payload = payloadOf(trigger);
      const sha = repository.head(own);
      const event = { name: trigger.event, payload };
      const used = { program: 'trueup', ...inputs };
      const result = await runner.use(used, { cwd, event, env: { ...env, GITHUB_SHA: sha } });
      results.push(result);
      for (const [name, value] of Object.entries(result.outputs)) outputs.set(`${step.id ?? ''}.${name}`, value);
    }
  }
  return results;
}

function payloadOf({ pull, payload = {} }: Trigger): object {
  return { repository: { default_branch: 'main' }, ...(pull === undefined ? {} : { pull_request: pull }), ...payload };
}

/** Secrets are empty for a fork's pull request. */
function namesOf(
  trigger: Trigger,
  outputs: ReadonlyMap<string, string>,
  known: Readonly<Record<string, string>> = {},
): Names {
  const isFork = trigger.pull !== undefined && trigger.pull.head.repo.full_name !== REPOSITORY;
  return (name) => {
    const [kind = '', ...rest] = name.split('.');
    if (name === 'cancelled()') return false;
    if (known[name] !== undefined) return known[name];
    if (name === 'github.repository') return REPOSITORY;
    if (name === 'secrets.TRUEUP_API_KEY') return isFork ? '' : (known['key'] ?? '');
    if (kind === 'inputs') return trigger.inputs?.[rest.join('.')] ?? '';
    if (kind === 'steps') return outputs.get(`${rest[0]}.${rest[2]}`) ?? '';
    if (name === 'github.event_name') return trigger.event;
    if (!name.startsWith('github.event.')) throw new Error(`a workflow uses ${name}, which is not known here`);
    const found = rest
      .slice(1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], payloadOf(trigger));
    return found === undefined ? '' : String(found);
  };
}
