// The GitHub Action, step by step as a runner runs it, against a server: what it does, tells, and refuses.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDesk, worldOf, type Desk } from '../e2e/support/desk.ts';
import { cleanUp, newFolder } from '../e2e/support/program.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchAt, HEAD, madeBy, pullRequest, type Bench } from './support/bench.ts';
import { actionFolder, TOKEN, type Job } from './support/runner.ts';

const NAMES = ['plan', 'comment', 'apply', 'saved', 'due', 'unread', 'fork', 'outputs', 'large'];

type Made = ReturnType<typeof madeBy>;

afterAll(cleanUp);
const server = await startServer({ world: worldOf(...NAMES) });

const bench = (name: string): Bench => benchAt(server, openDesk(server, name));

const RESIZE = { primary: 'branch: main, autoscaling_limit_max_cu: 2', stage: 'branch: staging' };

describe('plan', () => {
  it('saves the plan, tells what it does, and is green with changes', async () => {
    const { desk, runner, use } = bench('plan');
    desk.wish(RESIZE);
    const { failed, outputs, summary, log } = await use('plan', { arguments: '--exclude\nplan/nothing' });
    expect(failed, log).toBe(false);
    const { 'plan-hash': hash, ...others } = outputs;
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(others).toEqual({
      changes: '2',
      destroy: '0',
      restart: '1',
      disruptive: '1',
      'plan-file': expect.stringContaining(runner.temp) as string,
      'plan-digest': expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      report: expect.stringContaining(runner.temp) as string,
      'report-digest': expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      'exit-code': '2',
    });
    expect(summary).toContain('Plan: 1 to add, 1 to change, 0 to destroy.');
  });

  it('fails where the files are wrong, and leaves no plan of an earlier run', async () => {
    const { desk, use } = bench('plan');
    desk.wish(RESIZE);
    await use('plan');
    desk.wish({ primary: 'branch: main, autoscaling_limit_max_cu: many' });
    const { failed, outputs, log } = await use('plan');
    expect(failed).toBe(true);
    expect(outputs).toMatchObject({ 'exit-code': '1', 'plan-file': '', changes: '' });
    expect(log).toContain('trueup.yaml:');
  });
});

describe('validate', () => {
  it('needs no credential and sends nothing', async () => {
    const { desk, use } = bench('plan');
    desk.wish(RESIZE);
    const good = await use('validate', { 'api-key': '', 'base-url': 'http://127.0.0.1:9' });
    expect(good.outputs['exit-code'], good.log).toBe('0');
    desk.write('broken.yaml', 'version: 2\n');
    const bad = await use('validate', { files: 'trueup.yaml\nbroken.yaml', 'api-key': '' });
    expect(bad.failed).toBe(true);
    expect(bad.log).toContain('broken.yaml:1:10');
  });
});

describe('comment', () => {
  it('keeps one comment of its own, whoever else imitates it', async () => {
    const { desk, runner, use, planAndComment } = bench('comment');
    const event = pullRequest();
    const imitation = { id: 1, issue: 7, user: { login: 'mallory' }, body: '<!-- trueup plan -->\nforged' };
    runner.change({ comments: [imitation, { ...imitation, id: 2 }, { ...imitation, id: 3, body: 'hello' }] });
    desk.wish(RESIZE);
    const planned = await use('plan', {}, { event });
    const hash = planned.outputs['plan-hash'];
    expect((await use('comment', madeBy(planned), { event })).failed).toBe(false);
    desk.wish({ primary: 'branch: main' });
    await planAndComment({ event });
    const comments = runner.forge().comments;
    expect(comments).toHaveLength(4);
    expect(comments[0]).toEqual(imitation);
    expect(comments[3]?.body).toContain('No changes. Your infrastructure matches the configuration.');
    expect(comments[3]?.body).not.toContain(hash);
    expect(comments[3]?.body.split('\n')[1]).toMatch(new RegExp(`^<!-- plan-hash sha256:\\S+ of ${HEAD} -->$`));
  });

  it('is no failure for a token that may only read: the summary has the plan', async () => {
    const { desk, runner, planAndComment } = bench('comment');
    const event = pullRequest();
    runner.change({ readOnly: true });
    desk.wish(RESIZE);
    const { failed, log } = await planAndComment({ event });
    expect(failed).toBe(false);
    expect(log).toContain('cannot be written with this token');
  });
});

describe('a plan that the pull request brings along', () => {
  /** As a plan step would have made it, committed beside the files. */
  const forge = (desk: Desk, path: string): string => {
    const file = join(desk.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ trueup: { plan_hash: `sha256:${'f'.repeat(64)}` } }));
    writeFileSync(reportOf(file), '<!-- -->\nNo changes. Your infrastructure matches the configuration.\n');
    return file;
  };
  const reportOf = (file: string): string => file.replace(/json$/, 'md');
  const digestOf = (file: string): string => `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;

  it('is never commented: without what the plan step hands on there is nothing to comment on', async () => {
    const { desk, runner, use } = bench('comment');
    const event = pullRequest();
    for (const path of ['trueup-plan.json', 'plan.json', 'trueup-plan.x/plan.json']) forge(desk, path);
    desk.wish({ primary: 'branch: main, autoscaling_limit_max_cu: many' });
    const planned = await use('plan', {}, { event });
    expect(planned.failed).toBe(true);
    const { failed, log } = await use('comment', madeBy(planned), { event });
    expect(failed).toBe(false);
    expect(log).toContain('There is no plan to comment on.');
    expect(runner.forge().comments).toEqual([]);
  });

  it.each(['comment', 'apply'])('is refused by %s, whatever its digest', async (command) => {
    const { desk, runner, use } = bench('comment');
    const file = forge(desk, 'plan.json');
    const inputs = { 'plan-file': file, 'plan-digest': digestOf(file) };
    const report = { report: reportOf(file), 'report-digest': digestOf(reportOf(file)) };
    const isComment = command === 'comment';
    const job = isComment ? { event: pullRequest() } : {};
    const { failed, log } = await use(command, { ...inputs, ...(isComment ? report : {}) }, job);
    expect(failed).toBe(true);
    expect(log).toContain('a plan is taken from RUNNER_TEMP alone');
    expect(runner.forge().comments).toEqual([]);
    expect(await desk.ledger()).toEqual([]);
  });

  const SPOILS: readonly (readonly [what: string, spoil: (made: Made, desk: Desk) => void, says: string])[] = [
    [
      'a link in place of the plan',
      (made, desk) => {
        const forged = forge(desk, 'plan.json');
        rmSync(made['plan-file'] ?? '');
        symlinkSync(forged, made['plan-file'] ?? '');
      },
      'a plan is taken from RUNNER_TEMP alone',
    ],
    ['another report', (made) => appendFileSync(made['report'] ?? '', ' '), 'its digest differs'],
  ];
  it.each(SPOILS)('is refused as %s', async (_what, spoil, says) => {
    const { desk, runner, use } = bench('comment');
    const event = pullRequest();
    desk.wish(RESIZE);
    const made = madeBy(await use('plan', {}, { event }));
    spoil(made, desk);
    const { failed, log } = await use('comment', made, { event });
    expect(failed).toBe(true);
    expect(log).toContain(says);
    expect(runner.forge().comments).toEqual([]);
  });
});

describe('apply', () => {
  it('with due alone approves itself, without a consent to remove', async () => {
    const { desk, use } = bench('due');
    desk.wish({ primary: 'branch: main, autoscaling_limit_max_cu: 2', gone: 'id: ep-due-main, state: absent' });
    desk.wish({ gone: 'id: ep-due-main, state: absent' });
    expect(await use('apply', { due: 'true' })).toMatchObject({ failed: true, outputs: { 'exit-code': '5' } });
    expect(await desk.ledger()).toEqual([]);
    expect(await use('apply', { due: 'true', allow: 'delete:due/gone' })).toMatchObject({ outputs: { destroy: '1' } });
  });

  const refused: readonly (readonly [string, Readonly<Record<string, string>>, Partial<Job>, string])[] = [
    ['without an approval', {}, {}, 'takes plan-file, expect-hash or due'],
    ['with two', { 'plan-file': 'p.json', 'expect-hash': 'sha256:1' }, {}, 'give plan-file or expect-hash'],
    ['for a pull request', { due: 'true' }, { event: pullRequest() }, 'does not run for a pull request'],
  ];
  it.each(refused)('is refused %s', async (_, inputs, job, says) => {
    const { desk, use } = bench('apply');
    desk.wish(RESIZE);
    const { failed, log } = await use('apply', inputs, job);
    expect(failed).toBe(true);
    expect(log).toContain(says);
  });
});

describe('drift', () => {
  it('leaves the issue alone when nothing could be looked at', async () => {
    const { desk, runner, use } = bench('unread');
    desk.wish({ primary: 'branch: main, disabled: true' });
    await use('drift', { issue: 'Drift' });
    const before = runner.forge().issues;
    expect(before).toHaveLength(1);
    const { failed } = await use('drift', { issue: 'Drift', 'api-key': 'not-a-key' });
    expect(failed).toBe(true);
    expect(runner.forge().issues).toEqual(before);
  });
});

describe('limits', () => {
  it('a plan of any size fits the comment and the summary', async () => {
    const { desk, runner, use } = bench('large');
    const event = pullRequest();
    const names = Array.from({ length: 1500 }, (_, at) => `reader-with-a-rather-long-name-${at}`);
    desk.wish(Object.fromEntries(names.map((name) => [name, 'branch: main, type: read_only'])));
    const planned = await use('plan', {}, { event });
    const { outputs, summary, log } = planned;
    expect(outputs['changes'], log).toBe('1500');
    expect(summary).toContain('Plan: 1500 to add');
    await use('comment', madeBy(planned), { event });
    const [comment] = runner.forge().comments;
    expect(comment?.body).toContain('Plan: 1500 to add');
    expect(comment?.body).toContain('shortened to fit');
    expect(comment?.body.length).toBeLessThanOrEqual(65_536);
  });

  it('a report beyond them is left out of the summary, and that is said', () => {
    const cwd = newFolder('summary');
    const env = { PATH: process.env['PATH'] ?? '', GITHUB_STEP_SUMMARY: join(cwd, 'summary') };
    writeFileSync(join(cwd, 'large.md'), 'x'.repeat(1_000_001));
    writeFileSync(join(cwd, 'small.md'), 'small');
    const words = ['--norc', '-c', `source "${actionFolder}/common.sh"; summary large.md; summary small.md`];
    expect(execFileSync('bash', words, { cwd, env, encoding: 'utf8' })).toContain('too large for the summary');
    expect(readFileSync(join(cwd, 'summary'), 'utf8')).toBe('small');
  });
});

describe('outputs', () => {
  it('cannot be forged by a value of several lines', () => {
    const cwd = newFolder('outputs');
    const env = { PATH: process.env['PATH'] ?? '', GITHUB_OUTPUT: join(cwd, 'output') };
    const words = ['--norc', '-c', `source "${actionFolder}/common.sh"; output plan-hash $'x\\nexit-code=9'`];
    expect(() => execFileSync('bash', words, { cwd, env, stdio: 'pipe' })).toThrow('would have several lines');
    expect(existsSync(join(cwd, 'output'))).toBe(false);
  });

  it('and arguments never hold a credential', async () => {
    const { desk, runner, use, planAndComment } = bench('outputs');
    const event = pullRequest();
    desk.wish(RESIZE);
    const results = [await planAndComment({ event }), await use('drift', { issue: 'Drift' })];
    expect(runner.argv()).toContain('--detailed-exitcode');
    for (const text of [
      runner.argv(),
      JSON.stringify(runner.forge().comments),
      ...results.map((one) => JSON.stringify(one)),
    ]) {
      expect(text).not.toContain(server.key);
      expect(text).not.toContain(TOKEN);
    }
  });
});

it.runIf(spawnSync('shellcheck', ['--version']).status === 0)(
  'its scripts have nothing that shellcheck warns of',
  () => {
    const scripts = readdirSync(actionFolder).filter((name) => name.endsWith('.sh'));
    const { stdout, status } = spawnSync('shellcheck', ['-x', ...scripts], { cwd: actionFolder, encoding: 'utf8' });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  },
);
