// Runs scripts of package.json side by side and prints what each said; fails where one fails.
// usage: node .ci/together.mjs SCRIPT …
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

await Promise.all(
  process.argv.slice(2).map(async (script) => {
    const child = spawn('npm', ['run', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    const [code] = await once(child, 'close');
    process.stdout.write(Buffer.concat(said));
    if (code !== 0) process.exitCode = 1;
  }),
);
