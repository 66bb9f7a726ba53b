// The pages are true: every block of code is run, compared or checked. UPDATE=1 writes what the commands print.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { filesBelow, root } from '../architecture/source-tree.ts';
import { built, cleanUp, newFolder } from '../e2e/support/program.ts';
import { play } from '../support/play.ts';
import { pageAt } from './committed.ts';
import { blocksOf, type Block } from './markdown-blocks.ts';
import { playPage, shapeOf } from './play.ts';

afterAll(cleanUp);

/** Pages that are written from the program: each has a test of its own. */
const WRITTEN = /^reference\/(cli|diagnostics|file|github-action)\.md$/;
const pages = [
  'README.md',
  ...filesBelow('docs', '.md')
    .filter((name) => !name.startsWith('decisions/') && !WRITTEN.test(name))
    .map((name) => `docs/${name}`),
];
const all = pages.flatMap((page) => blocksOf(pageAt(page)).map((block) => ({ ...block, page })));
const blocksIn = (language: string): readonly (Block & { readonly page: string })[] =>
  all.filter((block) => block.language === language);

/** Blocks that no shell runs, by language, and what checks them instead. */
const NOT_RUN: Readonly<Record<string, string>> = {
  hcl: 'Terraform is not here: the blocks must let go of what they name',
  json: 'a record as programs get it: it must parse',
  ts: 'it must type-check against what is published',
  js: "it needs the vendor's package: Node must accept it",
  mermaid: 'a picture',
  text: 'prose',
};

it('every block has a language that is checked', () => {
  const known = ['sh', 'console', 'yaml', ...Object.keys(NOT_RUN)];
  const unknown = all.filter(({ language }) => !known.includes(language));
  expect(unknown.map(({ page, whole }) => `${page}: ${whole}`)).toEqual([]);
});

const played = pages.filter((page) => blocksOf(pageAt(page)).some(({ language }) => /^(sh|console)$/.test(language)));

// Pages wait for operations most of the time.
describe.concurrent.each(played)('%s', { timeout: 300_000 }, (page) => {
  it('does what it says, and prints what it shows', async () => {
    const text = pageAt(page);
    const actual = await playPage(text);
    if (process.env['UPDATE'] === '1') writeFileSync(join(root, page), actual);
    else expect(shapeOf(actual)).toBe(shapeOf(text));
  });
});

describe('YAML', () => {
  const isQuoted = ({ name }: Block): boolean => name !== '' && existsSync(join(root, name));
  it('that a page quotes stands in the file', () => {
    for (const { name, body } of blocksIn('yaml').filter(isQuoted))
      expect(isPartOf(body, pageAt(name)), body).toBe(true);
  });

  const written = blocksIn('yaml').filter((block) => !isQuoted(block));
  it.each(written.map(({ page, name, body }) => [`${page} ${name}`, body] as const))(
    'of %s is valid',
    async (_, body) => {
      const cwd = newFolder('yaml');
      writeFileSync(join(cwd, 'trueup.yaml'), /^version:/m.test(body) ? body : `version: 1\n${body}`);
      const { code, err } = await play(['validate'], { cwd, env: VARIABLES });
      expect(code, err).toBe(0);
    },
  );
});

/** What the pages' files leave to the command line. */
const VARIABLES = {
  TRUEUP_VAR_project_id: 'spring-example-302709',
  TRUEUP_VAR_branch_id: 'br-wispy-meadow-118737',
  TRUEUP_VAR_PR: '142',
  TRUEUP_VAR_OPEN_PRS: '[142]',
  TRUEUP_VAR_OPEN_BRANCHES: '[]',
};

/** True when the file has these lines, one below the other, all of them indented by the same. */
function isPartOf(body: string, file: string): boolean {
  const lines = body.trimEnd().split('\n');
  return [0, 2, 4, 6, 8, 10].some((indent) =>
    file.includes(lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('')),
  );
}

it('JSON parses', () => {
  for (const { body } of blocksIn('json')) expect(JSON.parse(body)).toBeTypeOf('object');
});

describe('programs', () => {
  it('of TypeScript type-check against what is published', async () => {
    built();
    const folder = newFolder('consumer');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/trueup'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [at, { body }] of blocksIn('ts').entries())
      writeFileSync(join(folder, `block-${at}.ts`), `${body}\nexport {};\n`);
    const published = { strict: true, noEmit: true, target: 'es2023', module: 'nodenext' };
    const compilerOptions = { ...published, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    expect(stdout).toBe('');
  });

  it('of JavaScript are accepted by Node', () => {
    for (const { body } of blocksIn('js')) {
      const file = join(newFolder('js'), 'block.mjs');
      writeFileSync(file, body);
      expect(execFileSync(process.execPath, ['--check', file], { encoding: 'utf8' })).toBe('');
    }
  });
});

it('what Terraform lets go of is the same by block and by command, and destroyed by no block', () => {
  for (const { page, body } of blocksIn('hcl')) {
    const removed = [...body.matchAll(/^ {2}from = (\S+)$/gm)].map(([, address]) => address);
    const kept = body.match(/^removed \{\n {2}from = neon_\w+\.\w+\n {2}lifecycle \{ destroy = false \}\n\}$/gm) ?? [];
    expect(kept).toHaveLength(removed.length);
    const [, words] = /^terraform state rm (.+)$/m.exec(pageAt(page)) ?? [];
    expect(words === undefined ? removed : words.split(' ')).toEqual(removed);
  }
});
