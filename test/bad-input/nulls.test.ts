// Nothing is made of nothing: null has a meaning only where it is written as null and the attribute gives it one.
import { describe, expect, it } from 'vitest';
import { loadText } from '../support/files.ts';
import { compute, runRows, type Row } from './rows.ts';

/** Every place where a label stands for a resource, as a line with VALUE in it. */
const LABELS = [
  'projects: { shop: VALUE }',
  'projects: { shop: { branches: { qa: VALUE } } }',
  'projects: { shop: { branches: { main: { roles: { app: VALUE } } } } }',
  'projects: { shop: { branches: { main: { databases: { app: VALUE } } } } }',
  'projects: { shop: { branches: { main: { connections: { app: VALUE } } } } }',
  'projects: { shop: { computes: { primary: VALUE } } }',
  'projects: { shop: { permissions: { dana@example.com: VALUE } } }',
  'api_keys: { ci: VALUE }',
  'org_api_keys: { ci: VALUE }',
  'profiles: { prod: VALUE }',
];

const place = (line: string): string => `2:${line.indexOf('VALUE') + 1}`;

runRows([
  ...LABELS.map((line): Row => [
    `null at a label: ${line}`,
    `version: 1\n${line.replace('VALUE', 'null')}\n`,
    [`wrong_type ${place(line)}`],
    'There is no value here',
  ]),
  ...LABELS.flatMap((line) =>
    ['null', '~', 'Null', 'NULL', ''].map((value): Row => [
      `a variable that gives "${value}" at a label: ${line}`,
      { text: `version: 1\n${line.replace('VALUE', '${var:QA}')}\n`, variables: { QA: value } },
      [`null_variable ${place(line)}`],
    ]),
  ),
  [
    'a branch whose id became a comment',
    'version: 1\nprojects:\n  shop:\n    branches:\n      qa: # br-calm-sea-220011\n',
    ['wrong_type 5:7'],
  ],
  ...['autoscaling_limit_max_cu: ${var:X}', 'name: ${var:X}', 'settings: { pg_settings: { work_mem: ${var:X} } }'].map(
    (line): Row => [
      `a variable that gives null at ${line}`,
      { text: compute(line), variables: { X: 'null' } },
      [`null_variable 8:${line.indexOf('$') + 9}`],
      'X',
    ],
  ),
  [
    'null of a file of variables within a text',
    { text: compute('name: "a-${var:X}"'), variableFiles: ['v.json'], files: { 'v.json': '{ "X": null }' } },
    ['null_variable 8:15'],
  ],
  ['a default that is null', compute('autoscaling_limit_max_cu: ${var:X:-null}'), ['null_variable 8:35']],
  ...['null', ''].map((value): Row => [
    `a quoted variable that is "${value}" is a text`,
    { text: compute('settings: { pg_settings: { search_path: "${var:X}" } }'), variables: { X: value } },
    [],
  ]),
]);

describe('a variable that stands alone', () => {
  const loaded = async (line: string, value: string): Promise<unknown> => {
    const result = await loadText(compute(line), { variables: { X: value } });
    const codes = result.diagnostics.map(({ code }) => code);
    return codes.length > 0 ? codes : result.desired?.resources.find(({ name }) => name === 'p')?.spec;
  };

  it.each(['0123456', '08', '1.10', '1e10', '0x10', '.5', 'True', '12345678901234567890', '-0', '5', 'on'])(
    'goes as it is where a text is wanted: %s',
    async (value) => {
      expect(await loaded('settings: { pg_settings: { cluster_name: ${var:X} } }', value)).toMatchObject({
        settings: { pg_settings: { cluster_name: value } },
      });
      expect(await loaded('name: ${var:X}', value)).toMatchObject({ name: value });
    },
  );

  it.each(['0123', '08', '-01', '1e10', '1_000', '0x10', '2', '.25', '2.0', '8', '1e0', 'true', '5m'])(
    'is judged as if it were written out where a number is wanted: %s',
    async (value) => {
      for (const name of ['autoscaling_limit_max_cu', 'suspend_timeout_seconds', 'disabled'])
        expect([value, await loaded(`${name}: \${var:X}`, value)]).toEqual([
          value,
          await loaded(`${name}: ${value}`, ''),
        ]);
    },
  );
});
