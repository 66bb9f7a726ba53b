// Plans one input in a process of its own, and says how long the best of three took.
// usage: node time-plan.mjs fleet|crowd COUNT    (prints milliseconds)
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';
import { crowdInput, fleetInput } from './plan-input.mjs';

const load = (...parts) => import(pathToFileURL(join(root, 'dist', ...parts)).href);
const { makePlan } = await load('plan', 'make-plan.js');
const { compute } = await load('kinds', 'compute', 'compute.js');
const [shape, count] = process.argv.slice(2);
const input = { fleet: fleetInput, crowd: crowdInput }[shape](compute, Number(count));
let best = Infinity;
for (let n = 0; n < 3; n++) {
  const startedAt = performance.now();
  makePlan(input);
  best = Math.min(best, performance.now() - startedAt);
}
console.log(best);
