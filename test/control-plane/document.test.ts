// The document is kept honest: each row names a test that exists, each fault is one that can be injected.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { switchesOf } from '../../src/control-plane/engine/switches.ts';
import { requireFaultPlan } from '../../src/control-plane/faults/check-plan.ts';
import { faultPlanOf } from '../../src/control-plane/faults/fault-text.ts';
import { garblings, listFaults } from '../../src/control-plane/faults/plan.ts';
import { flagsOfCommand } from '../support/silent-program.ts';

const text = readFileSync(new URL('../../docs/control-plane.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| (.+?) \| `([\w./-]+)` › (.+?) \|$/gm)].map(
  ([, sentence = '', file = '', name = '']) => [sentence.trim(), file, name.trim()] as const,
);
/** The part of the document below a heading of the second order. */
const part = (heading: string): string => text.split(/^## /m).find((one) => one.startsWith(heading)) ?? '';
/** The words in code of the first cells of the table under this head. */
const firstCells = (head: string): string[] => {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`| ${head}`));
  const end = lines.findIndex((line, at) => at > begin && !line.startsWith('|'));
  const cells = lines.slice(begin + 2, end).map((line) => line.split('|')[1] ?? '');
  return cells.flatMap((cell) =>
    [...cell.replaceAll(/\(.*?\)/g, '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  );
};

/** The kinds that a plan can have, as its refusal tells them. */
const kindsOf = (fault: object): string[] => {
  try {
    requireFaultPlan({ rules: [{ fault: { ...fault, kind: 'none' } }] });
  } catch (error) {
    return (error as Error).message.replace(/^.* can be /, '').split(', ');
  }
  throw new Error('the plan was accepted');
};

/** True when a test of the file has this title, or a table in it has a row of this name. */
const hasTest = (source: string, name: string): boolean =>
  ["'", '`', '"'].some((quote) => source.includes(quote + name + quote)) || source.includes(`\n  ${name}: [`);

describe('docs/control-plane.md', () => {
  it('has a row for each sentence of each section of the API reference, and none twice', () => {
    const sections = [...part('Each sentence').matchAll(/^### (.+)$/gm)].map(([, title]) => title);
    expect(sections).toEqual([
      'What the service does; structure rules',
      'API key',
      'Project',
      'Compute',
      'Operation',
      'States and transitions of a compute',
      'Rules on changes to a compute',
      'Autosuspend',
      'Operation status',
      'Endpoints',
      'Authentication',
      'Errors; limits; versioning',
    ]);
    expect(rows.length).toBeGreaterThan(80);
    expect(new Set(rows.map(([sentence]) => sentence)).size).toBe(rows.length);
  });

  it('has no row that names no test', () => {
    const all = part('Each sentence').match(/^\|(?! ---| The API reference)/gm) ?? [];
    expect(all).toHaveLength(rows.length);
  });

  it.each(rows)('%s', (_sentence, file, name) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect([file, name, hasTest(source, name)]).toEqual([file, name, true]);
  });

  it('tells of every fault that can be injected, and of no other', () => {
    expect(firstCells('fault of an exchange').sort()).toEqual(kindsOf({}).sort());
    expect(firstCells('fault of an operation').sort()).toEqual(kindsOf({ on: 'operation' }).sort());
    for (const how of [...garblings, ...listFaults]) expect(part('Faults')).toContain(`\`${how}\``);
  });

  it('has examples that can be typed: each fault, switch and flag is one that serve takes', () => {
    const faults = [...text.matchAll(/--fault '([^']+)'/g)].map(([, fault = '']) => fault);
    expect(faults.length).toBeGreaterThan(7);
    for (const fault of faults) expect(() => faultPlanOf([fault])).not.toThrow();
    const switches = [...text.matchAll(/--switch (\w+=\w+)/g)].map(([, change = '']) => change);
    expect(Object.keys(switchesOf(switches)).length).toBe(switches.length);
    const flags = flagsOfCommand('serve');
    for (const [line] of text.matchAll(/^\s*(trueup serve|--fault|docker run) .*$/gm))
      for (const [flag] of line.replace(/'.*'/, '').matchAll(/(?<= )--[a-z-]+/g))
        expect([line, flag === '--rm' || flags.includes(flag)]).toEqual([line, true]);
  });
});
