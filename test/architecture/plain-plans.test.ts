// Plans are plain data: no getter, no symbol, nothing lazy, whatever the files and the account are.
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { worldFromYaml } from '../../src/control-plane/world/world-file.ts';
import type { Plan } from '../../src/model/outcome/plan.ts';
import { openSite } from '../support/site.ts';
import { plainViolations } from './rules/plain.ts';
import { filesBelow, root } from './source-tree.ts';

const SCENARIOS = `${root}/test/scenarios`;

/** The plan of a scenario's files for its world; null where the files alone are refused. */
async function planOf(name: string): Promise<Plan | null> {
  const [file = '', world = ''] = ['trueup.yaml', 'world.yaml'].map((one) => `${SCENARIOS}/${name}/${one}`);
  if (!existsSync(file) || !existsSync(world)) return null;
  const [text, seed] = [readFileSync(file, 'utf8'), worldFromYaml(readFileSync(world, 'utf8'))];
  return openSite({ file: text, seed })
    .plan()
    .catch(() => null);
}

it('holds for the plans of the scenarios', async () => {
  const seen = { plans: 0, changes: 0, steps: 0 };
  for (const name of filesBelow('test/scenarios', 'transcript.txt').map(dirname)) {
    const plan = await planOf(name);
    if (plan === null) continue;
    expect(plainViolations(plan), name).toEqual([]);
    seen.plans++;
    seen.changes += plan.changes.length;
    seen.steps += plan.steps.length;
  }
  // The rule would be worth nothing if nothing were planned.
  expect(seen.plans).toBeGreaterThan(40);
  expect(seen.changes).toBeGreaterThan(100);
  expect(seen.steps).toBeGreaterThan(40);
});

describe('a planted violation is found', () => {
  class Made {
    readonly id = 'ep-1';
  }
  const odd: readonly (readonly [words: string, value: unknown, where: string])[] = [
    [
      'a getter',
      {
        get changes() {
          return [];
        },
      },
      'plan.changes: a getter',
    ],
    ['a symbol', { [Symbol('known apart')]: [] }, 'plan: a symbol'],
    ['a hidden member', Object.defineProperty({}, 'changes', { value: [] }), 'plan.changes: hidden'],
    ['an object of a class', { changes: [{ source: new Made() }] }, 'plan.changes.0.source: of a class'],
    ['a map', { homes: new Map() }, 'plan.homes: of a class'],
    ['a function', { changes: () => [] }, 'plan.changes: function'],
    ['a member that is undefined', { store: undefined }, 'plan.store: undefined'],
    ['a number that JSON does not know', { untilMs: Number.NaN }, 'plan.untilMs: NaN'],
    ['a zero that JSON does not keep', { delta: -0 }, 'plan: its JSON reads differently'],
  ];
  it.each(odd)('%s', (_, value, where) => {
    expect(plainViolations(value)).toEqual([where]);
  });

  it('and what is plain is not', () => {
    expect(plainViolations({ changes: [{ address: 'shop/a', before: null, due: false }], count: 1 })).toEqual([]);
  });
});
