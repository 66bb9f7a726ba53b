// `npm start`: a narrated tour on a throw-away local control plane; with `-- --postgres` a second part, with real connections. Every line it prints below a `$` comes from the real program.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { main } from './main.ts';
import { stateFolderFor } from '../apply/folder/state-folder.ts';
import { storeFolder } from './program/settings.ts';
import { openLocal } from './session/local.ts';
import { tourPostgres } from './tour-postgres.ts';
import type { Io } from './process/io.ts';
import { processIo } from './process/process-io.ts';

const FILE = `version: 1

projects:
  shop:
    branches: { main: br-wispy-meadow-118737 }
    computes:
      primary:
        branch: main
        autoscaling_limit_min_cu: 1
        autoscaling_limit_max_cu: 4
      reports:
        branch: main
        type: read_only
        autoscaling_limit_min_cu: 0.25
        autoscaling_limit_max_cu: 1
`;

/** Runs the tour in a new folder, which is removed at the end. */
async function tour(outer: Io): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-tour-'));
  const io: Io = {
    ...outer,
    stderr: outer.stdout,
    cwd: folder,
    env: { ...outer.env, CI: '1', TRUEUP_FILE: '', TRUEUP_STATE_DIR: join(folder, 'kept') },
  };
  let hasRun = false;
  const say = async (text: string): Promise<void> => {
    hasRun = false;
    await outer.stdout.write(`\n${text}\n\n`);
  };
  const run = async (line: string, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    await outer.stdout.write(`${hasRun ? '\n' : ''}$ trueup ${line}\n`);
    hasRun = true;
    const code = await main(line.split(' '), { ...io, env: { ...io.env, ...env } });
    if (code !== 0) await outer.stdout.write(`(exit ${code})\n`);
  };
  try {
    await say(
      'A control plane comes with trueup. It lives in a folder, keeps its state, and holds a small account to start with.',
    );
    await run('ping --local');
    await say('The file says: the primary of one branch gets 1 to 4 compute units, and a read replica shall exist.');
    writeFileSync(join(folder, 'trueup.yaml'), FILE);
    await outer.stdout.write(`$ cat trueup.yaml\n${FILE}`);
    await say('The plan is made from the live account alone; it says what each change does to the people connected.');
    await run('plan --local');
    await say('Apply does exactly that, waits for the operations it starts, reads back, and plans again to be sure.');
    await run('apply --local --auto-approve');
    await run('plan --local --detailed-exitcode');
    await say('Now somebody changes the primary behind its back ...');
    await changeBehindItsBack(io, folder);
    await say('... and the nightly drift check finds it (exit code 2).');
    await run('drift --local');
    await say('Apply repairs it.');
    await run('apply --local --auto-approve');
    await run('drift --local');
    if (argv.includes('--postgres')) await tourPostgres({ io, file: FILE, say, run });
    await say('That was the main job. Next: trueup --help, README.md, and examples/.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function changeBehindItsBack(io: Io, folder: string): Promise<void> {
  const local = openLocal(
    io,
    storeFolder(folder, stateFolderFor(folder, io.env), '', '--local=DIR'),
    'http://localhost/api/v2',
  );
  try {
    const path = '/projects/spring-example-302709/endpoints/ep-cool-darkness-123456';
    const body = '{"endpoint":{"autoscaling_limit_max_cu":8}}';
    await io.stdout.write(`PATCH ${path}\n  ${body}\n`);
    const response = await local.handle(
      new Request(`http://localhost/api/v2${path}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${local.credential.reveal()}`, 'content-type': 'application/json' },
        body,
      }),
    );
    await io.stdout.write(`  ${response.status} ${response.statusText}\n`);
  } finally {
    local.close();
  }
}

void tour(processIo());
