// Words of other tools are refused, and those of this one are not.
import { describe, expect, it } from 'vitest';
import { normaliseArguments } from '../../../src/cli/program/flags.ts';
import { refuseForeignWords } from '../../../src/cli/program/foreign-words.ts';
import { UsageError } from '../../../src/cli/process/exit-code.ts';
import { silentProgram } from '../../support/silent-program.ts';

const program = silentProgram();
const isRefused = (line: readonly string[]): boolean => {
  try {
    refuseForeignWords(line, program);
    return false;
  } catch (error) {
    if (error instanceof UsageError) return true;
    throw error;
  }
};

describe('a flag with one dash', () => {
  it('is none, whatever long flag of whatever command it names', () => {
    for (const command of program.commands)
      for (const { long } of command.options) {
        if (long === undefined || long === null) continue;
        expect(isRefused([command.name(), long.slice(1)]), `${command.name()} ${long}`).toBe(true);
        expect(isRefused([command.name(), `${long.slice(1)}=x`]), `${command.name()} ${long}=x`).toBe(true);
      }
  });

  it.each([
    ['plan', '-f', 'x.yaml', '-o', 'p.json', '-q'],
    ['plan', '-f=x.yaml', '-o=p.json'],
    ['plan', '-qv'],
    ['plan', '-h'],
    ['plan', '-f', '-'],
    ['hold', 'a/b', '--path', 'x', '--until', '2026-12-01', '--reason', '-out of band'],
    ['plan', '--target', '-out'],
    ['completion', 'words', '--', 'plan', '-out'],
    ['plan', '--', '-out'],
    ['help', 'destroy'],
  ])('is one where it is short, or a value: %s %s %s', (...line) => {
    expect(isRefused(line)).toBe(false);
  });
});

it('a short flag may have its value behind an equals sign', () => {
  expect(normaliseArguments(['plan', '-o=p.json', '-f=a=b.yaml'], () => false)).toEqual([
    'plan',
    '-o',
    'p.json',
    '-f',
    'a=b.yaml',
  ]);
});

const isThere = (path: string): boolean => ['teams/a', 'teams/b', 'shop/primary'].includes(path);

it.each([
  ['-f teams/a teams/b', '-f teams/a -f teams/b'],
  ['-f=teams/a teams/b', '-f teams/a -f teams/b'],
  ['--file teams/a x.yaml y.yml -q', '--file teams/a --file x.yaml --file y.yml -q'],
  ['--overlay prod teams/b', '--overlay prod --overlay teams/b'],
  ['-f a.yaml shop/reports', '-f a.yaml shop/reports'],
  ['-f a.yaml -- shop/primary', '-f a.yaml -- shop/primary'],
  ['-f a.yaml plan.json', '-f a.yaml plan.json'],
  ['-f - teams/a', '-f - -f teams/a'],
  ['shop/primary -f a.yaml', 'shop/primary -f a.yaml'],
  ['-f a.yaml -o b.yaml teams/a', '-f a.yaml -o b.yaml teams/a'],
])('several paths behind one flag: %s is %s', (line, meant) => {
  expect(normaliseArguments(line.split(' '), isThere)).toEqual(meant.split(' '));
});
