// The whole life of a repository, on real git and PostgreSQL, by the workflows of examples/pipelines/github/ as they are.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingPostgres } from '../control-plane/postgres/served.ts';
import { cleanUp } from '../e2e/support/program.ts';
import type { PullRequest } from './support/repository.ts';
import { brokenRules } from './support/policy.ts';
import { TOKEN, type JobResult } from './support/runner.ts';
import { openStage, PRIMARY, PROJECT, wish, type Pushed, type Stage } from './support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const BEFORE = wish({ primary: 'branch: main, autoscaling_limit_max_cu: 0.25', mover: 'branch: old' });
const COMPUTES = {
  primary: 'branch: main, autoscaling_limit_max_cu: 2',
  reader: 'branch: main, type: read_only',
  mover: 'branch: new, moved_from: old',
};
const RESIZED = wish(COMPUTES);
const DROPPED = wish(COMPUTES, { old: 'id: br-shop-old, state: absent' });
const PREVIEWS = `version: 1
projects:
  shop:
    branches: { main: br-shop-main }
    previews:
      pr:
        each: \${var:OPEN_PRS}
        closed: \${var:CLOSED_PRS}
        name: preview/pr-{key}
        from: main
        ttl: 7d
        max: 20
        gone: delete
        computes: { primary: {} }
        connections: { app: { role: shop_owner, database: shopdb, secret: { file: 'preview-{key}.json' } } }
`;
const ROWS = 'select name from item order by name';

let stage: Stage;
beforeAll(async () => {
  if (missingPostgres !== undefined) return;
  stage = await openStage({ 'trueup.yaml': BEFORE, 'previews.yaml': PREVIEWS });
  await stage.onMain("create table item as select 'tea' as name");
});
afterAll(cleanUp);

const night = async (): Promise<readonly JobResult[]> => stage.steps('nightly.yml', { event: 'schedule' }, 'drift');
const previewNight = async (): Promise<readonly JobResult[]> =>
  stage.steps('previews.yml', { event: 'schedule' }, 'previews');

function succeeded(jobs: readonly (readonly JobResult[] | 'skipped' | undefined)[]): void {
  for (const job of jobs) {
    expect(job).not.toBe('skipped');
    for (const { failed, log } of job === 'skipped' ? [] : (job ?? [])) expect(failed ? log : '').toBe('');
  }
}

async function changeByHand(size: number): Promise<void> {
  const change = { endpoint: { autoscaling_limit_max_cu: size } };
  await stage.server.request('PATCH', `/projects/${PROJECT}/endpoints/${PRIMARY}`, change);
}

describe.skipIf(missingPostgres !== undefined)('the rehearsal', () => {
  const pulls = new Map<number, Pushed>();
  const opened = (number: number): PullRequest => {
    const found = pulls.get(number);
    if (found === undefined) throw new Error('there is no such pull request');
    return found.pull;
  };
  const plan = (number: number): JobResult => {
    const steps = pulls.get(number)?.planned['plan'];
    const found = steps === 'skipped' ? undefined : steps?.[0];
    if (found === undefined) throw new Error('there is no plan');
    return found;
  };
  const push = async (number: number, branch: string, from?: string): Promise<Pushed> => {
    const pushed = await stage.push(number, branch, from);
    pulls.set(number, pushed);
    return pushed;
  };

  it('starts from an account that is as main says', async () => {
    const [drift, due] = await night();
    expect(drift?.outputs['exit-code'], drift?.log).toBe('0');
    expect(due?.outputs['exit-code'], due?.log).toBe('0');
    expect(stage.runner.forge().issues).toEqual([]);
  });

  it('plans a pull request: a resize, a new replica and a move, and nothing is done', async () => {
    stage.repository.commit('resize', { 'trueup.yaml': RESIZED }, 'main');
    const { planned, previewed } = await push(1, 'resize');
    succeeded([planned['validate'], planned['plan'], previewed['previews']]);
    const [comment = ''] = stage.comments(1);
    expect(comment).toContain('Plan: 1 to add, 2 to change, 0 to destroy.');
    expect(comment).toMatch(/From this change/);
    for (const address of ['shop/primary', 'shop/reader', 'shop/mover']) expect(comment).toContain(address);
    expect(comment).toContain('drops open connections');
    expect(await stage.branches()).toEqual(['main', 'new', 'old', 'preview/pr-1']);
  });

  it('gives each pull request a preview, whose connection shows the rows of main', async () => {
    for (const number of [2, 3]) {
      stage.repository.commit(`note-${number}`, { 'notes.md': `Note ${number}.\n` }, 'main');
      const { planned, previewed } = await push(number, `note-${number}`);
      succeeded([planned['plan'], previewed['previews']]);
      expect(stage.comments(number)[1]).toContain(`- connection: \`file:preview-${number}.json\``);
    }
    for (const number of [1, 2, 3]) {
      expect(await stage.preview(number, 'select 1')).toEqual([1]);
      await stage.preview(number, `insert into item values ('cup ${number}')`);
      expect(await stage.preview(number, ROWS)).toEqual([`cup ${number}`, 'tea']);
    }
    expect(JSON.stringify(stage.runner.forge().comments)).not.toMatch(/postgresql:/);
  });

  it('keeps the preview of a pull request that is pushed to, with its data', async () => {
    stage.repository.commit('resize', { 'trueup.yaml': DROPPED }, 'resize');
    const { planned, previewed } = await push(1, 'resize');
    succeeded([previewed['previews']]);
    expect(plan(1).outputs, JSON.stringify(planned)).toMatchObject({ 'exit-code': '5', destroy: '0' });
    expect(stage.comments(1)).toHaveLength(2);
    expect(await stage.preview(1, ROWS)).toEqual(['cup 1', 'tea']);
  });

  it('breaks the policy with a plan that deletes data, and with no other', () => {
    const saved = (number: number): object =>
      JSON.parse(readFileSync(plan(number).outputs['plan-file'] ?? '', 'utf8')) as object;
    const branch = (address: string, before: object | null, after: object): object => ({
      address,
      type: 'branch',
      trueup: { impact: [] },
      change: { actions: ['update'], before, after },
    });
    const planted = [
      branch('shop/branches/main', { protected: true }, { default: true, protected: false }),
      branch('shop/previews/pr/9', null, { name: 'preview/pr-9' }),
    ];
    expect(brokenRules(saved(1))).toEqual(['Only preview sets and retention rules delete data.']);
    expect(brokenRules(saved(2))).toEqual([]);
    expect(brokenRules({ resource_changes: planted })).toEqual([
      'A default branch is protected.',
      'No branch loses its protection.',
      'Every preview expires.',
    ]);
  });

  it('lets a reviewer consent to the deletion in a comment', async () => {
    const line = `/trueup allow drop:shop/branches/old ${plan(1).outputs['plan-hash'] ?? ''}`;
    const [created_at, updated_at] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'];
    const user = { login: 'dana', type: 'User' };
    const consent = { id: 1, node_id: 'IC_1', issue: 1, user, created_at, updated_at, body: line };
    const { comments } = stage.runner.forge();
    stage.runner.change({ comments: [...comments, consent], permissions: { dana: 'write' }, runs: [{ id: 41 }] });
    const comment = { body: line, author_association: 'MEMBER' };
    const payload = { issue: { number: 1, pull_request: {} }, comment };
    succeeded([await stage.steps('consent.yml', { event: 'issue_comment', payload }, 'again')]);
    expect(stage.runner.forge().rerun).toBe(41);
    await push(1, 'resize');
    expect(plan(1).outputs, plan(1).log).toMatchObject({ 'exit-code': '2', destroy: '1' });
    expect(stage.comments(1)[0]).toContain('Allowed in comments: `drop:shop/branches/old` by @dana;');
  });

  it('deletes no preview when a broken script lists no pull request', async () => {
    await stage.server.advance('1h');
    const { pulls: listed } = stage.runner.forge();
    stage.runner.change({ pulls: [] });
    const [broken] = await previewNight();
    stage.runner.change({ pulls: listed });
    expect(broken).toMatchObject({ failed: true, outputs: { 'exit-code': '5' } });
    expect(broken?.log).toContain('list_in_doubt');
    for (const number of [1, 2, 3]) expect(await stage.preview(number, 'select 1')).toEqual([1]);
  });

  it('applies a merge by the hash of the comment, and deletes the preview', async () => {
    const before = await stage.ledger();
    const applied = await stage.close(opened(1), true);
    expect(applied?.failed, applied?.log).toBe(false);
    expect(applied?.log).toContain('Apply complete! Resources: 1 added, 2 changed, 1 destroyed.');
    expect(stage.comments(1)[0]).toContain(applied?.outputs['plan-hash']);
    expect(await stage.ledger()).not.toEqual(before);
    expect(await stage.preview(1, 'select 1')).toBeNull();
    expect(await stage.branches()).toEqual(['main', 'new', 'preview/pr-2', 'preview/pr-3']);
  });

  it('deletes the preview of a pull request that is closed, and no other', async () => {
    await stage.close(opened(2));
    expect(await stage.preview(2, 'select 1')).toBeNull();
    expect(await stage.preview(3, ROWS)).toEqual(['cup 3', 'tea']);
  });

  it('opens an issue when somebody changes the live compute by hand, and closes it afterwards', async () => {
    await changeByHand(4);
    for (let at = 0; at < 2; at++) {
      const steps = await night();
      expect(steps.map(({ outputs }) => outputs['exit-code'])).toEqual(['2']);
    }
    const { issues } = stage.runner.forge();
    expect(issues).toMatchObject([{ state: 'open', title: 'The databases differ from main' }]);
    expect(issues[0]?.body).toContain('shop/primary');
    expect(issues[0]?.body).toContain('autoscaling_limit_max_cu');
    await changeByHand(2);
    const [drift] = await night();
    expect(drift?.outputs['exit-code'], drift?.log).toBe('0');
    expect(stage.runner.forge().issues).toMatchObject([{ state: 'closed' }]);
    expect(stage.runner.forge().comments.at(-1)).toMatchObject({ body: 'The account is as the files say again.' });
  });

  it('changes nothing for a hostile fork, and reveals nothing', async () => {
    let connections = 0;
    const trap = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      trap.listen(0, '127.0.0.1', resolve);
    });
    const { port } = trap.address() as { readonly port: number };
    const before = { ledger: await stage.ledger(), comments: stage.runner.forge().comments };
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
      'previews.yaml': PREVIEWS.replace('max: 20', 'max: 1'),
      '.github/previews-safety.yaml': 'max_deletes: 99\n',
      '.trueup/journal': 'not a journal',
      'package.json': '{ "scripts": { "preinstall": "touch owned" } }',
    };
    stage.repository.commit('fork-main', files, 'main');
    const { pull, planned, previewed } = await push(4, 'fork-main', 'mallory/databases');
    expect([planned['plan'], previewed['previews']]).toEqual(['skipped', 'skipped']);
    const said = JSON.stringify(planned['validate']);
    expect(said).toContain('comes from a fork: its files are validated, and it gets no plan and no preview');
    expect(said).not.toContain(stage.server.key);
    expect(said).not.toContain(TOKEN);
    expect(said).not.toMatch(/\\n::set-output/);
    await stage.server.advance('1h');
    succeeded([await previewNight()]);
    expect(stage.runner.forge().comments).toEqual(before.comments);
    // Merged unread, nothing is applied: no plan was reviewed.
    const applied = await stage.close(pull, true);
    expect(applied?.failed).toBe(true);
    expect(applied?.log).toContain('no plan of the last commit of pull request 4 was commented');
    expect(await stage.ledger()).toEqual(before.ledger);
    expect(connections).toBe(0);
    trap.close();
    stage.repository.commit('main', { 'trueup.yaml': DROPPED, 'previews.yaml': PREVIEWS });
  });

  it('leaves an abandoned preview to its TTL, and ends with the account that main describes', async () => {
    await stage.server.advance('8d');
    await expect.poll(() => stage.branches()).toEqual(['main', 'new']);
    await expect(stage.preview(3, 'select 1')).rejects.toThrow('endpoint');
    const [drift] = await night();
    expect(drift?.outputs['exit-code'], drift?.log).toBe('0');
    const { endpoints } = await stage.server.request<{ readonly endpoints: readonly { readonly id: string }[] }>(
      'GET',
      `/projects/${PROJECT}/endpoints`,
    );
    expect(endpoints).toHaveLength(3);
  });
});
