// `--target` and `--exclude` of commands that make no plan: projects that cannot be meant are not read.
import { expect, it } from 'vitest';
import { touches } from '../../../src/cli/session/selection.ts';

const names = ['spring-example-302709', 'shop'];

it.each<[string[], string[], boolean]>([
  [[], [], true],
  [['shop/primary'], [], true],
  [['s*/primary'], [], true],
  [['spring-example-302709/ep-a'], [], true],
  [['other/*'], [], false],
  [['api_keys/*'], [], false],
  [['*'], [], true],
  [['shop*'], [], true],
  [[], ['shop/*'], false],
  [[], ['*'], false],
  [[], ['shop/primary'], true],
  [['shop/*'], ['shop/*'], false],
])('a project of several names target %j, exclude %j: %s', (target, exclude, expected) => {
  expect(touches({ target, exclude })(names)).toBe(expected);
});
