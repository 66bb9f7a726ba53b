// Branches with a compute each, declared for Alchemy (it has no resource for a compute alone).
// usage: node alchemy-script.mjs FLEET_JSON [TYPE]      (URL in BENCH_URL)
import process from 'node:process';
import alchemy from 'alchemy';
import { NeonBranch } from 'alchemy/neon';
import { names } from '../stub/world.mjs';

const [fleetJson, type = 'read_write'] = process.argv.slice(2);
const { projects, branches } = JSON.parse(fleetJson);
const app = await alchemy('bench', { stage: 'bench', phase: 'up', quiet: true, noTrack: true, password: 'bench' });
const declared = [];
for (let p = 1; p <= projects; p++)
  for (let b = 1; b <= branches; b++)
    declared.push(
      NeonBranch(`branch-${p}-${b}`, {
        baseUrl: process.env.BENCH_URL,
        project: names.projectId(p),
        name: `made-${p}-${b}`,
        endpoints: [{ type, autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 }],
      }),
    );
await Promise.all(declared);
await app.finalize();
