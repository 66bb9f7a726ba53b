// Mutation testing: Stryker changes one operator, condition or value at a time, and a test must notice each.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBetween } from './figures.mjs';
import { mutateRoom } from './one-room.mjs';
import { rooms } from './rooms.mjs';
import { scoreOf, scoreWords, sumOf, survivorsOf } from './score.mjs';

const USAGE = `usage: npm run mutation -- [options]
  --room NAME,NAME    only these rooms (${Object.keys(rooms).join(', ')}); none when empty
  --again             only what changed since the last run of the room, or was not noticed by it
  --survivors         tell each mutant that no test noticed
  --figures FILE      write the figures of the newest whole run of every room between the marks in FILE
  --workers N         tests at a time, 2 if not given
  --mutate GLOB,GLOB  only these files of one room: told, but not kept`;

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const keptFolder = join(root, '.cache/mutation');

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    room: { type: 'string', default: Object.keys(rooms).join(',') },
    mutate: { type: 'string' },
    figures: { type: 'string' },
    survivors: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
    again: { type: 'boolean', default: false },
  },
});

const keptMutants = (name) => join(keptFolder, `${name}.json`);
const keptScore = (name) => join(keptFolder, `${name}.score.json`);

function run(name) {
  const workers = Number(values.workers);
  const part = values.mutate?.split(',');
  const room = { ...rooms[name], ...(part === undefined ? {} : { files: part }) };
  const keeping = part === undefined ? { kept: keptMutants(name), again: values.again } : { again: false };
  const files = mutateRoom(root, room, { workers, ...keeping });
  for (const [file, one] of Object.entries(files)) console.log(`  ${file}: ${scoreWords(scoreOf({ one }))}`);
  if (values.survivors) for (const words of survivorsOf(files)) console.log(words);
  console.log(`${name}: mutants noticed ${scoreWords(scoreOf(files))}`);
  if (part === undefined)
    writeFileSync(keptScore(name), JSON.stringify({ day: new Date().toISOString().slice(0, 10), ...scoreOf(files) }));
}

function kept(name) {
  if (!existsSync(keptScore(name))) throw new Error(`no whole run of the room ${name} is kept`);
  return JSON.parse(readFileSync(keptScore(name), 'utf8'));
}

/** The figures of the newest whole run of every room; an error when one had none. */
function figures() {
  const names = Object.keys(rooms);
  const row = (words, scores) =>
    `| ${words} | ${scoreWords(sumOf(scores))} | ${scores.map(({ day }) => day).sort()[0]} |`;
  return [
    '| figure | value | day of the run |',
    '| --- | --- | --- |',
    ...names.map((name) => row(`mutants noticed, ${name}`, [kept(name)])),
    row('mutants noticed, together', names.map(kept)),
  ];
}

function install() {
  const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  if (!existsSync(join(here, 'node_modules'))) execFileSync('npm', args, { cwd: here, stdio: 'inherit' });
}

if (values.help) console.log(USAGE);
else {
  install();
  mkdirSync(keptFolder, { recursive: true });
  for (const name of values.room.split(',').filter(Boolean)) {
    try {
      run(name);
    } catch (error) {
      console.error(`${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
  if (values.figures !== undefined) writeBetween(values.figures, 'mutation', figures());
}
