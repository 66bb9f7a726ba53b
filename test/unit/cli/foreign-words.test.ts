// Words of other tools are refused, and those of this one are not.
import { describe, expect, it } from 'vitest';
import { normaliseArguments } from '../../../src/cli/program/flags.ts';
import { refuseForeignWords } from '../../../src/cli/program/foreign-words.ts';
import { UsageError } from '../../../src/cli/process/exit-code.ts';
import { silentProgram } from '../../support/silent-program.ts';

const program = silentProgram();
const refusalOf = (line: readonly string[]): UsageError | null => {
  try {
    refuseForeignWords(line, program);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
};
const isRefused = (line: readonly string[]): boolean => refusalOf(line) !== null;

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

it.each([
  ['plan -auto-approve', '-auto-approve', '`trueup apply` has --auto-approve.'],
  ['plan --auto-approve', '--auto-approve', '`trueup apply` has --auto-approve.'],
  ['--auto-approve', '--auto-approve', '`trueup apply` has --auto-approve.'],
  ['drift -detailed-exitcode', '-detailed-exitcode', '`trueup plan` has --detailed-exitcode.'],
  ['apply -out=s3cret', '-out', '`trueup plan` has --out.'],
  ['schema -base-url=s3cret', '-base-url', '`trueup plan` has --base-url.'],
  ['plan -input=s3cret', '-input', /terminal/],
  ['plan -replace=s3cret', '-replace', /state: absent/],
  ['plan -compact-warnings', '-compact-warnings', /`-q`/],
  ['-chdir=s3cret plan', '-chdir', /`-f PATH`/],
])('a flag that is not here is named without its value: %s', (line, name, way) => {
  const { message, hint } = refusalOf(line.split(' ')) ?? {};
  expect(message).toBe(`there is no flag ${name} here`);
  expect(hint).toEqual(typeof way === 'string' ? way : expect.stringMatching(way));
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
