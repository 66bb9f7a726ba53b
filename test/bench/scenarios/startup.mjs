// How long until something happens, beside a Node that does nothing: no file, a small file, the first request.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { environment } from '../contenders.mjs';
import { floorScript, trueupBin } from '../support/paths.mjs';
import { interleaved, median, ratio } from '../support/statistics.mjs';
import { table, times } from '../support/table.mjs';
import { newFolder } from './side-by-side.mjs';

const REPETITIONS = 15;
const SMALL = `version: 1
projects:
  shop:
    branches: { main: br-wispy-meadow-118737 }
    computes:
      primary: { branch: main, autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4 }
`;

export const startup = {
  name: 'startup',
  async run(context) {
    const title = 'Start-up';
    context.log(title);
    const folder = newFolder(context);
    writeFileSync(join(folder, 'trueup.yaml'), SMALL);
    const server = createServer((_, reply) => reply.writeHead(401).end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const setting = {
      cwd: folder,
      env: environment(folder, {
        TRUEUP_API_KEY: 'bench',
        TRUEUP_BASE_URL: `http://127.0.0.1:${server.address().port}/api/v2`,
      }),
    };
    const rows = commands(setting.env.TRUEUP_BASE_URL);
    // From its second run on, the program finds compiled code where Node.js keeps it: the first is nobody's usual one.
    for (const { program, args } of rows) await untilExit(program, args, setting);
    const results = await interleaved(
      REPETITIONS,
      rows.map(
        ({ name, program, args }) =>
          () =>
            name.includes('first request') ? untilRequest(args, setting, server) : untilExit(program, args, setting),
      ),
    );
    server.close();
    const measured = rows.map(({ name }, at) => ({
      name,
      milliseconds: median(results[at]),
      least: Math.min(...results[at]),
      ratio: ratio(results[at], results[0], (value) => value),
    }));
    for (const row of measured)
      context.log(`  ${row.name}: ${row.milliseconds.toFixed(0)} ms, ${row.ratio.toFixed(2)}`);
    const columns = [
      ['command', ({ name }) => name],
      ['median', ({ milliseconds }) => `${milliseconds.toFixed(0)} ms`],
      ['least', ({ least }) => `${least.toFixed(0)} ms`],
      ['of `node -e 0`', (row) => times(row.ratio)],
    ];
    return {
      sections: [{ title: `${title} (${REPETITIONS} interleaved repetitions)`, text: table(columns, measured) }],
      figures: { startup: measured },
    };
  },
};

function commands(url) {
  const node = (name, ...args) => ({ name, program: process.execPath, args });
  return [
    node('`node -e 0`', '-e', '0'),
    node('`trueup --version`', trueupBin, '--version'),
    node('`trueup --help`', trueupBin, '--help'),
    node('`trueup validate`, a small file', trueupBin, 'validate'),
    node('`trueup plan` up to its first request', trueupBin, 'plan'),
    node('a script with yaml and undici, up to its first request', floorScript, 'read', url, '1', '0', '.'),
  ];
}

async function untilExit(program, args, { cwd, env }) {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: 'ignore' });
  await once(child, 'exit');
  return performance.now() - startedAt;
}

async function untilRequest(args, { cwd, env }, server) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const isAsked = await Promise.race([once(server, 'request').then(() => true), ended.then(() => false)]);
  const elapsed = performance.now() - startedAt;
  if (!isAsked) throw new Error('it ended without a request');
  child.kill('SIGKILL');
  await ended;
  return elapsed;
}
