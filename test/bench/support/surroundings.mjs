// What the figures depend on: machine, versions, network, time.
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import process from 'node:process';
import { root } from './paths.mjs';

export function surroundings() {
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    node: process.version,
    cpu: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    load: loadavg()[0],
    network: process.env.BENCH_NETWORK ?? 'shared',
    commit: commit(),
  };
}

function commit() {
  try {
    const git = (...args) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' and changes'}`;
  } catch {
    return 'unknown';
  }
}
