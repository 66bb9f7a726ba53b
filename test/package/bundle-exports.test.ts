// Files of the bundle give plain members only for what is set once, and before it is given; everything else stays a getter.
import { expect, it } from 'vitest';
import { plainExports } from '../../.ci/bundle-exports.mjs';

const getter = (name: string, value: string): string =>
  `Object.defineProperty(exports,"${name}",{enumerable:true,get:function(){return ${value}}});`;

it.each([
  ['a function', 'function f(){}', true],
  ['a class', 'class f{}', true],
  ['a constant', 'const f=1;', true],
  ['a variable that may be set later', 'let f;', false],
  ['what another function calls by the same name', 'let f;function g(){const f=1;return f}', false],
])('%s', (_, declared, isPlain) => {
  expect(plainExports(declared + getter('a', 'f'))).toBe(declared + (isPlain ? 'exports.a=f;' : getter('a', 'f')));
});

it('a constant that is set only after it is given stays a getter, a function does not', () => {
  expect(plainExports(`${getter('a', 'f')}const f=1;`)).toBe(`${getter('a', 'f')}const f=1;`);
  expect(plainExports(`${getter('a', 'f')}function f(){}`)).toBe('exports.a=f;function f(){}');
});
