// No code block in any document goes unchecked: each kind of block has a check here, or a test file that runs it.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { worldFromYaml } from '../../src/control-plane/world/world-file.ts';
import { createControlPlane } from '../../src/control-plane/index.ts';
import { bin, built, cleanUp, newFolder, run } from '../e2e/support/program.ts';
import { startServer } from '../e2e/support/server.ts';
import { filesBelow, root } from '../architecture/source-tree.ts';
import { blocksOf, type Block } from './markdown-blocks.ts';

afterAll(cleanUp);

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...filesBelow('docs', '.md').map((name) => `docs/${name}`),
];
const blocks = pages.flatMap((page) =>
  blocksOf(readFileSync(join(root, page), 'utf8')).map((block) => ({ ...block, page })),
);

/** Blocks that a test of their own runs or compares, by page and language. */
const elsewhere: Readonly<Record<string, string>> = {
  'README.md console': 'test/readme/readme.slow.test.ts',
  'README.md yaml': 'test/readme/readme.slow.test.ts',
  'docs/concepts.md yaml': 'test/examples/examples.slow.test.ts',
  'docs/gitops.md sh': 'test/gitops/docs.slow.test.ts',
  'docs/gitops.md yaml': 'test/gitops/docs.slow.test.ts',
  'docs/gitops.md console': 'test/gitops/docs.slow.test.ts',
  'docs/adopting.md sh': 'test/gitops/docs.slow.test.ts',
  'docs/adopting.md yaml': 'test/gitops/docs.slow.test.ts',
  'docs/rotation.md yaml': 'test/gitops/docs.slow.test.ts',
  'docs/outputs.md console': 'test/outputs/page.slow.test.ts',
  'docs/outputs.md yaml': 'test/outputs/page.slow.test.ts',
  'docs/secrets.md sh': 'test/unit/apply/secrets/recipes.test.ts',
};

/** Blocks that a test below checks. */
const here = new Set([
  'README.md sh',
  'README.md ts',
  'README.md hcl',
  'CONTRIBUTING.md sh',
  'docs/adopting.md hcl',
  'docs/control-plane.md js',
  'docs/control-plane.md sh',
  'docs/control-plane.md ts',
  'docs/control-plane.md yaml',
  'docs/reliability.md sh',
  'docs/secrets.md json',
  'docs/secrets.md yaml',
]);

it('every code block is checked by something', () => {
  const found = new Set(blocks.map(({ page, language }) => `${page} ${language}`));
  const known = [...Object.keys(elsewhere), ...here];
  expect([...found].filter((one) => !known.includes(one))).toEqual([]);
  expect(known.filter((one) => !found.has(one))).toEqual([]);
  for (const [one, test] of Object.entries(elsewhere)) {
    const [page = ''] = one.split(' ');
    expect(readFileSync(join(root, test), 'utf8'), test).toContain(page.replace('docs/', ''));
  }
});

const of = (page: string, language: string): readonly Block[] =>
  blocks.filter((block) => block.page === page && block.language === language);

/** The commands of a shell block, without comments; lines that go on with `\` are one. */
function commandsOf({ body }: Block): readonly string[] {
  return body
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.replace(/\s+#.*$/, '').split(' && '))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

describe('commands of this repository', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const lines = ['README.md', 'CONTRIBUTING.md', 'docs/reliability.md'].flatMap((page) =>
    of(page, 'sh').flatMap(commandsOf),
  );
  it.each(lines)('%s', (line) => {
    const [program, word = '', name = ''] = line.split(/\s+/);
    if (program === 'npm') expect(word === 'ci' || (word === 'run' ? name : word) in scripts, line).toBe(true);
    else expect(program === 'node' && existsSync(join(root, word)), line).toBe(true);
  });

  it('and every `npm run …` that a page names is there', () => {
    for (const page of pages)
      for (const [, name = ''] of readFileSync(join(root, page), 'utf8').matchAll(/\bnpm run ([\w:-]+)/g))
        expect(Object.keys(scripts), page).toContain(name);
  });
});

describe('TypeScript', () => {
  it('of every page type-checks against what is published', async () => {
    const folder = consumerFolder();
    const snippets = blocks.filter(({ language }) => language === 'ts');
    expect(snippets.length).toBeGreaterThan(2);
    for (const [at, { body }] of snippets.entries())
      writeFileSync(join(folder, `block-${at}.ts`), `${body}\nexport {};\n`);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    expect(stdout).toBe('');
  });

  it('of docs/control-plane.md runs, and its fault strikes', async () => {
    const folder = consumerFolder();
    const [served, inProcess] = of('docs/control-plane.md', 'ts');
    writeFileSync(
      join(folder, 'served.mjs'),
      `${served?.body}\nconsole.log(controlPlane.clock.state.ahead_ms > 6e8, url, key);\n`,
    );
    writeFileSync(join(folder, 'block.mjs'), `${inProcess?.body}\nconsole.log(answer.status);\n`);
    const output = (file: string): string => execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
    expect(output('served.mjs')).toMatch(/^true http:\/\/127\.0\.0\.1:\d+ napi_\w{64}\n$/);
    expect(output('block.mjs')).toBe('200\n');
  });
});

/** A folder in which `trueup` is an installed package. */
function consumerFolder(): string {
  built();
  const folder = newFolder('consumer');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/trueup'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

describe('docs/control-plane.md', () => {
  const shell = of('docs/control-plane.md', 'sh');
  const [begin, reach] = shell;
  const admin = shell.find(({ body }) => body.includes('/admin/'));

  it('has ways to start a server that the program takes', async () => {
    const starts = shell.flatMap(commandsOf).filter((line) => line.startsWith('trueup serve'));
    expect(starts.length).toBeGreaterThan(10);
    for (const line of starts) {
      const words = (line.match(/'[^']*'|\S+/g) ?? [])
        .map((word) => word.replaceAll("'", ''))
        .filter((word) => word !== '&');
      const { code, err } = await run([...words.slice(1), '--help'], { cwd: newFolder() });
      expect(code, `${line}\n${err}`).toBe(0);
    }
  });

  it('has a program of the vendor that is one', () => {
    const file = join(newFolder('sdk'), 'block.mjs');
    writeFileSync(file, of('docs/control-plane.md', 'js')[0]?.body ?? '');
    expect(execFileSync(process.execPath, ['--check', file], { encoding: 'utf8' })).toBe('');
  });

  it('can be tried in a minute', async () => {
    built();
    const folder = newFolder('try');
    writeFileSync(join(folder, 'curl'), `#!${process.execPath}\n${CURL}`);
    writeFileSync(join(folder, 'trueup'), `#!/bin/sh\nexec ${process.execPath} ${bin} "$@" 2> err.txt\n`);
    for (const name of ['curl', 'trueup']) chmodSync(join(folder, name), 0o755);
    const text = `${begin?.body}\ntrap 'kill $!' EXIT\n${reach?.body}`
      .replace('--ephemeral', '--ephemeral --port 0')
      .replaceAll('http://127.0.0.1:4010', `$(node -p 'require("./ready.json").url')`);
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, TMPDIR: folder };
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', text], { cwd: folder, env });
    expect(stdout).toContain('"spring-example-302709"');
    expect(stdout).toContain('"app_owner"');
  });

  it('has requests that a server answers', async () => {
    const folder = newFolder('curl');
    const data = join(folder, 'local');
    const server = await startServer({ data });
    const token = /^admin token of this run: (\S+)$/m.exec(server.process.err())?.[1] ?? '';
    writeFileSync(join(folder, 'curl'), `#!${process.execPath}\n${CURL}`);
    chmodSync(join(folder, 'curl'), 0o755);
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, ADMIN_TOKEN: token };
    const sh = async (block: Block | undefined): Promise<string> => {
      const text = (block?.body ?? 'false').replaceAll('http://127.0.0.1:4010', server.url);
      return (await promisify(execFile)('sh', ['-eu', '-c', text], { cwd: folder, env })).stdout;
    };
    expect(await sh(admin)).toContain('after-commit-before-reply');
  });

  it('has a world that a server takes', () => {
    for (const { body } of of('docs/control-plane.md', 'yaml')) {
      const plane = createControlPlane({ seed: worldFromYaml(body) });
      expect(plane.truth.computes().length).toBe(2002);
      plane.close();
    }
  });
});

/** `curl` as far as the pages use it. */
const CURL = `
const words = process.argv.slice(2);
const options = { headers: {} };
let url;
for (let at = 0; at < words.length; at++) {
  if (words[at] === '-X') options.method = words[++at];
  else if (words[at] === '-d') { options.body = words[++at]; options.method ??= 'POST'; }
  else if (words[at] === '-H') { const [name, value] = words[++at].split(': '); options.headers[name] = value; }
  else if (words[at].startsWith('-') && words[at] !== '-s') process.exit(2);
  else url = words[at];
}
fetch(url, options).then(async (answer) => { console.log(await answer.text()); if (!answer.ok) process.exitCode = 22; });
`;

describe('docs/secrets.md', () => {
  it('has JSON that is JSON, and YAML that is a part of a file', async () => {
    for (const { body } of of('docs/secrets.md', 'json'))
      expect(Object.keys(JSON.parse(body) as object).join()).toMatch(/\b(key|password)\b/);
    for (const { body } of of('docs/secrets.md', 'yaml')) {
      const cwd = newFolder('secrets');
      writeFileSync(join(cwd, 'trueup.yaml'), body.includes('version:') ? body : `version: 1\n${body}`);
      const { code, err } = await run(['validate'], { cwd });
      expect(code, err).toBe(0);
    }
  });
});

describe('the hand-over from Terraform', () => {
  const handOvers = blocks.filter(({ language }) => language === 'hcl');
  it.each(handOvers.map(({ page, body }) => [page, body] as const))('of %s destroys nothing', (_page, body) => {
    const removed = body.match(/^removed \{$/gm) ?? [];
    const kept = body.match(/^removed \{\n {2}from = neon_\w+\.\w+\n {2}lifecycle \{ destroy = false \}\n\}$/gm) ?? [];
    expect(removed.length).toBeGreaterThan(0);
    expect(kept).toHaveLength(removed.length);
  });
});
