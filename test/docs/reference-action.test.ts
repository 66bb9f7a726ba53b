// The page of the action lists the inputs and outputs that action.yml declares, each with its description.
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { pageAt } from './committed.ts';
import { listedAfter } from './listed.ts';

interface Named {
  readonly description: string;
  readonly required?: boolean;
}
const action = parse(pageAt('.github/actions/trueup/action.yml')) as Record<
  'inputs' | 'outputs',
  Record<string, Named>
>;
const page = pageAt('docs/reference/github-action.md');

it.each(['inputs', 'outputs'] as const)('has the %s', (section) => {
  const heading = section === 'inputs' ? '## Inputs' : '## Outputs';
  const declared = Object.entries(action[section]).map(([name, { description, required }]) => [
    name,
    `${description}${required === true ? ' Required.' : ''}`,
  ]);
  expect(listedAfter(page, heading)).toEqual(Object.fromEntries(declared));
});
