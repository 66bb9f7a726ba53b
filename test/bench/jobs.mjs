// The jobs that are measured. Each takes a fleet of projects with ten branches, against a service that waits before each answer.
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
/** The program without its default request rate, which would be all that one sees. */
const onFleet = (...words) => [bin, ...words, '-f', 'fleet', '--max-entries', '1000000'];
const online = (...words) => onFleet(...words, '--requests-per-minute', '1000000');
const apply = online('apply', '--auto-approve', '--parallelism', '32');

export const jobs = [
  { key: 'node', name: '`node -e 0`', args: ['-e', '0'], runs: 15 },
  { key: 'version', name: '`trueup --version`', args: [bin, '--version'], runs: 15 },
  { key: 'help', name: '`trueup --help`', args: [bin, '--help'], runs: 15 },
  { key: 'validate', name: '`validate` of 1,000 computes', args: onFleet('validate'), projects: 100, runs: 3 },
  {
    key: 'validateLarge',
    name: '`validate` of 100,000 computes',
    args: onFleet('validate'),
    projects: 10_000,
    runs: 1,
  },
  {
    key: 'plan',
    name: '`plan` of 1,000 computes, nothing to do',
    args: online('plan'),
    projects: 100,
    hasComputes: true,
    latencyMs: 20,
    runs: 3,
  },
  {
    key: 'planLarge',
    name: '`plan` of 100,000 computes, nothing to do, answers at once',
    args: online('plan'),
    projects: 10_000,
    hasComputes: true,
    runs: 1,
  },
  {
    key: 'create',
    name: '`apply` of 1,000 new computes, operations of 0.3 s',
    args: apply,
    projects: 100,
    operationMs: 300,
    latencyMs: 20,
    runs: 3,
  },
  {
    key: 'createSlow',
    name: '`apply` of 100 new computes, operations of 5 s',
    args: apply,
    projects: 10,
    operationMs: 5000,
    latencyMs: 20,
    runs: 3,
  },
];
