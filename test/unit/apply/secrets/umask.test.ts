// Secrets are closed to others by what the sink says, not by what the user's umask happens to be. (A thread cannot set one.)
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NEW, recordOf, sinkIn, workFolder } from './world.ts';

it.each([0o000, 0o777])(
  'a stored secret and its folders are closed to others under umask %o, and git ignores them',
  async (mask) => {
    const workDir = workFolder();
    const before = process.umask(mask);
    try {
      await (await sinkIn(workDir).reserve()).store(recordOf('42'), { key: NEW });
    } finally {
      process.umask(before);
    }
    expect(statSync(join(workDir, '.trueup/secrets/ci.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(workDir, '.trueup/secrets')).mode & 0o777).toBe(0o700);
    expect(statSync(join(workDir, '.trueup')).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(workDir, '.trueup/.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(join(workDir, '.trueup/secrets'))).toEqual(['ci.json']);
  },
);
