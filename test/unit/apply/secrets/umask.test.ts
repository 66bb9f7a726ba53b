// Secrets are closed to others by what the sink says, not by what the user's umask happens to be. (A thread cannot set one.)
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NEW, recordOf, sinkIn, workFolder } from './world.ts';

it.each([0o000, 0o777])('a stored secret and its folders are closed to others under umask %o', async (mask) => {
  const workDir = workFolder();
  const before = process.umask(mask);
  try {
    await (await sinkIn(workDir).reserve()).store(recordOf('42'), { key: NEW });
  } finally {
    process.umask(before);
  }
  expect(statSync(join(workDir, 'state/secrets/ci.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(workDir, 'state/secrets')).mode & 0o777).toBe(0o700);
  expect(statSync(join(workDir, 'state')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(workDir, 'state/secrets'))).toEqual(['ci.json']);
});
