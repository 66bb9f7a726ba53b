// A network of one's own: as root the whole run goes into a namespace where there is nothing but the loopback.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** Runs this very program again inside such a namespace; true when that has happened and nothing is left to do. */
export function insideOwnNetwork(args) {
  if (process.env.BENCH_NETWORK !== undefined) return false;
  const inside = 'ip link set lo up && exec "$@"';
  const isPossible =
    process.getuid?.() === 0 && spawnSync('unshare', ['-n', 'sh', '-c', 'ip link set lo up']).status === 0;
  if (!isPossible) {
    console.log(
      'warning: no network namespace of its own here (needs root, unshare and ip); the tools could reach the network',
    );
    process.env.BENCH_NETWORK = 'shared';
    return false;
  }
  const command = ['-n', 'sh', '-c', inside, 'bench', process.execPath, ...args];
  const { status } = spawnSync('unshare', command, { stdio: 'inherit', env: { ...process.env, BENCH_NETWORK: 'own' } });
  process.exitCode = status ?? 1;
  return true;
}
