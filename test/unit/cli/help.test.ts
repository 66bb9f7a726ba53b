// Help: readable at 80 columns, with limits that hold and examples that the program accepts.
import { InvalidArgumentError, type Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { consentTypes } from '../../../src/cli/plans/approval.ts';
import { commandGroups } from '../../../src/cli/program/commands.ts';
import { normaliseArguments } from '../../../src/cli/program/flags.ts';
import { refuseForeignWords } from '../../../src/cli/program/foreign-words.ts';
import { silentProgram } from '../../support/silent-program.ts';

const { commands } = silentProgram();
const specs = commandGroups.flatMap(([, group]) => group);

function named(name: string): Command {
  const found = commands.find((command) => command.name() === name);
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
}

/** The words of each `trueup …` in a line of a shell. */
function callsIn(line: string): readonly (readonly string[])[] {
  return [...line.matchAll(/\btrueup ((?:'[^']*'|[^|>&)'])*)/g)].map(([, words = '']) =>
    [...words.replace(/ < .*/, '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  );
}

describe.each(specs.map((spec) => [spec.usage.split(' ')[0] ?? '', spec] as const))('help of %s', (name, spec) => {
  const visible = named(name).options.filter(({ hidden }) => !hidden);

  it('begins with a sentence in the imperative', () => {
    expect(spec.description).toMatch(/^[A-Z][a-z]*[^s] .*\.$/);
  });

  it('fits 80 columns', () => {
    const lines = named(name).helpInformation().split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('has every flag in a group', () => {
    expect(visible.filter(({ helpGroupHeading }) => helpGroupHeading === undefined)).toEqual([]);
  });

  it('names each default', () => {
    const unnamed = visible.filter(
      ({ defaultValue, description }) =>
        typeof defaultValue === 'string' && defaultValue !== '' && !description.includes(`default: ${defaultValue}`),
    );
    expect(unnamed).toEqual([]);
  });

  it('names maxima that hold', () => {
    for (const { description, parseArg } of visible) {
      const [, most, unit = ''] = /maximum: (\d+)(d?)\)/.exec(description) ?? [];
      if (most === undefined || parseArg === undefined || description.includes('part i of n')) continue;
      if (description.includes('number of operations per project')) continue;
      expect(parseArg(`${most}${unit}`, undefined)).toBeGreaterThan(0);
      expect(() => parseArg(`${Number(most) + 1}${unit}`, undefined), description).toThrow(InvalidArgumentError);
    }
  });

  it.each(spec.examples)('has an example that works: %s', (line) => {
    const calls = callsIn(line);
    expect(calls).not.toEqual([]);
    for (const words of calls) {
      const [first = '', ...rest] = normaliseArguments(words, () => false);
      refuseForeignWords([first, ...rest], silentProgram());
      const command = named(first);
      const { operands, unknown } = command.parseOptions(rest);
      expect(unknown).toEqual([]);
      const takes = command.registeredArguments;
      expect(operands.length).toBeGreaterThanOrEqual(takes.filter(({ required }) => required).length);
      if (!takes.some(({ variadic }) => variadic)) expect(operands.length).toBeLessThanOrEqual(takes.length);
    }
  });
});

it('--allow lists every consent type', () => {
  const { description = '' } = named('apply').options.find(({ long }) => long === '--allow') ?? {};
  const types = description.slice(description.indexOf('Types: ')).match(/\*|\b[a-z]+(?=[,;]|$)/g) ?? [];
  expect(types.toSorted()).toEqual(consentTypes().toSorted());
});
