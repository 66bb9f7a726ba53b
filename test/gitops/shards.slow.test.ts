// Many runners for one account, by the workflow shards.yml as it is: each applies the reviewed plan of its shard, and one job merges the results.
import { afterAll, expect, it, vi } from 'vitest';
import { deeds, worldOf } from '../e2e/support/desk.ts';
import { cleanUp, newFolder } from '../e2e/support/program.ts';
import { startServer } from '../e2e/support/server.ts';
import { madeBy } from './support/bench.ts';
import { openRepository } from './support/repository.ts';
import { openRunner, REPOSITORY } from './support/runner.ts';
import { runWorkflow } from './support/workflow.ts';

vi.setConfig({ testTimeout: 240_000 });
afterAll(cleanUp);

const NAMES = ['one', 'two', 'three', 'four', 'five'];
const filesOf = (size: number): Readonly<Record<string, string>> => ({
  'trueup.yaml': `version: 1\nprojects:\n${NAMES.map(
    (name) =>
      `  ${name}: { id: ${name}-000001, branches: { main: br-${name}-main }, computes: { primary: { branch: main, autoscaling_limit_max_cu: ${size} } } }\n`,
  ).join('')}`,
});

it('applies every shard by the hash of its own comment, and merges the results into one report', async () => {
  const server = await startServer({ world: worldOf(...NAMES) });
  const folder = newFolder('shards');
  const [repository, runner] = [openRepository(folder), openRunner(folder)];
  repository.commit('main', filesOf(0.25));
  repository.commit('resize', filesOf(2), 'main');
  const pull = repository.propose(1, 'resize', REPOSITORY);
  const event = { name: 'pull_request', payload: { pull_request: pull } };
  const account = { program: 'trueup', 'api-key': server.key, 'base-url': server.baseUrl };
  for (const shard of [1, 2, 3, 4]) {
    const cwd = newFolder('plan');
    repository.checkout('resize', cwd);
    const planned = await runner.use({ ...account, command: 'plan', arguments: `--shard=${shard}/4` }, { cwd, event });
    await runner.use({ ...account, command: 'comment', key: `shard-${shard}`, ...madeBy(planned) }, { cwd, event });
  }
  expect(runner.forge().comments).toHaveLength(4);

  const sha = repository.merge(pull);
  runner.change({ pulls: [{ ...pull, merged_at: 'now', merge_commit_sha: sha, commits: [sha] }] });
  const env = { TRUEUP_BASE_URL: server.baseUrl };
  const forges = { repository, runner, folder, keys: { production: server.key }, env };
  const { apply, report } = await runWorkflow('shards.yml', { event: 'push' }, forges);
  expect(apply === 'skipped' ? [] : apply?.map(({ failed, log }) => (failed ? log : ''))).toEqual(['', '', '', '']);
  expect(deeds(await server.ledger())).toEqual(NAMES.map(() => 'PATCH compute'));
  const [shown] = report === 'skipped' ? [] : (report ?? []);
  expect(shown?.failed, shown?.log).toBe(false);
  expect(shown?.summary).toContain('Apply complete! Resources: 0 added, 5 changed, 0 destroyed.');
});
