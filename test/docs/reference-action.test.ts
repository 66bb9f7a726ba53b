// The page of the action lists the inputs and outputs that action.yml declares, each with its description.
import { expect, it } from 'vitest';
import { action } from '../gitops/support/runner.ts';
import { pageAt } from './committed.ts';
import { listedAfter } from './listed.ts';

const page = pageAt('docs/reference/github-action.md');

it('has the inputs', () => {
  const declared = Object.entries(action.inputs).map(([name, { description, required }]) => [
    name,
    `${description}${required === true ? ' Required.' : ''}`,
  ]);
  expect(listedAfter(page, '## Inputs')).toEqual(Object.fromEntries(declared));
});

it('has the outputs', () => {
  const declared = Object.entries(action.outputs).map(([name, { description }]) => [name, description]);
  expect(listedAfter(page, '## Outputs')).toEqual(Object.fromEntries(declared));
});
