// The lanes: a test that starts the built program, a browser, a database or a tool has the suffix `.slow.test.ts`.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, root } from './source-tree.ts';

/** Modules that start a process or lead to one. */
const STARTERS: readonly string[] = ['node:child_process', 'playwright-core', 'pg'];
/** Unit tests whose subject is a small program that ends within milliseconds: git, or the program of a sink. */
const SMALL = /^(unit|flows)\/(apply|cli)\//;
/** Helpers that run the built program, whoever asks for them. */
const BUILT = /^(e2e\/support|package|gitops\/support)\//;

interface Reached {
  readonly files: readonly string[];
  readonly modules: readonly string[];
  /** Modules of the program that a test or its helpers import. */
  readonly sources: readonly string[];
}

describe('the fast lane', () => {
  it('starts no process', () => {
    const violations = filesBelow('test', '.test.ts')
      .filter((path) => !path.endsWith('.slow.test.ts') && !path.startsWith('bench/'))
      .flatMap((path) => offencesOf(path, reach(path)));
    expect(violations).toEqual([]);
  });

  it('runs no local server in a unit test: such a test is a flow', () => {
    const flows = filesBelow('test/unit', '.test.ts').filter((path) =>
      reach(`unit/${path}`).sources.some((source) => source.startsWith('src/control-plane/')),
    );
    expect(flows).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  it('a test that starts a process', () => {
    expect(offencesOf('outputs/a.test.ts', { files: [], modules: ['node:child_process'] })).toEqual([
      'outputs/a.test.ts reaches node:child_process: call it outputs/a.slow.test.ts',
    ]);
  });

  it('a unit test that starts the built program', () => {
    const helper = 'e2e/support/program.ts';
    expect(offencesOf('unit/apply/a.test.ts', { files: [helper], modules: [] })).toEqual([
      `unit/apply/a.test.ts reaches ${helper}: call it unit/apply/a.slow.test.ts`,
    ]);
  });

  it('but not a unit test that starts a small program', () => {
    expect(offencesOf('unit/apply/a.test.ts', { files: [], modules: ['node:child_process'] })).toEqual([]);
  });
});

function offencesOf(path: string, { files, modules }: Pick<Reached, 'files' | 'modules'>): string[] {
  const starters = SMALL.test(path) ? [] : modules.filter((name) => STARTERS.includes(name));
  const name = path.replace(/\.test\.ts$/, '.slow.test.ts');
  return [...starters, ...files.filter((file) => BUILT.test(file))].map(
    (reached) => `${path} reaches ${reached}: call it ${name}`,
  );
}

/** Every file below test/ and every module that a test imports, itself or through its helpers. */
function reach(path: string): Reached {
  const files = new Set<string>();
  const modules = new Set<string>();
  const sources = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const specifier of importsOf(file)) {
      const target = join(dirname(file), specifier);
      if (!specifier.startsWith('.')) modules.add(specifier);
      else if (target.startsWith('../src/')) sources.add(target.slice('../'.length));
      else if (!target.startsWith('..') && existsSync(join(root, 'test', target))) visit(target);
    }
  };
  visit(path);
  return { files: [...files].sort(), modules: [...modules].sort(), sources: [...sources].sort() };
}

const known = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const seen = known.get(file);
  if (seen !== undefined) return seen;
  const text = readFileSync(join(root, 'test', file), 'utf8');
  const specifiers = [...text.matchAll(/^(?:import|export|\}) (?!type\b)(?:[^;]*?from )?'([^']+)';$/gm)].map(
    ([, specifier = '']) => specifier,
  );
  known.set(file, specifiers);
  return specifiers;
}
