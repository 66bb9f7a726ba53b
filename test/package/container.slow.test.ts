// The container file: what it copies is there, what it starts the program accepts; and where an engine is at hand, it is built and serves.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { flagsOfCommand } from '../support/silent-program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}Dockerfile`, 'utf8');
/** Instructions, each on one line. */
const whole = text.replaceAll(/\\\n\s*/g, '').split('\n');
const lines = whole.filter((line) => line !== '' && !line.startsWith('#'));
const wordsOf = (instruction: string): string[] => {
  const line = lines.findLast((one) => one.startsWith(`${instruction} `)) ?? '';
  return JSON.parse(line.slice(instruction.length)) as string[];
};
const hasEngine = spawnSync('docker', ['info'], { timeout: 10_000, stdio: 'ignore' }).status === 0;

describe('the container file', () => {
  it('has known instructions, a base that is named with its version and digest, and no secret', () => {
    const known = /^(FROM|WORKDIR|COPY|RUN|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) /;
    expect(lines.filter((line) => !known.test(line))).toEqual([]);
    for (const line of lines.filter((one) => one.startsWith('FROM')))
      expect(line).toMatch(/^FROM node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}( AS build)?$/);
    expect(text).not.toMatch(/(TOKEN|PASSWORD|_KEY)=/i);
  });

  it('runs as a user without rights, with its data in a volume of its own', () => {
    const order = lines.map((line) => line.split(' ')[0]);
    expect(order.lastIndexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'));
    expect(lines).toContain('USER 1000:1000');
    expect(wordsOf('CMD').slice(-2)).toEqual(['--data', '/data']);
    expect(lines).toContain('VOLUME /data');
  });

  it('copies what is there and is not ignored', () => {
    const ignored = readFileSync(`${root}.dockerignore`, 'utf8').split('\n');
    const copies = lines.filter((line) => line.startsWith('COPY') && !line.includes('--from'));
    const copied = copies.flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied).toEqual(['package.json', 'package-lock.json', '.']);
    for (const name of copied)
      expect([name, existsSync(root + name), ignored.includes(name)]).toEqual([name, true, false]);
    for (const needed of ['src', 'schemas', '.ci', 'examples', 'README.md']) expect(ignored).not.toContain(needed);
  });

  it('installs what the lock file names, and runs no script of a package', () => {
    const installs = lines.flatMap((line) => line.match(/npm (?:ci|install|prune|exec)[^&]*/g) ?? []);
    expect(installs.length).toBeGreaterThan(0);
    for (const install of installs) expect(install).toMatch(/^npm (?:ci|prune) .*--ignore-scripts/);
  });

  it('starts what the program knows', () => {
    const flags = flagsOfCommand('serve');
    for (const flag of wordsOf('CMD').filter((word) => word.startsWith('--'))) expect(flags).toContain(flag);
    expect(wordsOf('ENTRYPOINT')).toEqual(['trueup']);
  });

  it.skipIf(!hasEngine)('is built, and its container becomes healthy', { timeout: 900_000 }, async () => {
    const docker = (...args: string[]): string => execFileSync('docker', args, { cwd: root, encoding: 'utf8' }).trim();
    docker('build', '--tag', 'trueup-test', '.');
    const id = docker('run', '--detach', '--rm', '--publish', '127.0.0.1::4010', 'trueup-test');
    try {
      const address = docker('port', id, '4010/tcp').split('\n')[0];
      const healthy = async (): Promise<number> => (await fetch(`http://${address}/readyz`)).status;
      await expect.poll(() => healthy().catch(() => 0), { timeout: 60_000 }).toBe(200);
      expect(docker('exec', id, 'id', '--user', '--name')).toBe('node');
    } finally {
      docker('rm', '--force', id);
    }
  });
});
