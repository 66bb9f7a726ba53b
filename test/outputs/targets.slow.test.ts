// `--target` and `--exclude` where no plan is shown: what is told says that it is of a part.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { socketClock } from '../support/fake-io.ts';
import { clearDesks, desk, type Desk } from './desk.ts';

let account: Desk;
beforeAll(async () => {
  account = desk({});
  await account.api('POST', '/api_keys', '{"key_name":"ci-deploy"}');
});
afterAll(clearDesks);

const LOCAL = '--local';

describe('a part of the files', () => {
  const WISH = 'version: 1\nprojects: { shop: { computes: { primary: { branch_id: br-wispy-meadow-118737 } } } }\n';
  const VERDICTS = ['No changes. Your', 'No drift. Your'];

  it.each([
    ['plan', [], 'Targets'],
    ['plan', ['--format', 'markdown'], 'Targets: '],
    ['plan', ['--format', 'html'], 'Targets: '],
    ['apply', ['--auto-approve'], 'Targets'],
    ['drift', [], 'Targets'],
    ['drift', ['--format', 'markdown'], 'Targets: '],
    ['drift', ['--format', 'html'], 'Targets: '],
  ])('%s %j says that it is of a part', async (command, flags, label) => {
    const at = desk({ 'trueup.yaml': WISH });
    const whole = await at.run(command, LOCAL, ...flags);
    const part = await at.run(command, LOCAL, ...flags, '--target', 'shop', '--exclude', 'shop/pr*');
    for (const { code, out } of [whole, part]) {
      expect(code).toBe(0);
      expect(VERDICTS.some((verdict) => out.includes(verdict))).toBe(true);
    }
    expect(whole.out).not.toContain(label);
    expect(part.out).toMatch(new RegExp(`${label} *\`?shop but shop/pr\\*`));
  });

  it('is told of a saved report as well', async () => {
    const at = desk({ 'trueup.yaml': WISH });
    await at.run('drift', LOCAL, '--exclude', '*', '--write', `json=${at.cwd}/drift.json`);
    expect((await at.run('show', 'drift.json')).out).toContain('Targets  all but *\n\nNo drift.');
  });
});

/** A service that lists one project a page, each page with a cursor; no project has an operation. */
async function oneAPage(ids: readonly string[]): Promise<string> {
  const service = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const at = Number(searchParams.get('cursor') ?? 0);
    const projects = ids.slice(at, at + 1).map((id) => ({ id, name: id }));
    const page = { projects, pagination: { cursor: String(at + 1) } };
    const reply = pathname.endsWith('/projects') ? page : { operations: [] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
  });
  onTestFinished(() => void service.close());
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}/api/v2`;
}

it('a project is unknown to operations only when no page of the list has it', async () => {
  const at = desk({}, { env: { TRUEUP_API_KEY: 'a-key' }, clock: socketClock() });
  const url = await oneAPage(['shop', 'lab', 'depot']);
  const operationsOf = async (project: string): Promise<number> =>
    (await at.run('operations', '--base-url', url, '--project', project)).code;
  expect(await operationsOf('depot')).toBe(0);
  expect(await operationsOf('nowhere')).toBe(1);
});
