// Properties: what files mean does not depend on how they are written, ordered or split.
import { desiredDigestOf } from '../../../src/plan/json/plan-json.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../support/property-runs.ts';
import { load, loadText } from '../../support/files.ts';

type Tree = { readonly [key: string]: unknown };

const label = fc.stringMatching(/^[a-z][a-z0-9_.]{0,8}$/);
const cu = fc.constantFrom(0.25, 1, 2, 4);
const compute = fc.record(
  {
    branch: fc.stringMatching(/^br-[a-z0-9]{6,12}$/),
    type: fc.constant('read_only'),
    autoscaling_limit_min_cu: fc.constantFrom(0.25, 0.5),
    autoscaling_limit_max_cu: cu,
    suspend_timeout_seconds: fc.constantFrom(0, -1, 300, '5m', '7d'),
    pooler_enabled: fc.boolean(),
    name: fc.stringMatching(/^[a-z][a-z0-9 ]{0,20}[a-z]$/),
    settings: fc.record({
      pg_settings: fc.dictionary(
        fc.stringMatching(/^[a-z][a-z_]{0,9}$/),
        fc.oneof(fc.integer(), fc.boolean(), fc.constant('64MB')),
        { noNullPrototype: true },
      ),
    }),
    lifecycle: fc.record(
      { protect: fc.boolean(), ignore: fc.uniqueArray(fc.constantFrom('disabled', 'pooler_mode', 'name')) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['branch', 'type'] },
);
const projects = fc.dictionary(
  label,
  fc.record({ computes: fc.dictionary(label, compute, { maxKeys: 4, noNullPrototype: true }) }),
  { maxKeys: 4, minKeys: 1, noNullPrototype: true },
);

/** The same tree as YAML text: block or flow, members in any order, blank lines and comments anywhere. */
function write(value: unknown, choose: (count: number) => number, indent = 0): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' && choose(2) === 0 ? `'${value}'` : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, choose)).join(choose(2) === 0 ? ', ' : ' ,')}]`;
  const members = shuffled(Object.entries(value as Tree), choose);
  if (members.length === 0) return '{}';
  if (indent > 0 && choose(3) === 0) return flow(members, choose);
  const pad = ' '.repeat(indent);
  const lines = members.map(([key, member]) => {
    const inner = write(member, choose, indent + 2);
    const separator = inner.startsWith('\n') ? '' : ' ';
    return `${choose(4) === 0 ? `\n${pad}# note\n` : '\n'}${pad}${key}:${separator}${inner}${choose(4) === 0 && separator !== '' ? ' # why' : ''}`;
  });
  return lines.join('');
}

function flow(members: readonly (readonly [string, unknown])[], choose: (count: number) => number): string {
  const inline = (value: unknown): string =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flow(Object.entries(value), choose)
      : write(value, choose);
  return `{ ${members.map(([key, value]) => `"${key}": ${inline(value)}`).join(', ')} }`;
}

function shuffled<T>(items: readonly T[], choose: (count: number) => number): readonly T[] {
  const rest = [...items];
  return items.map(() => rest.splice(choose(rest.length), 1)[0] as T);
}

/** Draws from a list of numbers, round and round. */
function chooser(draws: readonly number[]): (count: number) => number {
  let at = 0;
  return (count) => (draws[at++ % draws.length] ?? 0) % count;
}

const draws = fc.array(fc.nat(1000), { minLength: 5, maxLength: 40 });

/** Labels that differ only in case cannot come up: all are lower case. Profiles of sizes are always in order. */
const digestOf = async (text: string): Promise<string | undefined> => {
  const { desired, diagnostics } = await loadText(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return desired === null ? undefined : desiredDigestOf(desired);
};

const valid = (tree: Tree): Tree =>
  JSON.parse(
    JSON.stringify(tree).replaceAll('"autoscaling_limit_max_cu":0.25', '"autoscaling_limit_max_cu":1'),
  ) as Tree;

it('the digest is that of the meaning: layout, comments, quotes and order do not count', async () => {
  await fc.assert(
    fc.asyncProperty(projects, draws, draws, async (tree, one, other) => {
      const whole = { version: 1, projects: valid(tree) };
      expect(await digestOf(write(whole, chooser(one)))).toBe(await digestOf(write(whole, chooser(other))));
    }),
    runs(60),
  );
});

it('files that a whole is split into, member by member, mean the whole', async () => {
  await fc.assert(
    fc.asyncProperty(projects, draws, async (tree, numbers) => {
      const choose = chooser(numbers);
      const whole = { version: 1, projects: valid(tree) };
      const parts: Record<string, unknown>[] = [{ version: 1 }, { version: 1 }, { version: 1 }];
      scatter(whole.projects, ['projects'], parts, choose);
      const files = Object.fromEntries(parts.map((part, at) => [`${at}.yaml`, write(part, choose)]));
      const split = await load({ files });
      expect(split.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      const expected = await loadText(write(whole, choose));
      expect(split.desired?.resources.map(({ address, spec }) => [address, spec])).toEqual(
        expected.desired?.resources.map(({ address, spec }) => [address, spec]),
      );
      expect(split.desired).not.toBeNull();
      expect(split.desired && desiredDigestOf(split.desired)).toBe(
        expected.desired && desiredDigestOf(expected.desired),
      );
    }),
    runs(60),
  );
});

it('a change of meaning changes the digest', async () => {
  const text = (value: string): string =>
    `version: 1\nprojects: { a: { computes: { p: { branch: br-a-1, suspend_timeout_seconds: ${value} } } } }\n`;
  expect(await digestOf(text('300'))).toBe(await digestOf(text('5m')));
  expect(await digestOf(text('300'))).not.toBe(await digestOf(text('301')));
});

/** Puts every leaf of `value` into one of the parts. */
function scatter(
  value: Tree,
  path: readonly string[],
  parts: Record<string, unknown>[],
  choose: (count: number) => number,
): void {
  if (Object.keys(value).length === 0) place(parts[choose(parts.length)] as Record<string, unknown>, path, {});
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object' && member !== null && !Array.isArray(member))
      scatter(member as Tree, [...path, key], parts, choose);
    else place(parts[choose(parts.length)] as Record<string, unknown>, [...path, key], member);
  }
}

function place(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) target[key] = value;
  else place((target[key] ??= {}) as Record<string, unknown>, rest, value);
}
