// Names: no file below the kinds names a kind, and nothing unfinished or silenced stays anywhere.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unfinishedViolations, type TextFile } from './rules/unfinished.ts';
import { kindNameViolations } from './rules/kind-names.ts';
import { filesBelow, parseSource, readSourceTree, root } from './source-tree.ts';

const read = (folder: string, extension: string): TextFile[] =>
  filesBelow(folder, extension).map((path) => ({
    path: `${folder}/${path}`,
    text: readFileSync(`${root}/${folder}/${path}`, 'utf8'),
  }));

describe('the tree', () => {
  it('does not name a kind below the kinds', () => {
    expect(kindNameViolations(readSourceTree())).toEqual([]);
  });

  it('keeps nothing unfinished, switched off or silenced', () => {
    const files = [...read('src', '.ts'), ...read('test', '.ts'), ...read('schemas', '.json'), ...read('docs', '.md')];
    expect(unfinishedViolations(files)).toEqual([]);
  });
});

describe('a planted name is found', () => {
  const told: readonly (readonly [path: string, text: string])[] = [
    ['plan/a.ts', '// matches a compute\n'],
    ['model/a.ts', 'export const computeSize = 1;\n'],
    ['apply/a.ts', "export const path = '/endpoints';\n"],
    ['client/a.ts', 'export const hasApiKey = true;\n'],
    ['config/a.ts', "export const section = 'api_keys';\n"],
    ['plan/a.ts', 'export const branchId = 1;\n'],
    ['model/a.ts', "export const word = 'no_primary';\n"],
    ['apply/a.ts', '// the connections of a pool\n'],
    ['config/a.ts', "export const section = 'roles';\n"],
    ['client/a.ts', '// the branch of an operation\n'],
  ];
  it.each(told)('in %s: %s', (path, text) => {
    expect(kindNameViolations([parseSource(path, text)])).toHaveLength(1);
  });

  const fine: readonly (readonly [path: string, text: string])[] = [
    ['apply/a.ts', 'export const endpoint_id = 1;\n'],
    ['plan/a.ts', '// a computed default\n'],
    ['kinds/compute/a.ts', '// the compute\n'],
    ['cli/a.ts', '// TRUEUP_API_KEY\n'],
    ['kinds/role/a.ts', '// the role of a database\n'],
    ['reconciler/index.ts', '// the files of another branch\n'],
    ['client/a.ts', '// a connection to the host\n'],
    ['plan/a.ts', '// hostile input, primarily\n'],
    ['render/a.ts', `export const svg = '<svg role="img">';\n`],
  ];
  it.each(fine)('and stays allowed in %s: %s', (path, text) => {
    expect(kindNameViolations([parseSource(path, text)])).toEqual([]);
  });
});

const lapses: readonly string[] = [
  ['// TO', 'DO: later'],
  ['it.sk', "ip('x', () => {});"],
  ['describe.on', "ly('x', () => {});"],
  ['// oxlint-dis', 'able-next-line'],
  ['// @ts-ign', 'ore'],
  ['// prettier-ign', 'ore'],
  ['  debug', 'ger;'],
  ['<<<<', '<<< HEAD'],
].map((halves) => halves.join(''));

it.each(lapses)('a planted remnant is found: %s', (text) => {
  expect(unfinishedViolations([{ path: 'a.ts', text }])).toHaveLength(1);
});
