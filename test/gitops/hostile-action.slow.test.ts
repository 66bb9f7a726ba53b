// The GitHub Action before hostile pull requests: what they bring along, comment, or do while a workflow runs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, RESIZE, worldOf } from '../e2e/support/desk.ts';
import { cleanUp, newFolder } from '../e2e/support/program.ts';
import { startServer } from '../e2e/support/server.ts';
import { inTurn } from '../support/full-size.ts';
import { benchAt, HEAD, madeBy, pullRequest, type Bench } from './support/bench.ts';
import { REPOSITORY, type Forge, type Job } from './support/runner.ts';

const MERGE = 'b'.repeat(40);
const PULL = { number: 7, merged_at: 'now', merge_commit_sha: MERGE, base: { ref: 'main' }, head: { sha: HEAD } };

afterAll(cleanUp);
const server = await startServer({ world: worldOf('late', 'told', 'files', 'fork', 'names', 'directory', 'previews') });

const bench = (name: string): Bench => benchAt(server, openDesk(server, name));

describe('a comment', () => {
  it('of a run that is late does not take the place of that on a newer commit', async () => {
    const { desk, runner, use } = bench('late');
    const event = pullRequest(REPOSITORY);
    desk.wish(RESIZE);
    const made = madeBy(await use('plan', {}, { event }));
    runner.change({ pulls: [{ ...PULL, merged_at: null, head: { sha: 'c'.repeat(40) } }] });
    const { failed, log } = await use('comment', made, { event });
    expect(failed).toBe(false);
    expect(log).toContain('has a newer commit');
    expect(runner.forge().comments).toEqual([]);
    runner.change({ pulls: [{ ...PULL, merged_at: null }] });
    await use('comment', made, { event });
    expect(runner.forge().comments).toHaveLength(1);
  });
});

describe('the reviewed hash', () => {
  type Comment = Forge['comments'][number];
  const merge = { ...PULL, commits: [MERGE] };
  const forged = `sha256:${'f'.repeat(64)}`;
  const NONE = 'no plan of the last commit';
  const EDITED = 'was edited by somebody else';
  const cases: readonly (readonly [string, (own: Comment) => Partial<Forge>, string])[] = [
    ['is that of one which the workflow edited', (own) => only({ ...own, editor: { login: 'github-actions' } }), ''],
    ['is that of two comments which say the same', (own) => only(own, second(own)), ''],
    ['is none where somebody else has edited the comment', (own) => only(edited(own)), EDITED],
    ['is none where somebody else has edited one of two', (own) => only(own, edited(second(own))), EDITED],
    [
      'is none where another workflow was made to say another one first',
      (own) => only({ ...own, id: 1, node_id: 'IC_1', body: own.body.replace(/sha256:\S+/, forged) }, own),
      'tell different plans',
    ],
    ['is none if it is no hash', (own) => only({ ...own, body: own.body.replace(/sha256:\S+/, 'sha256:$(id)') }), NONE],
    ['is none where the comment is empty', (own) => only({ ...own, body: '' }), NONE],
    ['is none where somebody else comments', (own) => only({ ...own, user: { login: 'mallory' } }), NONE],
    ['is none if a user has the name of the bot', (own) => only({ ...own, user: { login: 'github-actions' } }), NONE],
    ['is none where the comment is quoted', (own) => only({ ...own, body: `> ${own.body}` }), NONE],
    ['is none below other words', (own) => only({ ...own, body: `hello\n${own.body}` }), NONE],
    ['is none of another commit', (own) => only({ ...own, body: own.body.replace(HEAD, 'd'.repeat(40)) }), NONE],
    [
      'is none where the comment has two',
      (own) =>
        only({ ...own, body: own.body.replace('<!-- plan-hash', '<!-- plan-hash sha256:0 -->\n<!-- plan-hash') }),
      NONE,
    ],
    ['is none of another pull request', (own) => only({ ...own, issue: 8 }), NONE],
    ['is none where a commit came later', () => ({ pulls: [{ ...merge, head: { sha: 'c'.repeat(40) } }] }), NONE],
    ['is none without a pull request', () => ({ pulls: [] }), 'not the merge of a pull request'],
  ];
  const only = (...comments: readonly Comment[]): Partial<Forge> => ({ comments });
  const second = (own: Comment): Comment => ({ ...own, id: 999, node_id: 'IC_999' });
  const edited = (own: Comment): Comment => ({ ...own, editor: { login: 'mallory' } });

  let at: Bench;
  let commented: Forge;
  beforeAll(async () => {
    at = bench('told');
    at.desk.wish(RESIZE);
    await at.planAndComment({ event: pullRequest(REPOSITORY) });
    commented = at.runner.forge();
  });
  const merged = { env: { GITHUB_SHA: MERGE } };

  it.each(cases)('%s', async (_what, change, says) => {
    const { desk, runner, use } = at;
    const [own] = commented.comments;
    if (own === undefined) throw new Error('there is no comment');
    runner.change({ ...commented, pulls: [merge], ...change(own) });
    const { failed, log } = await use('apply', { 'expect-hash': 'reviewed', arguments: '--timeout\n1ms' }, merged);
    expect(failed).toBe(true);
    if (says === '') expect(log).not.toMatch(/::error title=trueup::/);
    else expect(log).toContain(says);
    expect(await desk.ledger()).toEqual([]);
  });

  it('permits nothing where the plan has changed since', async () => {
    const { desk, runner, use } = at;
    runner.change({ ...commented, pulls: [merge] });
    desk.wish({ primary: 'branch: main, autoscaling_limit_max_cu: 1' });
    const { failed, outputs } = await use('apply', { 'expect-hash': 'reviewed' }, merged);
    expect({ failed, code: outputs['exit-code'] }).toEqual({ failed: true, code: '4' });
    expect(await desk.ledger()).toEqual([]);
  });
});

describe('the list of files of a pull request', () => {
  const place = '.github/trueup-files';
  const texts: Readonly<Record<string, string>> = {
    'a flag': '--overlay\n',
    'a flag with a value': '--api-key-file=/etc/passwd\n',
    'a short flag': '-f\n',
    'the standard input': '-\n',
    'an absolute path': '/etc/passwd\n',
    'a path that leads out': 'teams/../../outside.yaml\n',
    'a path that leads out at its end': 'teams/..\n',
    'a command': '$(touch canary)\n',
    'a glob': '*\n',
    'a workflow command': '::set-output name=plan-hash::x\n',
    'an output': 'x\nplan-hash=forged\n',
    'characters that are none': 'a\u0000b\u001b[31m\n',
    nothing: '\n\n',
    'more than a list': 'a.yaml\n'.repeat(10_000),
  };
  it.each(Object.entries(texts))('with %s in it is refused', async (what, text) => {
    const { desk, runner, use } = bench('files');
    desk.wish(RESIZE);
    mkdirSync(desk.path('.github'), { recursive: true });
    writeFileSync(desk.path(place), text);
    for (const command of inTurn(['validate', 'plan', 'drift'], Object.keys(texts).indexOf(what))) {
      const { failed, log, outputs } = await use(command, {}, { event: pullRequest(REPOSITORY) });
      expect(failed, command).toBe(true);
      expect(log).not.toMatch(/root:|canary:|^::set-output|\u001B/m);
      expect(outputs['plan-hash'] ?? '').toBe('');
    }
    expect(runner.argv()).not.toMatch(/--file (?!=)/);
    expect(existsSync(desk.path('canary'))).toBe(false);
  });

  it.each<readonly [string, (path: string) => void]>([
    ['a folder', (path) => mkdirSync(path)],
    ['a pipe', (path) => execFileSync('/usr/bin/env', ['mkfifo', path])],
    ['a link to a file elsewhere', (path) => symlinkSync('/etc/passwd', path)],
    ['a link to the environment', (path) => symlinkSync('/proc/self/environ', path)],
  ])('is refused as %s', async (_what, make) => {
    const { desk, use } = bench('files');
    desk.wish(RESIZE);
    mkdirSync(desk.path('.github'), { recursive: true });
    execFileSync('rm', ['-rf', desk.path(place)]);
    make(desk.path(place));
    const { failed, log } = await use('validate', {}, { event: pullRequest(REPOSITORY) });
    expect(failed).toBe(true);
    expect(log).toMatch(/leads elsewhere|is no file/);
    expect(log).not.toMatch(/root:|PATH=/);
    execFileSync('rm', ['-rf', desk.path(place)]);
  });
});

describe('the working directory of a pull request', () => {
  it.each(inTurn(['validate', 'plan'], 0))('is no link that leads elsewhere, for %s', async (command) => {
    const { desk, use } = bench('directory');
    const outside = newFolder('outside');
    writeFileSync(join(outside, 'trueup.yaml'), 'canary: hunter2\n');
    symlinkSync(outside, desk.path('infra'));
    mkdirSync(desk.path('teams/real'), { recursive: true });
    symlinkSync('teams', desk.path('linked'));
    writeFileSync(desk.path('teams/real/trueup.yaml'), 'version: 1\n');
    const named = ['infra', './infra/', join(desk.folder, 'infra'), 'teams/../infra', 'linked/real', 'missing'];
    for (const folder of named) {
      const { failed, log } = await use(command, { 'working-directory': folder }, { event: pullRequest() });
      expect(failed, folder).toBe(true);
      expect(log, folder).toContain('working-directory');
      expect(log).not.toContain('hunter2');
    }
    for (const folder of ['teams/real', 'teams/../teams/real/', join(desk.folder, 'teams/real')]) {
      const { failed, log } = await use(command, { 'working-directory': folder }, { event: pullRequest() });
      expect(failed, log).toBe(false);
    }
  });
});

describe('a workflow that was started by a pull request', () => {
  const started = (event: string, repository = REPOSITORY): NonNullable<Job['event']> => ({
    name: 'workflow_run',
    payload: { workflow_run: { event, head_repository: { full_name: repository } } },
  });
  it.each(['pull_request', 'pull_request_target', 'issue_comment'])(
    'by way of another one (%s) applies nothing',
    async (name) => {
      const { desk, use } = bench('fork');
      desk.wish(RESIZE);
      const { failed, log } = await use('apply', { due: 'true' }, { event: started(name) });
      expect(failed).toBe(true);
      expect(log).toContain('does not run for a pull request');
      expect(await desk.ledger()).toEqual([]);
    },
  );

  it.each([
    ['drift', 'TRUEUP_API_KEY_FILE', started('push', 'mallory/databases')],
    ['apply', 'NEON_API_KEY', started('push', 'mallory/databases')],
    ['plan', 'NEON_API_KEY', pullRequest('mallory/databases')],
  ] as const)('of a fork never gives %s the key in %s', async (command, name, event) => {
    const { desk, use } = bench('fork');
    desk.wish(RESIZE);
    const inputs = { 'api-key': '', ...(command === 'apply' ? { due: 'true' } : {}) };
    const { failed, log } = await use(command, inputs, { event, env: { [name]: server.key } });
    expect(failed).toBe(true);
    expect(log).toMatch(/of a fork|for a fork/);
    expect(log).not.toContain(server.key);
  });

  it('of a fork does nothing but validate, whatever the workflow passes', async () => {
    const { desk, use } = bench('fork');
    desk.wish(RESIZE);
    writeFileSync(join(desk.folder, 'key'), server.key);
    const inputs = { 'api-key': '', arguments: '--api-key-file\nkey' };
    const { log, outputs } = await use('plan', inputs, { event: pullRequest('mallory/databases') });
    expect(outputs).toMatchObject({ 'exit-code': '0', 'plan-file': '' });
    expect(log).toContain('comes from a fork');
    const drift = await use('drift', inputs, { event: pullRequest('mallory/databases') });
    expect(drift).toMatchObject({ failed: true, outputs: { report: '' } });
  });
});

describe('names of a pull request', () => {
  it('reach neither the outputs of a step nor its commands, and no comment as markup', async () => {
    const { desk, runner, use } = bench('names');
    const event = pullRequest(REPOSITORY);
    const hostile = '"x\\n::error::forged\\nplan-hash=sha256:0\\n<!-- trueup plan -->\\r\\n::add-mask::a<img src=x>"';
    desk.wish(
      { primary: `branch: main, name: ${hostile}` },
      `api_keys: { ci: { name: ${hostile}, secret: { file: ci.json } } }\n`,
    );
    const planned = await use('plan', {}, { event });
    expect(planned.outputs['plan-hash'] ?? '').toMatch(/^(sha256:[0-9a-f]{64})?$/);
    for (const text of [planned.log, planned.summary]) expect(text).not.toMatch(/^::(error::forged|add-mask)/m);
    await use('comment', madeBy(planned), { event });
    for (const { body } of runner.forge().comments) {
      expect(body.match(/<!-- (trueup plan|plan-hash)/g)).toHaveLength(2);
      expect(body).not.toContain('<img');
    }
  });
});

it.each([
  ['the files of the pull request', { target: 'previews/previews/pr/**' }, 'takes the files of the default branch'],
  ['a target that is no preview set', { target: 'previews/**' }, 'takes a target such as'],
])('previews refuses %s', async (_name, inputs, says) => {
  const { use, desk } = bench('previews');
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
      cwd: desk.folder,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message=files');
  const event = { ...pullRequest(), payload: { ...pullRequest().payload, action: 'opened' } };
  const { failed, log } = await use('previews', inputs, { event, env: { GITHUB_SHA: git('rev-parse', 'HEAD') } });
  expect(failed).toBe(true);
  expect(log).toContain(says);
  expect(await desk.ledger()).toEqual([]);
});
