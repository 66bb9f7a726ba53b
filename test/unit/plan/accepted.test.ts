// Protects against a file that contradicts itself: what it accepts as somebody else's and declares too is named.
import { expect, it } from 'vitest';
import { planOf } from './support/world.ts';

it.each([
  ['is named by its place', 'ep-p', 'branch: br-1, max: 2', 'the read_write compute of br-1'],
  ['is named by its id', 'ep-p', 'id: ep-p, max: 2', 'pinned id'],
  ['is named where nothing changes', 'ep-p', 'branch: br-1', 'the read_write compute of br-1'],
  ['is none on a branch that is accepted as a whole', 'br-1', 'branch: br-1, max: 2', null],
  ['is none where it is another', 'ep-q', 'branch: br-1, max: 2', null],
])('what unmanaged_ok lists and a declaration is: %s', (_name, accepted, declaration, how) => {
  const { diagnostics } = planOf({
    file: `shop: { unmanaged_ok: [${accepted}], computes: { p: { ${declaration} } } }`,
    live: 'shop: { ep-p: { branch: br-1, max: 1 }, ep-q: { branch: br-2 } }',
  });
  expect(diagnostics.map(({ message }) => message)).toEqual(
    how === null ? [] : [`ep-p is managed as shop/p (${how}), although unmanaged_ok lists it`],
  );
  for (const { severity, code, range } of diagnostics)
    expect([severity, code, range?.start.line]).toEqual(['warning', 'accepted_and_declared', 2]);
});
