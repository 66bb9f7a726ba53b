// Every example plans on a new local control plane as its README says, applies, and then plans empty.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { fakeIo, testClock } from '../support/fake-io.ts';
import { folderOfTest } from '../support/folder.ts';
import { seedLocalWorld } from '../support/local-world.ts';

const root = join(import.meta.dirname, '../../examples');
const names = readdirSync(root).filter((name) => existsSync(join(root, name, 'plan.txt')));

/** What an example says that it takes. */
const CONSENTS: Readonly<Record<string, readonly string[]>> = { 'whole-project': ['create:bakery'] };

it.each(names)('example %s: expected plan, apply, empty plan', async (name) => {
  const cwd = folderOfTest();
  cpSync(join(root, name), join(cwd, name), { recursive: true });
  const clock = testClock();
  seedLocalWorld({ cwd, clock });
  const run = async (...argv: string[]): Promise<{ code: number; out: string; err: string }> => {
    const io = fakeIo({ cwd, clock });
    const code = await clock.run(main([...argv, '--local', '-f', name], io));
    return { code, out: io.out(), err: io.err() };
  };
  const consents = (CONSENTS[name] ?? []).flatMap((word) => ['--allow', word]);
  const plan = await run('plan', ...consents);
  // Branches of a world without a protected one share the passwords of their parents.
  expect(plan.err).not.toContain('error');
  expect(new Set(plan.err.match(/(?<=warning )\w+/g) ?? ['shared_password'])).toEqual(new Set(['shared_password']));
  const planFile = join(root, name, 'plan.txt');
  if (process.env['UPDATE'] === '1') writeFileSync(planFile, plan.out);
  expect(plan.out).toBe(readFileSync(planFile, 'utf8'));
  const applied = await run('apply', '--auto-approve', '--allow', 'move:*', ...consents);
  expect(applied.code, applied.err + applied.out).toBe(0);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});
