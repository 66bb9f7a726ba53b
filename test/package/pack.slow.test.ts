// The published shape: what a user gets from the registry installs, runs and type-checks in an empty folder.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';
import { installPacked, run, type Consumer } from './consumer.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
};

let consumer: Consumer;
beforeAll(async () => {
  consumer = await installPacked(root);
}, 180_000);
afterAll(() => rmSync(consumer.folder, { recursive: true, force: true }));

const evaluated = (script: string): ReturnType<typeof run> =>
  run(process.execPath, ['--input-type=module', '-e', script], consumer.folder);
const installed = (...parts: string[]): string => join(consumer.folder, 'node_modules', 'trueup', ...parts);

describe('the tarball', () => {
  it('holds the program, its schemas, examples and papers, and nothing else', () => {
    const paths = consumer.tarball.files.map(({ path }) => path);
    for (const needed of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/reconciler/index.js'])
      expect(paths).toContain(needed);
    const known =
      /^(dist\/.+\.(js|d\.ts)|dist\/cli\/package\.json|schemas\/.+\.json|examples\/.+|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
    expect(paths.filter((path) => !known.test(path))).toEqual([]);
  });

  it('is small', () => {
    expect(consumer.tarball.unpackedSize).toBeLessThan(9_000_000);
  });

  it('has a program that can be executed', () => {
    expect(consumer.tarball.files.find(({ path }) => path === 'dist/cli/bin.js')?.mode).toBe(0o755);
    expect(readFileSync(installed('dist', 'cli', 'bin.js'), 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  it('names no folder of the machine that built it', () => {
    const scripts = consumer.tarball.files.filter(({ path }) => path.startsWith('dist/'));
    expect(scripts.filter(({ path }) => readFileSync(installed(path), 'utf8').includes(root))).toEqual([]);
  });

  it('has nothing that publint would mend', async () => {
    const { messages } = await publint({ pkgDir: installed(), pack: false, strict: true });
    const pkg = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>;
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});

describe('the program', () => {
  it('says its version', async () => {
    const { code, output } = await run('npx', ['--no-install', 'trueup', '--version'], consumer.folder);
    expect({ code, output: output.trim() }).toEqual({ code: 0, output: manifest.version });
  });

  it('says what it can do', async () => {
    const { code, output } = await run('npx', ['--no-install', 'trueup', '--help'], consumer.folder);
    expect(code).toBe(0);
    for (const command of ['plan', 'apply', 'drift', 'serve'])
      expect(output).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
  });
});

// In two halves, so that the law against silenced compilers does not mistake this string for an offence.
const REFUSED = ['// @ts-', 'expect-error the types are real: a nonsense option is refused'].join('');
const USE = `import { createReconciler } from 'trueup';
import { createControlPlane } from 'trueup/control-plane';
export const reconciler: ReturnType<typeof createReconciler> | undefined = undefined;
export const controlPlane: ReturnType<typeof createControlPlane> | undefined = undefined;
${REFUSED}
createReconciler({ nonsense: 1 });
`;

describe('the library', () => {
  it('type-checks under the strictest settings, its own declarations and those it leans on included', async () => {
    writeFileSync(join(consumer.folder, 'use.ts'), USE);
    const strictest = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const target = { target: 'es2023', lib: ['es2023'], module: 'nodenext', types: ['node'] };
    const typeRoots = [join(root, 'node_modules', '@types')];
    const compilerOptions = { ...strictest, ...target, skipLibCheck: false, noEmit: true, typeRoots };
    writeFileSync(join(consumer.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(await run(process.execPath, [tsc, '-p', '.'], consumer.folder)).toEqual({ code: 0, output: '' });
  });

  it.each(Object.keys(manifest.exports).filter((entry) => !entry.includes('*') && entry !== './package.json'))(
    'opens the door %s',
    async (entry) => {
      const specifier = entry.replace(/^\./, 'trueup');
      const script = `const door = await import('${specifier}'); console.log(Object.keys(door).length > 0);`;
      expect(await evaluated(script)).toEqual({ code: 0, output: 'true\n' });
    },
  );

  it('gives the schemas to editors', async () => {
    const script = "console.log(import.meta.resolve('trueup/schemas/desired-state.schema.json').startsWith('file:'));";
    expect(await evaluated(script)).toEqual({ code: 0, output: 'true\n' });
  });
});
