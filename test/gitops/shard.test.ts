// Runs side by side: the shards of a file take every project and section exactly once, and read nothing of the others.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { parseShard } from '../../src/cli/program/flags.ts';
import { selectionOf, shardOf } from '../../src/cli/session/selection.ts';
import { matchesGlob } from '../../src/model/address.ts';
import type { DesiredState } from '../../src/model/desired.ts';
import { fakeIo, testClock } from '../support/fake-io.ts';
import { seedLocalWorld } from '../support/local-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'trueup-shard-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function desiredOf(projects: readonly { readonly label: string; readonly id: string | null }[]): DesiredState {
  return { projects } as unknown as DesiredState;
}

describe('the shards of a file', () => {
  const projects = fc.uniqueArray(
    fc.record({
      label: fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/).filter((label) => label !== 'api_keys'),
      id: fc.option(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/)),
    }),
    { selector: ({ label }) => label, maxLength: 40 },
  );

  it('take each project and each section exactly once', () => {
    fc.assert(
      fc.property(projects, fc.integer({ min: 1, max: 12 }), (all, count) => {
        const settings = { target: [], exclude: ['*/legacy'] };
        for (const scope of [...all.map(({ label }) => label), 'api_keys']) {
          const takers = Array.from({ length: count }, (_, at) => ({ index: at + 1, count })).filter((shard) => {
            const { exclude } = selectionOf({ ...settings, shard }, desiredOf(all));
            return !exclude.some((glob) => matchesGlob(glob, `${scope}/primary`));
          });
          expect(takers).toHaveLength(1);
        }
      }),
    );
  });

  it('depend on the id of a project alone, and its label where there is none', () => {
    const shardIn = (all: Parameters<typeof desiredOf>[0], label: string): number | undefined =>
      [1, 2, 3, 4, 5].find((index) => {
        const { exclude } = selectionOf({ target: [], exclude: [], shard: { index, count: 5 } }, desiredOf(all));
        return !exclude.includes(`${label}/*`);
      });
    const one = shardIn([{ label: 'shop', id: 'spring-example-302709' }], 'shop');
    expect(
      shardIn(
        [
          { label: 'a', id: null },
          { label: 'store', id: 'spring-example-302709' },
        ],
        'store',
      ),
    ).toBe(one);
    expect(shardIn([{ label: 'spring-example-302709', id: null }], 'spring-example-302709')).toBe(one);
  });

  it('are the same for ever: a number that changes would move projects between machines', () => {
    expect(['spring-example-302709', 'shop', 'api_keys'].map((key) => shardOf(key, 4))).toEqual([2, 3, 4]);
  });

  it('are of about the same size', () => {
    const sizes = [0, 0, 0, 0];
    for (let at = 0; at < 4000; at++) {
      const shard = shardOf(`project-${at}`, 4) - 1;
      sizes[shard] = (sizes[shard] ?? 0) + 1;
    }
    for (const size of sizes) expect(Math.abs(size - 1000)).toBeLessThan(120);
  });
});

describe('the word', () => {
  it.each(['0/4', '5/4', '1', '1/0', '01/4', '1/4 ', '-1/4', '1/1001', '1/4/4', ''])('%j is refused', (word) => {
    expect(() => parseShard(word)).toThrow('--shard takes I/N');
  });
  it('1/1 and 1000/1000 are fine', () => {
    expect(parseShard('1/1')).toEqual({ index: 1, count: 1 });
    expect(parseShard('1000/1000')).toEqual({ index: 1000, count: 1000 });
  });
});

describe('commands', () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const world = `version: 1\nprojects:\n${names
    .map((name) => `  - { id: ${name}-1, name: ${name}, branches: [{ id: br-${name}, name: main, default: true }] }\n`)
    .join('')}`;
  const wish = `version: 1\nprojects:\n${names
    .map((name) => `  ${name}: { id: ${name}-1, computes: { primary: { branch_id: br-${name} } } }\n`)
    .join('')}`;

  async function run(
    words: readonly string[],
  ): Promise<{ readonly code: number; readonly text: string; readonly out: string }> {
    const clock = testClock();
    const io = fakeIo({ cwd: folder, clock });
    const code = await clock.run(main([...words, '--local', '--var', 'unused=1'], io));
    return { code, text: io.all(), out: io.out() };
  }

  it('plan, apply and drift speak of their shard alone, and together of everything', async () => {
    seedLocalWorld({ cwd: folder, clock: testClock(), world });
    writeFileSync(join(folder, 'trueup.yaml'), wish);
    const planned: string[] = [];
    for (const shard of ['1/3', '2/3', '3/3']) {
      const { out } = await run(['plan', '--shard', shard, '--format', 'json']);
      const { resource_changes: changes } = JSON.parse(out) as { resource_changes: { address: string }[] };
      planned.push(...changes.map(({ address }) => address));
    }
    expect(planned.toSorted()).toEqual(names.map((name) => `${name}/primary`).toSorted());
    const first = await run(['apply', '--shard', '1/3', '--auto-approve', '--write', 'json=shard-1.json']);
    expect(first.code, first.text).toBe(0);
    expect((await run(['drift', '--shard', '1/3'])).code).toBe(0);
    expect((await run(['drift', '--shard', '2/3'])).code).toBe(2);
    expect((await run(['drift'])).code).toBe(2);
  });

  it('a saved plan is applied exactly: it takes no shard', async () => {
    const { code, text } = await run(['apply', 'plan.json', '--shard', '1/3']);
    expect(text).toContain('Give --shard to trueup plan instead, and save that plan.');
    expect(code).toBe(1);
  });
});
