// What `trueup init` says to do next: against the service that is named already, else the embedded one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { fakeIo } from '../../support/fake-io.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

it.each([
  [{}, 'Wrote trueup.yaml. Next: trueup plan --local\n'],
  [{ TRUEUP_BASE_URL: '' }, 'Wrote trueup.yaml. Next: trueup plan --local\n'],
  [{ TRUEUP_BASE_URL: 'http://127.0.0.1:4010/api/v2' }, 'Wrote trueup.yaml. Next: trueup plan\n'],
])('with the environment %j', async (env, says) => {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-init-'));
  folders.push(cwd);
  const io = fakeIo({ cwd, env });
  expect(await main(['init'], io)).toBe(0);
  expect(io.out()).toBe(says);
});

it.each([
  ['.', null, './desired-state.schema.json'],
  ['.', 'node_modules/trueup/schemas', './node_modules/trueup/schemas/desired-state.schema.json'],
  ['infra/prod', 'node_modules/trueup/schemas', '../../node_modules/trueup/schemas/desired-state.schema.json'],
])(
  'the file names its schema as every machine finds it: in %s, with the package in %s',
  async (folder, installed, line) => {
    const root = mkdtempSync(join(tmpdir(), 'trueup-init-'));
    folders.push(root);
    const cwd = join(root, folder);
    mkdirSync(cwd, { recursive: true });
    if (installed !== null) {
      mkdirSync(join(root, installed), { recursive: true });
      writeFileSync(join(root, installed, 'desired-state.schema.json'), '{}');
    }
    expect(await main(['init'], fakeIo({ cwd }))).toBe(0);
    const [first] = readFileSync(join(cwd, 'trueup.yaml'), 'utf8').split('\n');
    expect(first).toBe(`# yaml-language-server: $schema=${line}`);
  },
);
