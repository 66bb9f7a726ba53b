// Consent by review: a comment on the pull request allows a deletion, if its author may write to the repository.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, worldOf } from '../e2e/support/desk.ts';
import { cleanUp } from '../e2e/support/program.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchAt, HEAD, madeBy, pullRequest, type Bench } from './support/bench.ts';
import type { Forge } from './support/runner.ts';

afterAll(cleanUp);
const server = await startServer({ world: worldOf('refused', 'life') });

const FILE = (name: string): string =>
  `version: 1\nprojects: { ${name}: { branches: { main: br-${name}-main, dev: { state: absent } } } }\n`;

/** A comment as GitHub lists it. */
function commentOf(body: string, more: Partial<Forge['comments'][number]> = {}): Forge['comments'][number] {
  const [created_at, updated_at] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'];
  const user = { login: 'dana', type: 'User' };
  return { id: 1, node_id: 'IC_1', issue: 7, user, created_at, updated_at, body, ...more };
}

const RIGHTS = { dana: 'write', eve: 'read', author: 'admin' };

function opened(name: string): { readonly bench: Bench; readonly allow: string } {
  const bench = benchAt(server, openDesk(server, name));
  bench.desk.write('trueup.yaml', FILE(name));
  bench.runner.change({ permissions: RIGHTS });
  return { bench, allow: `drop:${name}/branches/dev` };
}

/** The event of a pull request by the person `author`. */
function byAuthor(): ReturnType<typeof pullRequest> {
  const event = pullRequest();
  const { pull_request: pull } = event.payload as { readonly pull_request: object };
  return { ...event, payload: { pull_request: { ...pull, user: { login: 'author' } } } };
}

describe('a comment that allows a deletion', () => {
  const allow = 'drop:refused/branches/dev';
  let hash = '';
  beforeAll(async () => {
    const blocked = await opened('refused').bench.use('plan', {}, { event: byAuthor() });
    hash = blocked.outputs['plan-hash'] ?? '';
  });
  const cases: readonly (readonly [string, (line: string) => Partial<Forge['comments'][number]>, string])[] = [
    ['by somebody who may only read', () => ({ user: { login: 'eve', type: 'User' } }), 'may not write'],
    ['by somebody who left', () => ({ user: { login: 'gone', type: 'User' } }), 'may not write'],
    ['by the author of the pull request', () => ({ user: { login: 'author', type: 'User' } }), 'is the author'],
    ['by a program', () => ({ user: { login: 'dana', type: 'Bot' } }), ''],
    ['that was edited', () => ({ updated_at: '2026-01-02T00:00:00Z' }), ''],
    ['that GitHub knows as edited', () => ({ lastEditedAt: '2026-01-01T00:00:00Z' }), 'was edited'],
    ['on its second line', (line) => ({ body: `Yes.\n${line}` }), ''],
    ['of another plan', () => ({ body: `/trueup allow ${allow} sha256:${'0'.repeat(64)}` }), ''],
    ['of everything', (line) => ({ body: line.replace(allow, '*:*') }), ''],
  ];

  it.each(cases)('does not count %s', async (_name, more, says) => {
    const { use, runner } = opened('refused').bench;
    const event = byAuthor();
    const line = `/trueup allow ${allow} ${hash}`;
    runner.change({ comments: [commentOf(line, more(line))] });
    const again = await use('plan', { consents: 'reviewers' }, { event });
    expect(again.outputs).toMatchObject({ 'plan-hash': hash, 'exit-code': '5', destroy: '0' });
    expect(again.log).toContain(says);
  });

  it('does not count where the workflow does not ask for consents', async () => {
    const { use, runner } = opened('refused').bench;
    runner.change({ comments: [commentOf(`/trueup allow ${allow} ${hash}`)] });
    expect((await use('plan', {}, { event: byAuthor() })).outputs['exit-code']).toBe('5');
  });
});

it('does not count after the merge when its author has lost the right to write', async () => {
  const { bench: made, allow } = opened('life');
  const { use, runner, desk } = made;
  const event = byAuthor();
  const consents = { consents: 'reviewers' };
  const blocked = await use('plan', consents, { event });
  runner.change({ comments: [commentOf(`/trueup allow ${allow} ${blocked.outputs['plan-hash'] ?? ''}`)] });
  const allowed = await use('plan', consents, { event });
  expect(allowed.outputs, allowed.log).toMatchObject({ 'exit-code': '2', destroy: '1' });
  await use('comment', madeBy(allowed), { event });

  const sha = 'b'.repeat(40);
  const pull = { number: 7, merged_at: 'now', merge_commit_sha: sha, base: { ref: 'main' }, head: { sha: HEAD } };
  const permissions = { ...RIGHTS, dana: 'read' };
  runner.change({ pulls: [{ ...pull, user: { login: 'author' }, commits: [sha] }], permissions });
  const push = { event: { name: 'push', payload: {} }, env: { GITHUB_SHA: sha } };
  const late = await use('apply', { ...consents, 'expect-hash': 'reviewed' }, push);
  expect(late.failed).toBe(true);
  expect(await desk.ledger()).toEqual([]);
});
