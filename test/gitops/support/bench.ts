// One test of the action: a folder with files, a runner, and the inputs that every use of it has.
import type { Desk } from '../../e2e/support/desk.ts';
import { newFolder } from '../../e2e/support/program.ts';
import type { Server } from '../../e2e/support/server.ts';
import { openRunner, REPOSITORY, type Job, type JobResult, type Runner } from './runner.ts';

/** The newest commit of the pull request. */
export const HEAD = 'a'.repeat(40);

export interface Bench {
  readonly desk: Desk;
  readonly runner: Runner;
  use(command: string, inputs?: Readonly<Record<string, string>>, job?: Partial<Job>): Promise<JobResult>;
  /** A plan and a comment on it, as the workflow has them; the result of the comment. */
  planAndComment(job: Partial<Job>): Promise<JobResult>;
}

/** What a plan step hands on. */
export function madeBy({ outputs }: JobResult): Readonly<Record<string, string>> {
  const names = ['plan-file', 'plan-digest', 'report', 'report-digest'];
  return Object.fromEntries(names.map((name) => [name, outputs[name] ?? '']));
}

/** The desk of one test, with a runner of its own. */
export function benchAt(server: Server, desk: Desk): Bench {
  const runner = openRunner(newFolder('runner'));
  const use: Bench['use'] = async (command, inputs = {}, job = {}) =>
    runner.use(
      { command, program: 'trueup', 'api-key': server.key, 'base-url': server.baseUrl, ...inputs },
      { cwd: desk.folder, ...job },
    );
  return { desk, runner, use, planAndComment: async (job) => use('comment', madeBy(await use('plan', {}, job)), job) };
}

export function pullRequest(repository = REPOSITORY): NonNullable<Job['event']> {
  return {
    name: 'pull_request',
    payload: { pull_request: { number: 7, head: { sha: HEAD, repo: { full_name: repository } } } },
  };
}
