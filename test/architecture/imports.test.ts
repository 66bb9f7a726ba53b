// Imports: one file per npm package, no Node module in the pure packages, time and chance as parameters.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeViolations, openingViolations, npmViolations, unusedPackages } from './rules/imports.ts';
import { reachViolations } from './rules/reaches.ts';
import { parseSource, readSourceTree, root } from './source-tree.ts';

const tree = readSourceTree();
const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { dependencies: Record<string, string> };

describe('the tree', () => {
  it('imports each npm package through one file of a package', () => {
    expect(npmViolations(tree)).toEqual([]);
  });

  it('uses every dependency that it asks users to install', () => {
    expect(unusedPackages(tree, Object.keys(manifest.dependencies))).toEqual([]);
  });

  it('imports Node modules only where the layer map allows it', () => {
    expect(nodeViolations(tree)).toEqual([]);
  });

  it('opens files that users name in one module', () => {
    expect(openingViolations(tree)).toEqual([]);
  });

  it('takes time, chance and locale as parameters', () => {
    expect(reachViolations(tree)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  const packages: readonly (readonly [path: string, text: string, says: string])[] = [
    ['plan/a.ts', "import { parse } from 'yaml';", 'yaml belongs to config/, control-plane/'],
    ['client/a.ts', "import { Hono } from 'hono/tiny';", 'hono belongs to control-plane/'],
    [
      'control-plane/a.ts',
      "import { serve } from '@hono/node-server';\nimport 'left-pad';",
      'no package imports left-pad',
    ],
    ['model/a.ts', "export type A = import('undici').Agent;", 'undici belongs to client/'],
  ];
  it.each(packages)('%s: %s', (path, text, says) => {
    expect(npmViolations([parseSource(path, text)]).join('\n')).toContain(says);
  });

  it('one npm package imported by two files', () => {
    const twice = ['config/a.ts', 'config/b.ts'].map((path) => parseSource(path, "import 'yaml';"));
    expect(npmViolations(twice)).toEqual(['yaml is imported by config/ in 2 files: config/a.ts, config/b.ts']);
  });

  it('a dependency that nothing imports', () => {
    expect(unusedPackages([parseSource('config/a.ts', "import 'yaml';")], ['yaml', 'diff'])).toEqual(['diff']);
  });

  const machine: readonly (readonly [path: string, specifier: string, says: string])[] = [
    ['plan/a.ts', 'node:util', 'plan/ is pure'],
    ['model/a.ts', 'node:crypto', 'model/ is pure'],
    ['render/a.ts', 'node:fs', 'render/ may not import node:fs'],
    ['kinds/compute/a.ts', 'node:child_process', 'kinds/ may not import node:child_process'],
    ['apply/a.ts', 'fs', 'write node:fs'],
    ['apply/a.ts', 'node:timers/promises', 'apply/ may not import node:timers/promises'],
  ];
  it.each(machine)('%s imports %s', (path, specifier, says) => {
    expect(nodeViolations([parseSource(path, `import '${specifier}';`)]).join('\n')).toContain(says);
  });

  it('a file that another module opens', () => {
    const text = "import { readFileSync } from 'node:fs';";
    expect(openingViolations([parseSource('cli/a.ts', text)])).toEqual([
      'cli/a.ts: open it by base/files/plain-file.ts',
    ]);
    expect(openingViolations([parseSource('base/files/plain-file.ts', text)])).toEqual([]);
  });

  const reaches: readonly (readonly [text: string, says: string])[] = [
    ['export const a = Date.now();', 'Date.now: time'],
    ['export const a = new Date();', 'the date of now: time'],
    ['export const a = Date();', 'the date of now: time'],
    ['export const a = Math.random();', 'Math.random: chance'],
    ["import { randomUUID } from 'node:crypto';", 'randomUUID: chance'],
    ['export const a = crypto.getRandomValues(b);', 'getRandomValues: chance'],
    ['export const a = AbortSignal.timeout(5);', 'AbortSignal.timeout: time'],
    ['export const a = [b].sort((x, y) => x.localeCompare(y));', 'localeCompare: locale'],
    ['export const a = (5000).toLocaleString();', 'toLocaleString: locale'],
    ["import { env } from 'node:process';", 'node:process env: environment'],
    ["import process from 'node:process';", 'node:process default: environment'],
  ];
  it.each(reaches)('%s', (text, says) => {
    expect(reachViolations([parseSource('apply/a.ts', text)]).join('\n')).toContain(says);
  });

  const fine: readonly string[] = [
    'export const a = new Date(5).toISOString();',
    "export const a = (5000).toLocaleString('en-US');",
    "import { kill, pid } from 'node:process';",
  ];
  it.each(fine)('but this is none: %s', (text) => {
    expect(reachViolations([parseSource('apply/a.ts', text)])).toEqual([]);
  });
});
