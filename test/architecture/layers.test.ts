// The layers: who may import whom, on the real tree and on planted violations.
import { describe, expect, it } from 'vitest';
import { localServer, layers } from './layer-map.ts';
import { cycleViolations, layerViolations, serverViolations } from './rules/layers.ts';
import { filesBelow, parseSource, readSourceTree } from './source-tree.ts';

const tree = readSourceTree();

describe('the tree', () => {
  it('imports only from lower layers or its own package', () => {
    expect(layerViolations(tree)).toEqual([]);
  });

  it('imports only from lower layers inside the local server', () => {
    expect(serverViolations(tree)).toEqual([]);
  });

  it('has no cycles of imports', () => {
    expect(cycleViolations(tree)).toEqual([]);
  });

  it('has no package that the layer map does not know', () => {
    const known = new Set([...layers.flat(), localServer.folder]);
    const folders = new Set(filesBelow('src', '.ts').map((path) => path.split('/')[0]?.replace(/\.ts$/, '') ?? ''));
    expect([...folders].filter((folder) => !known.has(folder))).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  it.each([
    ['model/a.ts', "import '../plan/b.ts';", 'model may not import plan'],
    ['plan/a.ts', "import { b } from '../config/b.ts';", 'plan may not import config'],
    ['base/a.ts', "import type { B } from '../model/b.ts';", 'base may not import model'],
    ['base/a.ts', "export type B = import('../model/b.ts').B;", 'base may not import model'],
    ['api/a.ts', "export * from '../model/b.ts';", 'api may not import model'],
    ['apply/a.ts', "await import('../kinds/index.ts');", 'apply may not import kinds'],
    ['control-plane/a.ts', "import '../client/b.ts';", 'control-plane may not import client'],
    ['kinds/compute/a.ts', "import '../api-key/b.ts';", 'kinds/compute may not import kinds/api-key'],
    ['kinds/shared/a.ts', "import '../compute/b.ts';", 'kinds/shared may not import kinds/compute'],
    ['attic/a.ts', 'export {};', 'no package "attic"'],
  ])('in %s: %s', (path, text, says) => {
    expect(layerViolations([parseSource(path, text)]).join('\n')).toContain(says);
  });

  it.each([
    ['core/a.ts', '../resources/b.ts', 'core may not import resources'],
    ['resources/key/a.ts', '../../api/b.ts', 'resources may not import api'],
    ['api/a.ts', '../faults/b.ts', 'api may not import faults'],
    ['faults/a.ts', '../control-plane.ts', 'faults may not import control-plane.ts'],
    ['console/a.ts', '../postgres/b.ts', 'console may not import postgres'],
    ['attic/a.ts', '../core/b.ts', 'no layer "attic"'],
  ])('inside the local server: %s imports %s', (path, specifier, says) => {
    const file = parseSource(`control-plane/${path}`, `import '${specifier}';`);
    expect(serverViolations([file]).join('\n')).toContain(says);
  });

  it('a cycle of three files', () => {
    const cycle = [
      parseSource('plan/a.ts', "import './b.ts';"),
      parseSource('plan/b.ts', "import type { C } from './deep/c.ts';"),
      parseSource('plan/deep/c.ts', "export * from '../a.ts';"),
    ];
    expect(cycleViolations(cycle)).toEqual(['plan/a.ts -> plan/b.ts -> plan/deep/c.ts -> plan/a.ts']);
  });
});

const fine: readonly (readonly [path: string, specifier: string])[] = [
  ['plan/a.ts', '../model/b.ts'],
  ['plan/deep/a.ts', '../b.ts'],
  ['apply/a.ts', '../client/b.ts'],
  ['kinds/compute/a.ts', '../shared/b.ts'],
  ['kinds/index.ts', './compute/index.ts'],
  ['reconciler/index.ts', '../kinds/index.ts'],
  ['cli/serve.ts', '../control-plane/index.ts'],
  ['control-plane/a.ts', '../api/b.ts'],
];

it.each(fine)('what the layer map allows stays allowed: %s imports %s', (path, specifier) => {
  expect(layerViolations([parseSource(path, `import '${specifier}';`)])).toEqual([]);
});
