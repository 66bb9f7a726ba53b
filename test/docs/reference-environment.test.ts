// The page of exit codes and environment has every code that the program ends with and every variable that it reads, and no other.
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/process/exit-code.ts';
import { filesBelow } from '../architecture/source-tree.ts';
import { pageAt } from './committed.ts';

const [codes = '', environment = ''] = pageAt('docs/reference/exit-codes-and-environment.md').split('## Environment');

/** The first cells of a table. */
const rows = (text: string): readonly string[] =>
  [...text.matchAll(/^\| (.+?) +\|/gm)]
    .map(([, cell = '']) => cell)
    .filter((cell) => !/^-+$|^(code|variable)$/.test(cell));

/** Node.js itself reads it. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS'];

/** Every way in which a source file names a variable. */
function variablesIn(text: string): readonly string[] {
  const named = [
    ...text.matchAll(/\benv\['(\w+)'\]/g),
    ...text.matchAll(/'((?:TRUEUP|NEON|NODE|XDG)_[A-Z_]+)'/g),
    ...text.matchAll(/'((?:no|https?)_proxy)'/gi),
  ].map(([, name = '']) => name);
  const inFiles = [...text.matchAll(/keyInEnvironment\([^']*'([A-Z_]+)'/g)].map(([, name = '']) => `${name}_FILE`);
  const taken = [...text.matchAll(/\{([^{}]*)\}(?: = env\b|: Variables\b)/g)].flatMap(([, members = '']) =>
    [...members.matchAll(/\b([A-Z][A-Z_]+)\b/g)].map(([, name = '']) => name),
  );
  return [...named, ...inFiles, ...taken].map((name) => (name.endsWith('_') ? `${name}*` : name));
}

describe('the page', () => {
  it('has each exit code', () => {
    const told = rows(codes).flatMap((cell) => cell.split(', ').map(Number));
    expect(new Set(told)).toEqual(new Set(Object.values(exitCodes)));
  });

  it('has each variable that src reads', () => {
    const read = filesBelow('src', '.ts').flatMap((path) => variablesIn(pageAt(`src/${path}`)));
    const told = rows(environment).flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    expect(told.toSorted()).toEqual([...new Set([...read, ...OF_NODE])].sort());
  });
});
