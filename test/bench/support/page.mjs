// Writes the README beside the benchmarks from a whole run: the tables, their machine, and their limits.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from './paths.mjs';

const PAGE = join(root, 'test', 'bench', 'README.md');

/** `results` are those of all scenarios, `about` what `surroundings` says. */
export async function writePage(results, about) {
  const figures = Object.assign({}, ...results.map((result) => result.figures));
  const sections = results.flatMap(({ sections: some }) => some);
  const parts = [
    '# Performance',
    `See what the usual jobs take, beside a bare loop of requests and beside other tools, and measure it on your machine: \`npm run bench\` wrote this page on ${about.at.slice(0, 10)}; every figure below comes from that one run. Run it again before you quote it.`,
    headline(figures),
    '## Targets',
    targets(figures),
    '## How it is measured',
    method(about),
    ...sections.flatMap(({ title, text }) => [`## ${title}`, text]),
    '## What these figures do not say',
    limits(figures),
  ];
  writeFileSync(PAGE, `${parts.join('\n\n')}\n`);
  execFileSync(process.execPath, [join(root, 'node_modules', 'prettier', 'bin', 'prettier.cjs'), '--write', PAGE], {
    stdio: 'ignore',
  });
  console.log(`written: ${PAGE}`);
}

const rowOf = (rows, name) => rows?.find((row) => row.name.startsWith(name) && row.reason === undefined);

/** Three figures that sum the page up. */
function headline(figures) {
  const noop = rowOf(figures[1000], 'trueup');
  const slow = rowOf(figures.slow100, 'trueup');
  const faults = rowOf(figures.faults, 'trueup');
  // In brackets after ours; nothing where none was installed.
  const rivals = (rows, of) => {
    const others = (rows ?? []).filter(({ name, reason }) => reason === undefined && !/^(trueup|bare)/.test(name));
    return others.length === 0 ? '' : ` (${others.map((row) => `${row.name} ${of(row)}`).join(', ')})`;
  };
  const cells = Object.values(faults.cells);
  const exact = cells.filter((cell) => cell.endsWith(': 10')).length;
  return [
    `- After ${cells.length} kinds of faults in the middle of ten creates, and a second run, there were exactly ten computes in ${exact} of ${cells.length} cases${rivals(figures.faults, (row) => `${Object.values(row.cells).filter((cell) => cell.endsWith(': 10')).length} of ${cells.length}`)}.`,
    `- Checking 1,000 computes in 100 projects takes ${noop.requests} requests and ${noop.seconds.toFixed(2)} s, ${noop.ratio.toFixed(2)} times a bare loop of requests${rivals(figures[1000], ({ requests }) => (requests === 0 ? 'none, since it asks its state file' : requests))}.`,
    `- Creating 100 computes whose operations take 5 s takes ${slow.requests} requests in all${rivals(figures.slow100, ({ requests }) => requests)}.`,
  ].join('\n');
}

/** Each target of ours beside what this run measured; nothing is left out when it is missed. */
function targets(figures) {
  const start = (words) => figures.startup.find(({ name }) => name.includes(words)).ratio;
  const ours = (rows) => rowOf(rows, 'trueup');
  const ofReading = (rows) => ours(rows).seconds / rowOf(rows, 'bare loop after').seconds;
  const [thousand, tenThousand, hundredThousand] = figures.validate;
  const planning = figures.algorithms;
  const plans = figures.plans.filter(({ name }) => name === 'trueup');
  const rows = [
    ['no-op plan of 100 projects, requests', ours(figures[1000]).requests, 201, ''],
    ['no-op plan, 1,000 computes, of the bare loop', ours(figures[1000]).ratio, 1.3, ' ×'],
    ['no-op plan, 1,000 computes, of that loop after `parse` of yaml', ofReading(figures[1000]), undefined, ' ×'],
    ['no-op plan, 1,000 computes, memory', ours(figures[1000]).megabytes, undefined, ' MB'],
    ['create 1,000 computes, of the bare loop', ours(figures.create1000).ratio, 1.5, ' ×'],
    ['create 1,000 computes, of that loop after `parse` of yaml', ofReading(figures.create1000), undefined, ' ×'],
    ['create 1,000 computes, 600 requests a minute, of such a loop', ours(figures.paced1000).ratio, undefined, ' ×'],
    ['create 1,000 computes, requests', ours(figures.create1000).requests, 1700, ''],
    ['create 100 computes, 5 s operations, of the bare loop', ours(figures.slow100).ratio, 1.15, ' ×'],
    ['create 100 computes, 5 s operations, requests', ours(figures.slow100).requests, undefined, ''],
    ['busy project, refusals', ours(figures.busy).refusals, 2, ''],
    ['busy project, of the serial floor', ours(figures.busy).ratio, 1.2, ' ×'],
    ['`--version`, of `node -e 0`', start('--version'), 2, ' ×'],
    ['`--help`, of `node -e 0`', start('--help'), undefined, ' ×'],
    ['`validate` of a small file, of `node -e 0`', start('trueup validate'), undefined, ' ×'],
    ['`plan` up to its first request, of `node -e 0`', start('first request'), 4, ' ×'],
    ['a script with yaml and undici up to its first request', start('a script'), undefined, ' ×'],
    ['`validate` of 10,000 computes', tenThousand.seconds, 3, ' s'],
    ["`validate` of 10,000 computes, CPU of the parser's own reading", tenThousand.parserRatio, 2, ' ×'],
    ['`validate` of 10,000 computes, CPU of 1,000', tenThousand.cpuSeconds / thousand.cpuSeconds, 12, ' ×'],
    ['`validate` of 100,000 computes', hundredThousand.seconds, undefined, ' s'],
    ...plans.flatMap(({ what, besideParser, cpuRatio }) => [
      [`plan of 100,000 computes, ${what}, memory beside the parser's`, besideParser, 500, ' MB'],
      [`plan of 100,000 computes, ${what}, CPU of the bare loop`, cpuRatio, undefined, ' ×'],
    ]),
    ['planning 100,000 computes, of 1,000', planning[2].growth, 130, ' ×'],
    ['planning 500 replicas of one branch', planning[3].milliseconds / 1000, 1, ' s'],
  ];
  const shown = rows.map(([what, value, most, unit]) => {
    const figure = `${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 0)}${unit}`;
    return `| ${what} | ${most === undefined ? 'none' : `${most}${unit}`} | ${figure} | ${most === undefined ? '' : value <= most ? 'met' : '**missed**'} |`;
  });
  return ['| work | at most | measured | |', '| --- | --- | --- | --- |', ...shown].join('\n');
}

function method(about) {
  return [
    `Machine: ${about.cpu}, ${about.memoryGigabytes} GB, ${about.system}, Node ${about.node}; load ${about.load.toFixed(1)} at the end; source ${about.commit}. The whole run took ${about.minutes.toFixed(0)} minutes.`,
    `Everybody speaks to the same stub of the service: one process, \`node:http\`, on the loopback${about.network === 'own' ? ', in a network namespace with nothing else in it' : ' (no network namespace of its own here, so that other traffic was possible)'}. It answers after 20 ms unless a table says otherwise, keeps operations for the time that a table says, and counts requests, refusals and computes exactly.`,
    `The contenders run in turn, up to ${about.repetitions} repetitions (3 where fewer than 1,000 computes are created, 2 for the largest fleets, 15 for start-up); tables show medians (of two, the lower). "Of the floor" is the median of the ratios to the bare loop of the same repetition. CPU is that of all processes of a command, memory the largest sum of their peaks.`,
    "The floor is a loop over undici with 32 connections that sends the same requests: lists and operation logs, the branches on which something is made, and the lists once more before a write and at the end. It has no file, no checks, no plan. trueup runs with `--requests-per-minute 1000000`, since its usual budget of 600 requests a minute would be all that one sees (one table shows both with that budget), and with `--parallelism 32`; the SDK script has 32 requests in flight as well. The others run as they come. The same loop after `parse` of yaml reads the same files first, with the library that trueup reads them with: what it takes more than the floor is that library's. trueup is the build of this checkout, as the npm package holds it.",
  ].join('\n\n');
}

function limits(figures) {
  const missing = new Set(
    Object.values(figures)
      .flat()
      .filter(({ reason }) => reason === 'not installed')
      .map(({ name }) => name),
  );
  const lines = [
    'The stub refuses by 423 as the public service does, and has a few routes (one project, one compute, branches) that only the other tools need.',
    'A script with the SDK reads by list as well, so "fewest requests" is a claim against declarative tools. The gain is the number of computes in a project; with one in each it is nil.',
    'Alchemy compares with its own state file: it needs no request for a check, and does not see what others changed. It makes branches with one compute each, so its rows count branches.',
    'The SDK script and the loops have no memory: running them again makes everything again.',
    '`neon config plan` looks at one branch a run and creates no computes, so it is measured for ten computes only.',
    'Where an operation failed, the compute exists and counts; whether a tool says so is its exit code in the first run.',
    'Wall times depend on the machine and on what else it does. Requests, refusals and duplicates do not, and tests guard them on every change.',
    ...(missing.size > 0
      ? [
          `Not installed in this run, so not measured: ${[...missing].join(', ')}. Terraform runs where \`TERRAFORM_BIN\` and \`TERRAFORM_PROVIDER_FILE\` name it and a provider that reaches the stub.`,
        ]
      : []),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}
