// The pages are true: each row names a test that exists, each fault is one that can be injected.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faultPlanOf, requireFaultPlan } from '../../src/control-plane/faults/check-plan.ts';
import { garblings, listFaults } from '../../src/control-plane/faults/plan.ts';
import { flagsOfCommand } from '../support/silent-program.ts';

const report = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const text = readFileSync(new URL('../../docs/reference/local-server.md', import.meta.url), 'utf8');
const rows = [...report.matchAll(/^\| (.+?) \| `([\w./-]+)` › (.+?) \|$/gm)].map(
  ([, sentence = '', file = '', name = '']) => [sentence.trim(), file, name.trim()] as const,
);
/** The part of the document below a heading of the second order. */
const part = (page: string, heading: string): string =>
  page.split(/^## /m).find((one) => one.startsWith(heading)) ?? '';
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
    return (error as Error).message.replace(/^.* can be |;.*$/g, '').split(', ');
  }
  throw new Error('the plan was accepted');
};

/** True when a test of the file has this title, or a table in it has a row of this name. */
const hasTest = (source: string, name: string): boolean =>
  ["'", '`', '"'].some((quote) => source.includes(quote + name + quote)) || source.includes(`\n  ${name}: [`);

describe('the report', () => {
  it('has a row for each sentence of each section of the API reference, and none twice', () => {
    const sections = [...part(report, 'Each sentence').matchAll(/^### (.+)$/gm)].map(([, title]) => title);
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
    const all = part(report, 'Each sentence').match(/^\|(?! ---| The API reference)/gm) ?? [];
    expect(all).toHaveLength(rows.length);
  });

  it.each(rows)('%s', (_sentence, file, name) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect([file, name, hasTest(source, name)]).toEqual([file, name, true]);
  });
});

describe('the reference of the local server', () => {
  it('lists every fault that can be injected, and no other', () => {
    expect(firstCells('Fault of a request').sort()).toEqual(kindsOf({}).sort());
    expect(firstCells('Fault of an operation').sort()).toEqual(kindsOf({ on: 'operation' }).sort());
    for (const how of [...garblings, ...listFaults]) expect(part(text, 'Faults')).toContain(`\`${how}\``);
  });

  it('has faults and flags that serve takes', () => {
    const faults = [...text.matchAll(/--fault '([^']+)'/g)].map(([, fault = '']) => fault);
    expect(faults.length).toBeGreaterThan(2);
    for (const fault of faults) expect(() => faultPlanOf([fault])).not.toThrow();
    const flags = [...flagsOfCommand('serve'), ...flagsOfCommand('apply')];
    const named = [...text.matchAll(/[ `](--[a-z][a-z-]*)/g)].map(([, flag = '']) => flag);
    expect(named.filter((flag) => !flags.includes(flag))).toEqual([]);
  });
});
