// Protects against a file that contradicts itself: what it accepts as somebody else's and declares too is named.
import { expect, it } from 'vitest';
import { planOf } from './support/world.ts';

it.each<[string, string, string, readonly string[]]>([
  [
    'is named by its place',
    'ep-p',
    '{ branch: br-1, max: 2 }',
    ['ep-p is managed as shop/p (the read_write compute of br-1), although unmanaged_ok lists it'],
  ],
  [
    'is named by its id',
    'ep-p',
    '{ id: ep-p, max: 2 }',
    ['ep-p is managed as shop/p (pinned id), although unmanaged_ok lists it'],
  ],
  [
    'is named where nothing changes',
    'ep-p',
    '{ branch: br-1 }',
    ['ep-p is managed as shop/p (the read_write compute of br-1), although unmanaged_ok lists it'],
  ],
  ['is none on a branch that is accepted as a whole', 'br-1', '{ branch: br-1, max: 2 }', []],
  ['is none where it is another', 'ep-q', '{ branch: br-1, max: 2 }', []],
])('what unmanaged_ok lists and a declaration is: %s', (_name, accepted, declaration, expected) => {
  const { diagnostics } = planOf({
    file: `shop: { unmanaged_ok: [${accepted}], computes: { p: ${declaration} } }`,
    live: 'shop: { ep-p: { branch: br-1, max: 1 }, ep-q: { branch: br-2 } }',
  });
  expect(diagnostics.map(({ message }) => message)).toEqual(expected);
  for (const { severity, code, range } of diagnostics)
    expect([severity, code, range?.start.line]).toEqual(['warning', 'accepted_and_declared', 2]);
});
