// Measures trueup beside the bare loop and other people's tools: one table per question, written to the README here.
// usage: node test/bench/run.mjs [--only SCENARIO,…] [--contenders NAME,…] [--reps N] [--no-install]
// Scenarios: startup noop create busy drift faults fleet algorithms. Only a run of all of them writes it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { alchemy } from './contenders/alchemy.mjs';
import { floor } from './contenders/floor.mjs';
import { neon } from './contenders/neon.mjs';
import { sdk } from './contenders/sdk.mjs';
import { terraform } from './contenders/terraform.mjs';
import { trueup } from './contenders/trueup.mjs';
import { algorithms } from './scenarios/algorithms.mjs';
import { busy } from './scenarios/busy.mjs';
import { create } from './scenarios/create.mjs';
import { drift } from './scenarios/drift.mjs';
import { faults } from './scenarios/faults.mjs';
import { fleet } from './scenarios/fleet.mjs';
import { noop } from './scenarios/noop.mjs';
import { startup } from './scenarios/startup.mjs';
import { prepareRivals } from './support/install.mjs';
import { insideOwnNetwork } from './support/network.mjs';
import { writePage } from './support/page.mjs';
import { root } from './support/paths.mjs';
import { surroundings } from './support/surroundings.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    contenders: { type: 'string' },
    reps: { type: 'string', default: '5' },
    'no-install': { type: 'boolean', default: false },
  },
});
const scenarios = [startup, noop, create, busy, drift, faults, fleet, algorithms];
const rivals = [trueup, sdk, neon, alchemy, terraform];

if (!values['no-install']) prepareRivals();
if (!insideOwnNetwork(process.argv.slice(1))) await main();

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-bench-'));
  const startedAt = Date.now();
  const kept = [];
  const context = {
    folder,
    repetitions: Number(values.reps),
    contenders: [floor, ...chosen(rivals, values.contenders)],
    log: (line) => console.log(line),
    keep: (record) => kept.push(record),
  };
  try {
    const wanted = chosen(scenarios, values.only);
    const results = [];
    for (const scenario of wanted) {
      const result = await scenario.run(context);
      results.push(result);
      for (const { title, text } of result.sections) console.log(`\n## ${title}\n\n${text}\n`);
    }
    const about = { ...surroundings(), repetitions: context.repetitions, minutes: (Date.now() - startedAt) / 60_000 };
    writeRecords(kept, about);
    if (wanted.length === scenarios.length && values.contenders === undefined) await writePage(results, about);
    console.log(`${about.minutes.toFixed(1)} minutes`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those whose name begins with one of the words. */
function chosen(list, words) {
  if (words === undefined) return list;
  const parts = words.split(',');
  return list.filter(({ name }) => parts.some((part) => name.toLowerCase().includes(part.toLowerCase())));
}

function writeRecords(kept, about) {
  const file = join(root, '.cache', 'bench.jsonl');
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(file, [about, ...kept].map((record) => `${JSON.stringify(record)}\n`).join(''));
  console.log(`every single run: ${file}`);
}
