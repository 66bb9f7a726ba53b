// A service that takes requests and never answers: with --timeout every command ends, says why, and has changed nothing.
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, newFolder, run } from './support/program.ts';
import { silentServer } from './support/silent-server.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = newFolder('mute');
const mute = await silentServer({ hangsUp: false });
writeFileSync(
  join(folder, 'trueup.yaml'),
  'version: 1\nprojects: { shop: { computes: { primary: { branch_id: br-shop-main } } } }\n',
);
afterAll(async () => {
  cleanUp();
  await mute.close();
});

/** The commands that ask the service, with what each needs to run. */
const ASKING: readonly (readonly string[])[] = [
  ['plan'],
  ['apply', '--auto-approve'],
  ['drift'],
  ['list'],
  ['keys'],
  ['import'],
  ['pin'],
  ['ping'],
  ['operations'],
];

describe.concurrent('--timeout', () => {
  it.each(ASKING.map((args) => ({ args, name: args[0] })))('ends trueup $name', async ({ args }) => {
    const env = { TRUEUP_API_KEY: 'nobody-asks', TRUEUP_BASE_URL: mute.baseUrl };
    const { code, out, err, ms } = await run([...args, '--timeout', '300ms'], { cwd: folder, env });
    expect(err).toContain('the run did not end within 300ms (--timeout)');
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(ms).toBeLessThan(20_000);
  });
});
