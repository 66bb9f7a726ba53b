// Protects the one type of values that must not be seen: no way of printing one shows it.
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';

const VALUE = 'napi_canary_5f1c7e';
const secret = new Secret(VALUE);
/** As code without types would treat it. */
const anything = secret as unknown as string;

it.each<[string, () => string]>([
  ['as text', () => secret.toString()],
  ['in a template', () => `a ${anything}`],
  ['by adding', () => anything + '!'],
  ['as JSON', () => JSON.stringify(secret)],
  ['as JSON, within something', () => JSON.stringify({ list: [secret] })],
  ['inspected', () => inspect(secret)],
  ['inspected, within something, with all that is hidden', () => inspect({ secret }, { showHidden: true, depth: 9 })],
  ['by its members', () => JSON.stringify([Object.entries(secret), Object.getOwnPropertyNames(secret)])],
  ['copied', () => JSON.stringify(Object.assign({}, secret))],
  ['in an error', () => inspect(new Error('no', { cause: secret }))],
])('%s it does not show', (_, print) => {
  expect(print()).not.toContain('canary');
});

it('says that it is one', () => {
  expect([String(secret), JSON.stringify(secret), inspect(secret)]).toEqual([
    '(sensitive)',
    '"(sensitive)"',
    '(sensitive)',
  ]);
});

it('gives its value to whoever asks for it by name', () => {
  expect(secret.reveal()).toBe(VALUE);
});
