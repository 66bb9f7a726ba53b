// The fuzzing campaign: many times the inputs of the short form; what breaks a law is kept in the corpus.
// usage: node test/fuzz/run.mjs [--times N] [--from SEED]
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { times: { type: 'string', default: '100' }, from: { type: 'string', default: '0' } },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const asked = { TRUEUP_FUZZ_TIMES: values.times, TRUEUP_FUZZ_FROM: values.from, TRUEUP_FUZZ_KEEP: '1' };
const options = { cwd: root, env: { ...process.env, ...asked }, stdio: 'inherit' };
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/fuzz'], options);
const drawn = Number(values.times);
const inputs = `${300 * drawn} files, ${150 * drawn} answers, ${30 * drawn} worlds of names`;
console.log(`seeds from ${values.from}: ${inputs} ${status === 0 ? 'hold' : 'do not all hold'}`);
process.exitCode = status ?? 1;
