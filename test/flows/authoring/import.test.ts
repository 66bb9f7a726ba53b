// `trueup import` and what is there already: nothing is written over, nothing is listed twice.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deskBefore, shopDesk } from './desk.ts';

describe('--out-dir', () => {
  it('writes no file when one of them is there', async () => {
    const { cwd, run, write } = shopDesk();
    mkdirSync(join(cwd, 'out'));
    write('out/shop.yaml', 'mine');
    const { code, err } = await run(['import', '--local', '--out-dir', 'out']);
    expect(code).toBe(1);
    expect(err).toContain('out/shop.yaml');
    expect(readdirSync(join(cwd, 'out'))).toEqual(['shop.yaml']);
  });
});

describe('the files that are there', () => {
  it('are read with their variables, and an error in them ends it before anything is sent', async () => {
    const { run, write } = shopDesk();
    write('trueup.yaml', 'version: 1\nprojects: { shop: { computes: { p: { id: "${var:ID}" } } } }\n');
    expect(await run(['import', '--local'])).toMatchObject({ code: 1, out: '' });
    const { code, out } = await run(['import', '--local', '--var', 'ID=ep-cool-darkness-123456', '--project', 'shop']);
    expect(code).toBe(0);
    expect(out).toContain('ep-quiet-hill-000001');
    expect(out).not.toContain('ep-cool-darkness-123456');
  });

  it('and declare computes on branches by their names: those are known, and none of their branches is imported', async () => {
    const { run, write } = deskBefore(
      'version: 1\nprojects: [{ name: shop, branches: [{ name: main, default: true }, { name: staging }], computes: [{ branch: main }, { branch: main, type: read_only }] }]\n',
    );
    const branches = '{ main: { default: true } }';
    write(
      'trueup.yaml',
      `version: 1\nprojects: { shop: { branches: ${branches}, computes: { p: { branch: main }, r: { branch: main, type: read_only } } } }\n`,
    );
    const { code, out, err } = await run(['import', '--local', '--project', 'shop']);
    expect(code).toBe(0);
    expect(out).not.toMatch(/ep-|staging/);
    expect(err).toContain('Nothing to import');
  });

  it('may come from standard input', async () => {
    const { run } = shopDesk();
    const text = 'version: 1\nprojects: { shop: { computes: { primary: { branch: br-wispy-meadow-118737 } } } }\n';
    const { code, out } = await run(['import', '--local', '-f', '-', '--project', '*'], text);
    expect(code).toBe(0);
    expect(out).toContain('  shop:\n    id: spring-example-302709\n    computes:\n      replica-1:\n');
  });

  it('keep their labels: an imported compute takes the next free one', async () => {
    const { run, write } = shopDesk();
    write(
      'trueup.yaml',
      'version: 1\nprojects: { shop: { computes: { replica-1: { branch: br-wispy-meadow-118737 } } } }\n',
    );
    const { out } = await run(['import', '--local', '--project', 'shop']);
    expect(out).toContain('replica-2:\n        id: ep-quiet-hill-000001');
  });

  it('that expect another account keep it from being read', async () => {
    const { run, write } = shopDesk();
    write('trueup.yaml', 'version: 1\nexpect: { has_project: other-project-1 }\n');
    expect(await run(['import', '--local'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('other-project-1') as string,
    });
  });

  it('and hold the place of a primary: another that stands there is left out', async () => {
    const { run, write } = shopDesk();
    write(
      'trueup.yaml',
      'version: 1\nprojects: { shop: { computes: { p: { id: ep-quiet-hill-000001, branch: br-wispy-meadow-118737 } } } }\n',
    );
    const { out, err } = await run(['import', '--local', '--project', 'shop']);
    expect(out).toBe('');
    expect(err).toContain('ep-cool-darkness-123456');
  });
});

it('what a shell has just made for the output is no file yet', async () => {
  const { run, write } = shopDesk();
  write('trueup.yaml', '');
  expect(await run(['import', '--local'])).toMatchObject({ code: 0 });
});

it('a glob that matches no project is an error', async () => {
  const { run } = shopDesk();
  expect(await run(['import', '--local', '--project', 'shpo'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('no project matches shpo') as string,
  });
});

it('a name that no file can hold is left out, and nothing else', async () => {
  const { run } = deskBefore(`version: 1
projects:
  - id: spring-example-302709
    name: shop
    branches: [{ id: br-wispy-meadow-118737, name: main, default: true }]
    computes:
      - { id: ep-cool-darkness-123456, branch: main, name: "bell\\a", autoscaling_limit_max_cu: 4 }
`);
  const { code, out, err } = await run(['import', '--local', '--attributes', 'full']);
  expect(code, err).toBe(0);
  expect(out).toContain('autoscaling_limit_max_cu: 4');
  expect(out).not.toContain('bell');
  expect(err).toContain('name of shop/primary is left out');
});

it('branches, roles and databases of any name are written so that nothing is planned; what no file can hold is left out', async () => {
  const { run, write } = deskBefore(`version: 1
projects:
  - id: spring-example-302709
    name: shop
    branches:
      - id: br-wispy-meadow-118737
        name: main
        default: true
        roles: [{ name: app }, { name: "\${var:X}" }, { name: "$\${x}" }, { name: __proto__ }, { name: constructor }]
        databases: [{ name: "\${HOME}", owner_name: __proto__ }, { name: __proto__, owner_name: app }]
      - { id: br-calm-sea-220011, name: br-calm-sea-220011 }
      - { id: br-old-river-991122, name: __proto__ }
`);
  const imported = await run(['import', '--local', '--include', 'branches,roles,databases']);
  expect(imported.code, imported.err).toBe(0);
  expect(imported.out).toContain(
    '      branch-calm-sea-220011:\n        id: br-calm-sea-220011\n        name: br-calm-sea-220011',
  );
  expect(imported.out).toContain('          "$${var:X}": {}\n');
  expect(imported.out).toContain('          "$$${x}": {}\n');
  expect(imported.err.replaceAll(/\s+/g, ' ').match(/a file cannot hold the name "__proto__"/g)).toHaveLength(2);
  write('trueup.yaml', imported.out);
  const planned = await run(['plan', '--local', '--detailed-exitcode']);
  expect(planned.code, planned.out + planned.err).toBe(0);
});

const BRANCHES = `version: 1
projects:
  - id: spring-example-302709
    name: shop
    branches:
      - { id: br-wispy-meadow-118737, name: main, default: true }
      - { id: br-calm-sea-220011, name: staging }
      - { id: br-old-river-991122, name: ep-odd }
      - { id: br-bold-surf-994395, name: preview-of-a-very-long-feature-name-that-somebody-wrote-in-full }
    computes:
      - { id: ep-cool-darkness-123456, branch: main }
      - { id: ep-bright-forest-654321, branch: staging, name: "bell\\a", autoscaling_limit_max_cu: 4 }
      - { id: ep-quiet-hill-000001, branch: staging, type: read_only }
      - { id: ep-old-sun-654321, branch: ep-odd }
      - { id: ep-calm-pond-000001, branch: preview-of-a-very-long-feature-name-that-somebody-wrote-in-full }
      - { id: ep-calm-pond-000002, branch: preview-of-a-very-long-feature-name-that-somebody-wrote-in-full, type: read_only }
`;

describe('computes are called after their branches', () => {
  const labelsIn = (text: string): readonly string[] =>
    [...text.matchAll(/^ {6}(\S+):$/gm)].map(([, label = '']) => label);

  it('of any name, with all that can be managed, and nothing is planned then', async () => {
    const { run, write } = deskBefore(BRANCHES);
    const { code, out, err } = await run(['import', '--local', '--include', 'branches', '--attributes', 'full']);
    expect(code, err).toBe(0);
    expect(labelsIn(out.slice(out.indexOf('    computes:')))).toEqual([
      'preview-of-a-very-long-feature-name-that-primary',
      'staging-primary',
      'primary-old-river-991122',
      'primary',
      'preview-of-a-very-long-feature-name-that-replica-1',
      'staging-replica-1',
    ]);
    expect(out).toContain('autoscaling_limit_max_cu: 4');
    write('trueup.yaml', out);
    const planned = await run(['plan', '--local', '--detailed-exitcode']);
    expect(planned.code, planned.out + planned.err).toBe(0);
  });

  it('and a branch never takes a label that the files have for another', async () => {
    const { run, write } = deskBefore(BRANCHES);
    write(
      'trueup.yaml',
      'version: 1\nprojects: { shop: { branches: { staging: br-wispy-meadow-118737 }, computes: { staging-2-primary: { branch: br-wispy-meadow-118737 } } } }\n',
    );
    const { code, out, err } = await run(['import', '--local', '--include', 'branches']);
    expect(code, err).toBe(0);
    expect(out).toContain('staging-2:\n        id: br-calm-sea-220011\n        name: staging\n');
    expect(labelsIn(out)).toContain('staging-2-primary-2');
    expect(labelsIn(out)).toContain('staging-2-replica-1');
    write('more.yaml', out);
    const planned = await run(['plan', '--local', '-f', 'trueup.yaml', '-f', 'more.yaml', '--detailed-exitcode']);
    expect(planned.code, planned.out + planned.err).toBe(0);
  });
});
