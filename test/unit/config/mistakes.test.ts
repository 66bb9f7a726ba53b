// Common mistakes in a file: one error each, at the key or value, with the change to make.
import { expect, it } from 'vitest';
import { loadText } from '../../support/files.ts';

const inShop = (text: string): string => `version: 1\nprojects:\n  shop:\n    branches: { main: br-a }\n${text}`;
const inPrimary = (text: string): string => inShop(`    computes:\n      primary:\n        branch: main\n${text}`);

it.each<[string, string, object]>([
  [
    'a profile by another key',
    inPrimary('        profile: prod\n'),
    { code: 'refused_key', message: '`profile` cannot be set here: write `use:` with the name of a profile' },
  ],
  [
    'a list in place of a mapping',
    inShop('    computes:\n      - primary\n'),
    { code: 'wrong_type', hint: 'Write each entry as `NAME: …`, without `- `.' },
  ],
  [
    'a mapping in place of a list',
    inShop('    unmanaged_ok: { ep-a: true }\n'),
    { code: 'wrong_type', hint: 'Begin each item with `- `.' },
  ],
  [
    'a number in quotes',
    inPrimary('        autoscaling_limit_min_cu: "1"\n'),
    { code: 'wrong_type', hint: 'Remove the quotes to make the value a number.' },
  ],
  [
    'a number in another notation',
    inPrimary('        autoscaling_limit_min_cu: 0b1\n'),
    { code: 'wrong_type', hint: 'Write the number in decimal digits.' },
  ],
  ['a branch of its own', inShop('').replace('br-a }', 'br-a, a: { from: a } }'), { code: 'parent_ring' }],
  [
    'a value inside an attribute',
    inShop('    default_endpoint_settings: { suspend_timeout_seconds: 5 }\n'),
    { code: 'wrong_value', range: { start: { line: 5, column: 59 } } },
  ],
])('%s', async (_name, text, expected) => {
  const { diagnostics } = await loadText(text);
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]).toMatchObject(expected);
});
