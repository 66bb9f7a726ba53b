// Measures trueup beside a bare loop of the same requests: one table per question, written to the README here.
// usage: node test/bench/run.mjs [--only SCENARIO,…] [--reps N]
// Scenarios: startup noop create fleet. Only a run of all of them writes it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../clients/support/install.mjs';
import { create } from './scenarios/create.mjs';
import { fleet } from './scenarios/fleet.mjs';
import { noop } from './scenarios/noop.mjs';
import { startup } from './scenarios/startup.mjs';
import { insideOwnNetwork } from './support/network.mjs';
import { writePage } from './support/page.mjs';
import { surroundings } from './support/surroundings.mjs';

const { values } = parseArgs({ options: { only: { type: 'string' }, reps: { type: 'string', default: '5' } } });
const scenarios = [startup, noop, create, fleet];

buildIfStale();
if (!insideOwnNetwork(process.argv.slice(1))) await main();

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-bench-'));
  const startedAt = Date.now();
  const context = { folder, repetitions: Number(values.reps), log: (line) => console.log(line) };
  try {
    const wanted = scenarios.filter(({ name }) => values.only === undefined || values.only.split(',').includes(name));
    const results = [];
    for (const scenario of wanted) {
      const result = await scenario.run(context);
      results.push(result);
      for (const { title, text } of result.sections) console.log(`\n## ${title}\n\n${text}\n`);
    }
    const about = { ...surroundings(), repetitions: context.repetitions, minutes: (Date.now() - startedAt) / 60_000 };
    if (wanted.length === scenarios.length) await writePage(results, about);
    console.log(`${about.minutes.toFixed(1)} minutes`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
