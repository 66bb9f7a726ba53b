// The command previews of the action: one preview per open pull request of the repository, from the files of the default branch alone.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';
import { openDesk, worldOf } from '../e2e/support/desk.ts';
import { cleanUp } from '../e2e/support/program.ts';
import { startServer, type Server } from '../e2e/support/server.ts';
import { benchAt, pullRequest, type Bench } from './support/bench.ts';
import { REPOSITORY, type Job } from './support/runner.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer({ world: worldOf('shop', 'refused') });
});
afterAll(cleanUp);

const FILE = (name: string): string => `version: 1
projects:
  ${name}:
    branches: { main: br-${name}-main }
    previews:
      pr:
        each: \${var:OPEN_PRS}
        closed: \${var:CLOSED_PRS}
        name: preview/pr-{key}
        from: main
        ttl: 7d
        max: 20
        gone: delete
        grace: 0s
        connections: { app: { role: app, database: orders, secret: { file: 'preview-{key}.json' } } }
        roles: { app: {} }
        databases: { orders: { owner: app } }
        computes: { primary: {} }
`;

function opened(name: string): Bench {
  const bench = benchAt(server, openDesk(server, name));
  bench.desk.write('trueup.yaml', FILE(name));
  const git = (...words: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], { cwd: bench.desk.folder });
  git('init', '--quiet');
  git('add', 'trueup.yaml');
  git('commit', '--quiet', '--message=files');
  return bench;
}

const openPull = (number: number, repository = REPOSITORY): object => ({
  number,
  head: { repo: { full_name: repository } },
});

function eventOf(action: string): NonNullable<Job['event']> {
  const event = pullRequest();
  return { ...event, payload: { ...event.payload, action } };
}

it('makes, tells and deletes the previews of pull requests, and none for a fork', async () => {
  const { use, runner, desk } = opened('shop');
  const safety = join(root, 'examples/pipelines/previews-safety.yaml');
  const inputs = { target: 'shop/previews/pr/**', arguments: `--safety=${safety}` };
  runner.change({ pulls: [openPull(7), openPull(8), openPull(9, 'mallory/databases')] });
  const made = await use('previews', inputs, { event: eventOf('opened') });
  expect(made.failed, made.log).toBe(false);
  const listed = await desk.run(['preview', 'list', '--format', 'json'], {
    env: { TRUEUP_VAR_OPEN_PRS: '[]', TRUEUP_VAR_CLOSED_PRS: '[]' },
  });
  const { previews } = JSON.parse(listed.out) as { readonly previews: readonly { readonly address: string }[] };
  expect(previews.map(({ address }) => address)).toEqual(['shop/previews/pr/7', 'shop/previews/pr/8']);
  const [comment] = runner.forge().comments;
  expect(comment?.body).toContain('The preview `shop/previews/pr/7` is ready.');
  expect(comment?.body).toContain('- connection: `file:preview-7.json`');
  expect(comment?.body).not.toMatch(/postgresql:/);

  runner.change({ pulls: [openPull(8)] });
  const closed = await use('previews', inputs, { event: eventOf('closed') });
  expect(closed.failed, closed.log).toBe(false);
  expect(closed.log).toContain('1 destroyed');
});

it.each([
  ['the files of the pull request', { target: 'refused/previews/pr/**' }, 'takes the files of the default branch'],
  ['a target that is no preview set', { target: 'refused/**' }, 'takes a target such as'],
])('refuses %s', async (_name, inputs, says) => {
  const { use, desk } = opened('refused');
  const sha = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: desk.folder, encoding: 'utf8' }).trim();
  const { failed, log } = await use('previews', inputs, { event: eventOf('opened'), env: { GITHUB_SHA: sha } });
  expect(failed).toBe(true);
  expect(log).toContain(says);
  expect(await desk.ledger()).toEqual([]);
});
