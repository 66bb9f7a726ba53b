// Writes the README beside the benchmarks from a whole run: the tables, their machine, and their limits.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { benchFolder, root } from './paths.mjs';

const PAGE = join(benchFolder, 'README.md');

/** `results` are those of all scenarios, `about` what `surroundings` says. */
export async function writePage(results, about) {
  const figures = Object.assign({}, ...results.map((result) => result.figures));
  const sections = results.flatMap(({ sections: some }) => some);
  const parts = [
    '# Performance',
    `This page shows how long the usual jobs take, beside a bare loop of the same requests. \`npm run bench\` wrote it on ${about.at.slice(0, 10)} from one run. Run it again before you quote a figure.`,
    '## Targets',
    targets(figures),
    '## Method',
    method(about),
    ...sections.flatMap(({ title, text }) => [`## ${title}`, text]),
  ];
  writeFileSync(PAGE, `${parts.join('\n\n')}\n`);
  execFileSync(process.execPath, [join(root, 'node_modules', 'prettier', 'bin', 'prettier.cjs'), '--write', PAGE], {
    stdio: 'ignore',
  });
  console.log(`written: ${PAGE}`);
}

const rowOf = (rows, name) => rows.find((row) => row.name.startsWith(name));

/** Each target beside the figure of this run, met or missed. */
function targets({ startup, noop, create1000, slow100, validate, plans }) {
  const start = (words) => startup.find(({ name }) => name.includes(words)).ratio;
  const ours = (rows) => rowOf(rows, 'trueup');
  const ofReading = (rows) => ours(rows).seconds / rowOf(rows, 'bare loop after').seconds;
  const large = ours(plans);
  const rows = [
    ['plan of 100 projects without a change, requests', ours(noop).requests, 201, ''],
    ['plan of 1,000 computes without a change, of the loop after `parse`', ofReading(noop), 1.25, ' ×'],
    ['create 1,000 computes, of the loop after `parse`', ofReading(create1000), 1.35, ' ×'],
    ['create 100 computes, 5 s operations, requests', ours(slow100).requests, 165, ''],
    ['plan of 100,000 computes, CPU of `validate`', large.cpuSeconds / validate.at(-1).cpuSeconds, 1.6, ' ×'],
    ['plan of 100,000 computes, memory', large.megabytes, 1000, ' MB'],
    ['plan of 100,000 computes, CPU of 1,000', large.cpuSeconds / ours(noop).cpuSeconds, 110, ' ×'],
    ['`--version`, of `node -e 0`', start('--version'), 2, ' ×'],
  ];
  const shown = rows.map(([job, value, most, unit]) => {
    const figure = `${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 0)}${unit}`;
    return `| ${job} | ${most}${unit} | ${figure} | ${value <= most ? 'met' : '**missed**'} |`;
  });
  return ['| job | at most | measured | |', '| --- | --- | --- | --- |', ...shown].join('\n');
}

function method(about) {
  return [
    `Machine: ${about.cpu}, ${about.memoryGigabytes} GB, ${about.system}, Node ${about.node}; load ${about.load.toFixed(1)} at the end; source ${about.commit}. The whole run took ${about.minutes.toFixed(0)} minutes.`,
    `All of them ask the same stub of the service: one process, \`node:http\`, on the loopback${about.network === 'own' ? ', in a network namespace with nothing else in it' : ', with other traffic possible'}. It answers after 20 ms unless a table says otherwise, and counts requests and computes exactly.`,
    `They run in turn, up to ${about.repetitions} times; tables show medians (of two, the lower). "Of the floor" is the median of the ratios to the bare loop of the same repetition. CPU is that of all processes of a command, memory the largest sum of their peaks.`,
    'The floor is a loop over undici with 32 connections that sends the same requests. It has no file, no checks, no plan. The same loop after `parse` reads the same files first, with the library that trueup uses. trueup runs with `--requests-per-minute 1000000` and `--parallelism 32`.',
    'Wall times depend on the machine and on its load. Requests do not, and tests guard them on every change.',
  ].join('\n\n');
}
