// `npm start`: a tour on its own local server. The real program prints every line below a `$`.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlain } from '../base/files/plain-file.ts';
import { main } from './main.ts';
import type { Io } from './process/io.ts';
import { processIo } from './process/process-io.ts';

async function tour(outer: Io): Promise<void> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'trueup-tour-')));
  const env = { ...outer.env, CI: '1', TRUEUP_FILE: '', TRUEUP_STATE_DIR: join(folder, 'state') };
  const io: Io = { ...outer, stderr: outer.stdout, cwd: folder, env };
  const say = async (text: string): Promise<void> => outer.stdout.write(`${text}\n\n`);
  const run = async (line: string): Promise<void> => {
    await outer.stdout.write(`$ trueup ${line}\n`);
    const code = await main(line.split(' '), io);
    await outer.stdout.write(`${code === 0 ? '' : `(exit ${code})\n`}\n`);
  };
  const text = (name: string): string => Buffer.from(readPlain(join(folder, name), 4096)).toString('utf8');
  try {
    await say('The local server has the API of the service. The server begins with a small account.');
    await run('init');
    await outer.stdout.write(`$ cat trueup.yaml\n${text('trueup.yaml')}\n`);
    await say('The plan compares the file with the live account. The plan shows what each change does to clients.');
    await run('plan --local');
    await say('Apply makes exactly these changes, waits for every operation and verifies the result.');
    await run('apply --local --auto-approve');
    await run('plan --local --detailed-exitcode');
    await say('A colleague applies another file with a larger size ...');
    writeFileSync(join(folder, 'other.yaml'), text('trueup.yaml').replace('max_cu: 2', 'max_cu: 8'));
    await run('apply --local --auto-approve --quiet -f other.yaml');
    await say('... and the nightly drift check finds the difference (exit code 2).');
    await run('drift --local');
    await say('Apply restores the file.');
    await run('apply --local --auto-approve');
    await run('drift --local');
    await say('Next: trueup --help, README.md, and examples/.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void tour(processIo());
