// The stage of the rehearsal: an account with a real PostgreSQL, a repository with its main branch, and the workflows on a runner.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../architecture/source-tree.ts';
import type { World } from '../../../src/control-plane/index.ts';
import { openBeside } from '../../control-plane/postgres/served.ts';
import { deeds } from '../../e2e/support/desk.ts';
import { newFolder } from '../../e2e/support/program.ts';
import { startServer, type Server } from '../../e2e/support/server.ts';
import { openRepository, type PullRequest, type Repository } from './repository.ts';
import { openRunner, REPOSITORY, type JobResult, type Runner } from './runner.ts';
import { runWorkflow, type Trigger, type WorkflowResult } from './workflow.ts';

export const PROJECT = 'shop-000001';
export const PRIMARY = 'ep-shop-primary';

const DATA = { roles: ['shop_owner'], databases: [{ name: 'shopdb', owner_name: 'shop_owner' }] };
const WORLD: World = {
  version: 1,
  projects: [
    {
      id: PROJECT,
      name: 'shop',
      branches: ['main', 'old', 'new'].map((name) => ({
        id: `br-shop-${name}`,
        name,
        default: name === 'main',
        protected: name === 'main',
        created_at: '-30d',
        ...DATA,
      })),
      computes: [
        { id: PRIMARY, branch: 'main', created_at: '-2d' },
        { id: 'ep-shop-mover', branch: 'old', created_at: '-2d' },
      ],
    },
  ],
};

/** The desired state of the repository: its branches and computes as flow mappings by name. */
export function wish(
  computes: Readonly<Record<string, string>>,
  branches: Readonly<Record<string, string>> = {},
): string {
  const mappings = (all: object): string =>
    Object.entries(all)
      .map(([name, text]) => `      ${name}: { ${text} }\n`)
      .join('');
  const named = {
    main: 'id: br-shop-main, default: true, protected: true',
    old: 'id: br-shop-old',
    new: 'id: br-shop-new',
    ...branches,
  };
  return `version: 1\nprojects:\n  shop:\n    branches:\n${mappings(named)}    computes:\n${mappings(computes)}`;
}

export interface Stage {
  readonly server: Server;
  readonly repository: Repository;
  readonly runner: Runner;
  /** Opens or updates a pull request: the workflows for pull requests and for previews run. */
  push(number: number, branch: string, from?: string): Promise<Pushed>;
  /** Closes a pull request, merged or not; a merge is applied. */
  close(pull: PullRequest, isMerged?: boolean): Promise<JobResult | undefined>;
  run(workflow: string, trigger: Trigger): Promise<WorkflowResult>;
  /** The steps of a job that ran. */
  steps(workflow: string, trigger: Trigger, job: string): Promise<readonly JobResult[]>;
  comments(number: number): readonly string[];
  /** The first column of a query in the preview of a pull request; null if the preview has no connection. */
  preview(number: number, query: string): Promise<readonly unknown[] | null>;
  /** Runs a statement on the branch main. */
  onMain(statement: string): Promise<void>;
  ledger(): Promise<readonly string[]>;
  branches(): Promise<readonly string[]>;
}

export interface Pushed {
  readonly pull: PullRequest;
  readonly planned: WorkflowResult;
  readonly previewed: WorkflowResult;
}

/** A key that reaches the project alone. */
async function keyOfProject({ request }: Server): Promise<string> {
  const mine = '/users/me/organizations';
  const { organizations } = await request<{ readonly organizations: readonly { readonly id: string }[] }>('GET', mine);
  const asked = { key_name: 'previews', project_id: PROJECT };
  const path = `/organizations/${organizations[0]?.id ?? ''}/api_keys`;
  return (await request<{ readonly key: string }>('POST', path, asked)).key;
}

/** Opens the stage; `files` are the files of the main branch. */
export async function openStage(files: Readonly<Record<string, string>>): Promise<Stage> {
  const server = await startServer({ world: WORLD, postgres: true });
  const folder = newFolder('rehearsal');
  const [repository, runner] = [openRepository(folder), openRunner(folder)];
  const secrets = join(folder, 'secrets');
  const keys = { plan: server.key, production: server.key, previews: await keyOfProject(server) };
  const env = { TRUEUP_BASE_URL: server.baseUrl, TRUEUP_SECRETS_DIR: secrets };
  const desk = openBeside(server);
  const safety = readFileSync(join(root, 'examples/pipelines/previews-safety.yaml'), 'utf8');
  repository.commit('main', { ...files, '.github/previews-safety.yaml': safety });
  const run: Stage['run'] = async (name, trigger) =>
    runWorkflow(name, trigger, { repository, runner, folder, keys, env });
  const steps: Stage['steps'] = async (name, trigger, job) => {
    const ran = (await run(name, trigger))[job];
    expect(ran).not.toBe('skipped');
    return ran === 'skipped' || ran === undefined ? [] : ran;
  };
  const keep = (pull: PullRequest, more: object): void => {
    const others = runner.forge().pulls.filter((one) => (one as PullRequest).number !== pull.number);
    runner.change({ pulls: [...others, { ...pull, state: 'open', merged_at: null, commits: [], ...more }] });
  };
  const opened = new Set<number>();
  return {
    server,
    repository,
    runner,
    run,
    steps,
    async push(number, branch, from = REPOSITORY) {
      const pull = repository.propose(number, branch, from);
      keep(pull, {});
      const action = opened.has(number) ? 'synchronize' : 'opened';
      opened.add(number);
      const trigger: Trigger = { event: 'pull_request', pull, payload: { action } };
      return { pull, planned: await run('pull-request.yml', trigger), previewed: await run('previews.yml', trigger) };
    },
    async close(pull, isMerged = false) {
      const sha = isMerged ? repository.merge(pull) : null;
      keep(pull, {
        state: 'closed',
        ...(sha === null ? {} : { merged_at: 'now', merge_commit_sha: sha, commits: [sha] }),
      });
      await run('previews.yml', { event: 'pull_request', pull, payload: { action: 'closed' } });
      return isMerged ? (await steps('apply.yml', { event: 'push' }, 'apply'))[0] : undefined;
    },
    comments: (number) => runner.forge().comments.flatMap(({ issue, body }) => (issue === number ? [body] : [])),
    async preview(number, query) {
      const file = join(secrets, `preview-${number}.json`);
      if (!existsSync(file)) return null;
      const { uri } = JSON.parse(readFileSync(file, 'utf8')) as { readonly uri: string };
      return desk.rows(uri, query);
    },
    async onMain(statement) {
      const names = `role_name=shop_owner&database_name=shopdb&endpoint_id=${PRIMARY}`;
      const { uri } = await server.request<{ readonly uri: string }>(
        'GET',
        `/projects/${PROJECT}/connection_uri?${names}`,
      );
      await desk.rows(uri, statement);
    },
    ledger: async () => deeds(await server.ledger(PROJECT)).toSorted(),
    async branches() {
      const { branches } = await server.request<{ readonly branches: readonly { readonly name: string }[] }>(
        'GET',
        `/projects/${PROJECT}/branches`,
      );
      return branches.map(({ name }) => name).toSorted();
    },
  };
}
