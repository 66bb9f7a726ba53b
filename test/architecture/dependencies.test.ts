// What users install with trueup: no install scripts, free licences, engines that our own engine range covers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source-tree.ts';

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');
const shipped = installed.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);

describe('the packages that users install', () => {
  it('run no script on installation', () => {
    expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([]);
  });

  it('have licences that may be combined with Apache-2.0', () => {
    const free = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0']);
    expect(shipped.filter(([, { license }]) => !free.has(license ?? 'none')).map(([path]) => path)).toEqual([]);
  });

  it('are few', () => {
    expect(shipped.length).toBeLessThanOrEqual(45);
  });
});

it('the lock file takes everything from the public registry, with a digest', () => {
  const odd = installed.filter(
    ([, { resolved, integrity }]) =>
      resolved?.startsWith('https://registry.npmjs.org/') === false || integrity?.startsWith('sha512-') !== true,
  );
  expect(odd.map(([path]) => path)).toEqual([]);
});

it('the lock file is complete so that `npm ci` works on every platform, also for packages that only other platforms install', () => {
  const missing = installed.flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

it('package.json runs no script where the package is installed from the registry', () => {
  const onInstall = ['preinstall', 'install', 'postinstall'];
  expect(Object.keys(manifest.scripts).filter((name) => onInstall.includes(name))).toEqual([]);
});

/** Would Node find `name` from the package at `path`, going up folder by folder? */
function isLocked(path: string, name: string): boolean {
  const parts = path.split('/node_modules/');
  const prefixes = parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'));
  return [...prefixes.map((prefix) => `${prefix}/node_modules/${name}`), `node_modules/${name}`].some(
    (candidate) => lock.packages[candidate] !== undefined,
  );
}

describe('whoever works on this repository', () => {
  it('keeps the own word on whether scripts of packages are run', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).not.toContain('ignore-scripts');
  });

  it('is given no script that runs before or after another, which that word would leave out, but for packing', () => {
    const names = Object.keys(manifest.scripts);
    const hooks = names.filter((name) => names.some((other) => name === `pre${other}` || name === `post${other}`));
    expect(hooks).toEqual([]);
  });
});
