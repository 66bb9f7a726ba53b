// The page of the action lists the inputs and outputs that action.yml declares, each with its description.
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { pageAt } from './committed.ts';
import { listedAfter } from './listed.ts';

interface Named {
  readonly description: string;
  readonly required?: boolean;
}
type Section = 'inputs' | 'outputs';

const action = parse(pageAt('.github/actions/trueup/action.yml')) as Record<Section, Record<string, Named>>;
const page = pageAt('docs/reference/github-action.md');

it.each<readonly [Section, string]>([
  ['inputs', '## Inputs'],
  ['outputs', '## Outputs'],
])('has the %s', (section, heading) => {
  const declared = Object.entries(action[section]).map(([name, { description, required }]) => [
    name,
    `${description}${required === true ? ' Required.' : ''}`,
  ]);
  expect(listedAfter(page, heading)).toEqual(Object.fromEntries(declared));
});
