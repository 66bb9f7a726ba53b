// The built program in repositories that somebody else made: it ends in time, shows nothing of elsewhere, and writes nothing there.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { cleanUp, newFolder, run } from '../../e2e/support/program.ts';
import { CANARY, REPOSITORIES } from './repositories.ts';
import { CPU_LIMIT_S } from './run.ts';

vi.setConfig({ testTimeout: 60_000, maxConcurrency: 4 });
afterAll(cleanUp);

const WISH = `version: 1
api_keys: { ci: { secret: { file: ci.json } } }
`;

describe.concurrent('is held off', () => {
  it.each(REPOSITORIES)('$name', async ({ prepare, args, codes = [1] }) => {
    const around = newFolder('repository');
    const [root, elsewhere] = [join(around, 'work'), join(around, 'elsewhere')];
    for (const folder of [root, elsewhere]) mkdirSync(folder);
    writeFileSync(join(root, 'trueup.yaml'), WISH);
    writeFileSync(join(elsewhere, 'secret'), `${CANARY}\n`);
    prepare(root);
    // Memory is counted with what Node.js only reserves.
    const via = ['/bin/sh', '-c', `ulimit -t ${CPU_LIMIT_S}; exec "$@"`, 'sh'];
    const env = { HOME: around, SECRET_OF_ENV: CANARY, NODE_OPTIONS: '--max-old-space-size=900' };
    const { code, out, err } = await run(args, { cwd: root, env, via });
    const text = out + err;
    expect(codes, text.slice(0, 2000)).toContain(code);
    expect(text).not.toContain(CANARY);
    expect(text).not.toMatch(/^::error::|\u001B|bug in trueup|^ {4}at /m);
    expect(readdirSync(elsewhere)).toEqual(['secret']);
    expect(readFileSync(join(elsewhere, 'secret'), 'utf8')).toBe(`${CANARY}\n`);
    expect(readdirSync(root)).not.toContain('told');
  });
});
