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
  const violations: readonly { name: string; path: string; text: string; says: string }[] = [
    {
      name: 'a lower layer imports a higher one',
      path: 'model/a.ts',
      text: "import '../plan/b.ts';",
      says: 'model may not import plan',
    },
    {
      name: 'two packages of one layer',
      path: 'plan/a.ts',
      text: "import { b } from '../config/b.ts';",
      says: 'plan may not import config',
    },
    {
      name: 'the model and the types of the wire',
      path: 'api/a.ts',
      text: "export * from '../model/b.ts';",
      says: 'api may not import model',
    },
    {
      name: 'a type-only import',
      path: 'base/a.ts',
      text: "import type { B } from '../model/b.ts';",
      says: 'base may not import model',
    },
    {
      name: 'an import() type',
      path: 'base/a.ts',
      text: "export type B = import('../model/b.ts').B;",
      says: 'base may not import model',
    },
    {
      name: 'a dynamic import',
      path: 'apply/a.ts',
      text: "await import('../kinds/index.ts');",
      says: 'apply may not import kinds',
    },
    {
      name: 'the reconciler from below',
      path: 'kinds/compute/a.ts',
      text: "import '../../reconciler/index.ts';",
      says: 'may not import reconciler',
    },
    {
      name: 'the local server and the client',
      path: 'control-plane/a.ts',
      text: "import '../client/b.ts';",
      says: 'control-plane may not import client',
    },
    {
      name: 'the client and the local server',
      path: 'client/a.ts',
      text: "import '../control-plane/b.ts';",
      says: 'client may not import control-plane',
    },
    {
      name: 'the local server and the model',
      path: 'control-plane/a.ts',
      text: "import '../model/b.ts';",
      says: 'control-plane may not import model',
    },
    {
      name: 'the reconciler and the local server',
      path: 'reconciler/index.ts',
      text: "import '../control-plane/index.ts';",
      says: 'reconciler may not import control-plane',
    },
    {
      name: 'one kind and its neighbour',
      path: 'kinds/compute/a.ts',
      text: "import '../api-key/b.ts';",
      says: 'kinds/compute may not import kinds/api-key',
    },
    {
      name: 'the shared files of kinds and a kind',
      path: 'kinds/shared/a.ts',
      text: "import '../compute/b.ts';",
      says: 'kinds/shared may not import kinds/compute',
    },
    {
      name: 'the library and the command line',
      path: 'reconciler/index.ts',
      text: "import '../cli/main.ts';",
      says: 'reconciler may not import cli',
    },
    { name: 'an unknown package', path: 'attic/a.ts', text: 'export {};', says: 'no package "attic"' },
  ];
  it.each(violations)('$name', ({ path, text, says }) => {
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

describe('what the layer map allows stays allowed', () => {
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
  it.each(fine)('%s imports %s', (path, specifier) => {
    expect(layerViolations([parseSource(path, `import '${specifier}';`)])).toEqual([]);
  });
});
