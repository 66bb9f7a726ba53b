// Protects digests and comparisons: equal values give one text, whatever the order of their keys and whatever their names.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/json.ts';
import { runs } from '../../support/property-runs.ts';

/** The same by its definition, one member at a time. */
function byDefinition(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(byDefinition).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${byDefinition(member)}`).join(',')}}`;
}

const key = fc.oneof(fc.constantFrom('a', 'b', 'B', 'é', '', '10', '9', '-1', '__proto__', 'toJSON'), fc.string());
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, -0, 1e21, 'text', '\u2028'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

it('writes keys in the order of their text, also those that an object would put elsewhere', () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(canonicalJson(one)).toBe(byDefinition(one));
    }),
    runs(300),
  );
});

it.each([
  ['members that are not set', { b: undefined, a: 1 }, '{"a":1}'],
  ['an integer beyond a double', { b: 2n ** 64n, a: [1n] }, '{"a":[1],"b":18446744073709551616}'],
  ['what is no value in a list', [undefined, 1], '[null,1]'],
  ['a name that is a number beside one that is none', { 10: 1, 9: 2, a: 3 }, '{"10":1,"9":2,"a":3}'],
])('writes %s', (_, given, text) => {
  expect(canonicalJson(given)).toBe(text);
});
