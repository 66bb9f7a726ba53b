// Prints the figures of the suite: files, tests and seconds by lane, the slowest files of the fast lane, lines of tests and of data.
// usage: CI=true npm run test:all; npm run suite -- [REPORT …]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, relative } from 'node:path';
import process from 'node:process';

/** What continuous integration leaves behind, or one run of both lanes. */
const KEPT = ['.cache/test-report-fast.json', '.cache/test-report-slow.json', '.cache/test-report.json'];
const CODE = new Set(['.ts', '.mts', '.mjs', '.js']);
/** More than a contributor should wait for one file. */
const LONG_S = 5;

const named = process.argv.slice(2);
const reports = (named.length > 0 ? named : KEPT).filter((file) => existsSync(file));
const suites = new Map(reports.flatMap((file) => suitesOf(file)).map((suite) => [suite.name, suite]));
if (suites.size === 0) console.log('no report is kept: CI=true npm run test:all writes one');
for (const lane of ['fast', 'slow']) {
  const own = [...suites.values()].filter((suite) => suite.lane === lane).sort((a, b) => b.seconds - a.seconds);
  console.log(`${lane}: ${own.length} files, ${sum(own, 'tests')} tests, ${sum(own, 'seconds').toFixed(0)} s of work`);
  if (lane === 'fast')
    for (const { name, seconds } of own.filter((suite) => suite.seconds > LONG_S))
      console.log(`  ${seconds.toFixed(1)} s  ${name}`);
}
console.log(linesOf());

function suitesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    name: relative(process.cwd(), name),
    lane: name.endsWith('.slow.test.ts') ? 'slow' : 'fast',
    seconds: Math.max(0, endTime - startTime) / 1000,
    tests: assertionResults.length,
  }));
}

function sum(items, member) {
  return items.reduce((total, item) => total + item[member], 0);
}

function linesOf() {
  const files = execFileSync('git', ['ls-files', 'test'], { encoding: 'utf8' }).split('\n').filter(existsSync);
  const counts = { tests: 0, helpers: 0, locks: 0, data: 0 };
  for (const file of files) counts[sortOf(file)] += readFileSync(file, 'utf8').split('\n').length - 1;
  return `lines below test/: ${Object.entries(counts)
    .map(([sort, lines]) => `${sort} ${lines}`)
    .join(', ')}`;
}

function sortOf(file) {
  if (file.endsWith('.test.ts')) return 'tests';
  if (basename(file) === 'package-lock.json') return 'locks';
  return CODE.has(extname(file)) ? 'helpers' : 'data';
}
