// The page of outputs lists what the schemas describe: each name, and where it needs words the first sentence of the schema.
import { expect, it } from 'vitest';
import { impacts } from '../../src/model/generated/impacts.ts';
import { pageAt } from './committed.ts';
import { listedAfter } from './listed.ts';

interface Schema {
  readonly description?: string;
  readonly const?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const page = pageAt('docs/reference/outputs.md');
const schemaOf = (name: string): Schema => JSON.parse(pageAt(`schemas/${name}.schema.json`)) as Schema;
const plan = schemaOf('plan');

/** The schema has the other sentences. */
const firstSentence = (text: string): string => text.replace(/(?<=\.) [`A-Z].*/, '');

/** The members of a schema, or of one of its definitions. */
function membersOf(schema: Schema, name?: string): readonly (readonly [string, string])[] {
  const { properties = {} } = name === undefined ? schema : (schema.$defs?.[name] ?? {});
  return Object.entries(properties).map(([member, { description, $ref }]) => [
    member,
    firstSentence(description ?? schema.$defs?.[$ref?.split('/').at(-1) ?? '']?.description ?? ''),
  ]);
}

function eventsOf({ $defs = {} }: Schema): readonly (readonly [string, string])[] {
  return Object.values($defs).flatMap(({ properties, description = '' }) => {
    const type = properties?.['type']?.const;
    return type === undefined ? [] : [[type, firstSentence(description)] as const];
  });
}

it.each([
  ['the plan', '## Plan', membersOf(plan, 'PlanDetails')],
  ['a change', 'Each change in', membersOf(plan, 'PlanChangeDetails')],
  ['the effects of a change', 'The member `impact`', Object.entries(impacts).map(([name, { words }]) => [name, words])],
  ['the result', '## Result', membersOf(schemaOf('result'))],
  ['events', '## Events', eventsOf(schemaOf('event'))],
  ['the drift report', '## Drift', membersOf(schemaOf('drift'))],
] as const)('has %s', (_what, lead, described) => {
  const listed = listedAfter(page, lead);
  const expected = described.map(([name, words = '']) => [name, listed[name] === null ? null : words]);
  expect(listed).toEqual(Object.fromEntries(expected));
});
