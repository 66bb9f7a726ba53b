// The whole life of a change, on a bare repository and a server, by the workflows of examples/pipelines/github/ as they are.
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../../src/control-plane/index.ts';
import { deeds } from '../e2e/support/desk.ts';
import { cleanUp, newFolder } from '../e2e/support/program.ts';
import { startServer, type Server } from '../e2e/support/server.ts';
import { openRepository, type PullRequest, type Repository } from './support/repository.ts';
import { openRunner, REPOSITORY, TOKEN, type JobResult, type Runner } from './support/runner.ts';
import { runWorkflow, type Forges, type Trigger, type WorkflowResult } from './support/workflow.ts';

const PROJECT = 'shop-000001';
const PRIMARY = 'ep-shop-primary';
const WORLD: World = {
  version: 1,
  projects: [
    {
      id: PROJECT,
      name: 'shop',
      branches: ['main', 'old', 'new'].map((name) => ({ id: `br-shop-${name}`, name, default: name === 'main' })),
      computes: [
        { id: PRIMARY, branch: 'main', created_at: '-2d' },
        { id: 'ep-shop-mover', branch: 'old', created_at: '-2d' },
      ],
    },
  ],
};

/** The file of the repository, its computes as flow mappings by name. */
function wish(computes: Readonly<Record<string, string>>): string {
  const lines = Object.entries(computes).map(([name, text]) => `      ${name}: { ${text} }\n`);
  return `version: 1
projects:
  shop:
    branches: { main: br-shop-main, old: br-shop-old, new: br-shop-new }
    computes:
${lines.join('')}`;
}

const BEFORE = wish({ primary: 'branch: main, autoscaling_limit_max_cu: 0.25', mover: 'branch: old' });
const AFTER = wish({
  primary: 'branch: main, autoscaling_limit_max_cu: 2',
  reader: 'branch: main, type: read_only',
  mover: 'branch: new, moved_from: old',
});

let server: Server;
let folder: string;
let repository: Repository;
let runner: Runner;
let forges: Forges;
beforeAll(async () => {
  server = await startServer({ world: WORLD });
  folder = newFolder('rehearsal');
  repository = openRepository(folder);
  runner = openRunner(folder);
  const secrets = { TRUEUP_API_KEY: server.key };
  forges = { repository, runner, folder, secrets, env: { TRUEUP_BASE_URL: server.baseUrl } };
  repository.commit('main', { 'trueup.yaml': BEFORE });
});
afterAll(cleanUp);

const workflow = async (name: string, trigger: Trigger): Promise<WorkflowResult> => runWorkflow(name, trigger, forges);

/** The steps of a job that ran. */
function stepsOf(result: WorkflowResult, job: string): readonly JobResult[] {
  const steps = result[job];
  expect(steps).not.toBe('skipped');
  return steps === 'skipped' || steps === undefined ? [] : steps;
}

async function proposed(number: number, branch: string): Promise<PullRequest> {
  const pull = repository.propose(number, branch, REPOSITORY);
  const result = await workflow('pull-request.yml', { event: 'pull_request', pull });
  expect(
    [...stepsOf(result, 'validate'), ...stepsOf(result, 'plan')].map(({ failed, log }) => (failed ? log : '')),
  ).toEqual(['', '', '']);
  return pull;
}

async function merged(pull: PullRequest): Promise<JobResult> {
  const sha = repository.merge(pull);
  const entry = { number: pull.number, merged_at: 'now', merge_commit_sha: sha, base: pull.base, head: pull.head };
  runner.change({ pulls: [{ ...entry, commits: [sha] }] });
  const [applied] = stepsOf(await workflow('apply.yml', { event: 'push' }), 'apply');
  if (applied === undefined) throw new Error('nothing was applied');
  return applied;
}

async function nightly(): Promise<readonly JobResult[]> {
  return stepsOf(await workflow('nightly.yml', { event: 'schedule' }), 'drift');
}

const commentOn = (number: number): string => runner.forge().comments.find(({ issue }) => issue === number)?.body ?? '';
const ledger = async (): Promise<readonly string[]> => deeds(await server.ledger(PROJECT)).toSorted();

describe('a change', () => {
  let pull: PullRequest;

  it('starts from an account that is as main says', async () => {
    const [drift, due] = await nightly();
    expect(drift?.outputs['exit-code'], drift?.log).toBe('0');
    expect(due?.outputs['exit-code'], due?.log).toBe('0');
    expect(runner.forge().issues).toEqual([]);
  });

  it('is planned on the pull request: a resize, a new replica and a move, and nothing is done', async () => {
    repository.commit('resize', { 'trueup.yaml': AFTER }, 'main');
    pull = await proposed(1, 'resize');
    const comment = commentOn(1);
    expect(comment).toContain('Plan: 1 to add, 2 to change, 0 to destroy.');
    expect(comment).toMatch(/From this change/);
    for (const address of ['shop/primary', 'shop/reader', 'shop/mover']) expect(comment).toContain(address);
    expect(comment).toContain('drops open connections');
    expect(await ledger()).toEqual([]);
  });

  it('is applied after the merge, by the hash of the comment', async () => {
    const applied = await merged(pull);
    expect(applied.failed, applied.log).toBe(false);
    expect(applied.log).toContain('Apply complete! Resources: 1 added, 2 changed, 0 destroyed.');
    expect(commentOn(1)).toContain(applied.outputs['plan-hash']);
    expect(await ledger()).toEqual(['PATCH compute', 'PATCH compute', 'POST compute']);
  });

  it('is found when somebody changes the live compute by hand', async () => {
    const change = { endpoint: { autoscaling_limit_max_cu: 4 } };
    await server.request('PATCH', `/projects/${PROJECT}/endpoints/${PRIMARY}`, change);
    for (let night = 0; night < 2; night++) {
      const steps = await nightly();
      expect(steps.map(({ outputs }) => outputs['exit-code'])).toEqual(['2']);
    }
    const { issues } = runner.forge();
    expect(issues).toMatchObject([{ state: 'open', title: 'The databases differ from main' }]);
    expect(issues[0]?.body).toContain('shop/primary');
    expect(issues[0]?.body).toContain('autoscaling_limit_max_cu');
  });

  it('is over when the account is again as main says: the issue is closed', async () => {
    const change = { endpoint: { autoscaling_limit_max_cu: 2 } };
    await server.request('PATCH', `/projects/${PROJECT}/endpoints/${PRIMARY}`, change);
    const [drift] = await nightly();
    expect(drift?.outputs['exit-code'], drift?.log).toBe('0');
    expect(runner.forge().issues).toMatchObject([{ state: 'closed' }]);
    expect(runner.forge().comments.at(-1)).toMatchObject({ body: 'The account is as the files say again.' });
  });
});

describe('the pull request of a hostile fork', () => {
  it('changes nothing and learns nothing', async () => {
    let connections = 0;
    const trap = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      trap.listen(0, '127.0.0.1', resolve);
    });
    const { port } = trap.address() as { readonly port: number };
    const before = { ledger: await ledger(), forge: runner.forge() };
    const files = {
      'trueup.yaml': `version: 1
expect: { base_url: "http://127.0.0.1:${port}/api/v2" }
api_keys:
  stolen: { secret: { exec: thief } }
  other: { secret: { file: stolen.json } }
projects:
  shop:
    name: "\${var:API_KEY:-</details> ::set-output name=x::y @everyone}"
    id: ${PROJECT}
    prune: true
    computes: { primary: { id: ${PRIMARY}, state: absent } }
`,
      '.trueup/journal': 'not a journal',
      'package.json': '{ "scripts": { "preinstall": "touch owned" } }',
    };
    repository.commit('fork-main', files, 'main');
    const pull = repository.propose(2, 'fork-main', 'mallory/databases');
    const result = await workflow('pull-request.yml', { event: 'pull_request', pull });
    expect(result['plan']).toBe('skipped');
    const [validated] = stepsOf(result, 'validate');
    const said = JSON.stringify(validated);
    expect(said).not.toContain(server.key);
    expect(said).not.toContain(TOKEN);
    expect(validated?.log).not.toMatch(/^::set-output/m);
    expect(await ledger()).toEqual(before.ledger);
    expect(runner.forge().comments).toEqual(before.forge.comments);
    expect(connections).toBe(0);
    trap.close();
  });

  it('is not applied by merging it unread: there is no reviewed plan', async () => {
    const pull = { ...repository.propose(3, 'fork-main', 'mallory/databases'), number: 3 };
    const before = await ledger();
    const applied = await merged(pull);
    expect(applied.failed).toBe(true);
    expect(applied.log).toContain('no plan of the last commit of pull request 3 was commented');
    expect(await ledger()).toEqual(before);
  });
});
