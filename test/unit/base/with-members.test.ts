// Copies with other members: what is made when somebody asks for it is not made by the copying.
import { expect, it } from 'vitest';
import { withMembers } from '../../../src/base/with-members.ts';

it('makes nothing of the whole or of the members before it is asked for', () => {
  let made = 0;
  const whole = {
    name: 'a',
    other: 1,
    get digest() {
      return `${this.name}${++made}`;
    },
  };
  const copy = withMembers(whole, {
    name: 'b',
    get other() {
      return ++made;
    },
  });
  expect(made).toBe(0);
  expect([copy.name, copy.digest, copy.other]).toEqual(['b', 'b1', 2]);
  expect(Object.keys(copy).sort()).toEqual(['digest', 'name', 'other']);
  expect(whole.name).toBe('a');
});
