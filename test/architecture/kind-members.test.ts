// The interface of a kind: how many members it has, which of them a single kind fills, and how large its hooks are.
import { expect, it } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { hookLines } from './count-hooks.mjs';
import { isNode, nameOf, readSourceTree, walk } from './source-tree.ts';

const INTERFACES = ['KindPlace', 'KindTraits', 'KindSection', 'KindRules', 'KindRemote'];

/** May only fall. */
const MOST_MEMBERS = 38;

/** The members of the interfaces by name. */
function membersOf(interfaces: readonly string[]): readonly string[] {
  const members = new Set<string>();
  for (const { program } of readSourceTree())
    walk(program, (node) => {
      const { type, id, body } = node;
      if (type !== 'TSInterfaceDeclaration' || !interfaces.includes(nameOf(id) ?? '') || !isNode(body)) return;
      for (const member of body['body'] as readonly unknown[]) {
        const name = isNode(member) ? nameOf(member['key']) : undefined;
        if (name !== undefined) members.add(name);
      }
    });
  return [...members].sort();
}

const members = membersOf(INTERFACES);

it('has few members', () => {
  expect(members).toContain('verdict');
  expect(members.length).toBe(MOST_MEMBERS);
});

it('has no member that one kind fills alone: that belongs into a row of its table, or into a hook', () => {
  // Both kinds of API keys are one table.
  const tables = kinds.filter(({ kind }) => kind !== 'org_api_key');
  const isFilledBy = (member: string) => (kind: object) => (kind as Record<string, unknown>)[member] !== undefined;
  expect(members.filter((member) => tables.filter(isFilledBy(member)).length < 2)).toEqual([]);
});

it('has small hooks', () => {
  const lines = [...hookLines()];
  expect(lines.map(([path]) => path)).toContain('kinds/compute/verdict.ts');
  expect(lines.reduce((sum, [, own]) => sum + own, 0)).toBeLessThanOrEqual(2500);
});
