// Bad input, part 2: YAML syntax and structure.
import { compute, runRows } from './rows.ts';

const letters = 'abcdefghij';
const laughs = Array.from(letters)
  .map(
    (letter, at) =>
      `${letter}: &${letter} [${Array(9)
        .fill(at === 0 ? 'x' : `*${letters[at - 1]}`)
        .join()}]`,
  )
  .join('\n');
const manyKeys = (count: number): string => Array.from({ length: count }, (_, at) => `  p${at}: {}`).join('\n');
const merges = [
  `a: &a {${Array.from({ length: 2000 }, (_, at) => `k${at}: 1`).join()}}`,
  'b:',
  ...Array.from({ length: 2000 }, (_, at) => `  x${at}: { <<: *a }`),
].join('\n');

runRows([
  {
    id: 'Y1',
    what: 'a tab as indentation',
    text: 'version: 1\nprojects:\n\tshop: {}\n',
    expected: ['tab_indent 3:1'],
    says: /spaces/,
  },
  { id: 'Y2', what: 'an unclosed bracket', text: 'version: 1\nprojects: { a: [b\n', expected: ['yaml_syntax 3:1'] },
  {
    id: 'Y2',
    what: 'an unclosed quote',
    text: 'version: 1\nexpect: "abc\nprojects: {}\n',
    expected: ['yaml_syntax 4:1'],
  },
  {
    id: 'Y2',
    what: 'bad indentation',
    text: 'version: 1\nprojects:\n    a: {}\n  b: {}\n',
    expected: ['yaml_syntax 4:1'],
  },
  { id: 'Y3', what: 'a duplicate key', text: 'version: 1\nversion: 1\n', expected: ['duplicate_key 2:1'] },
  { id: 'Y4', what: 'a and "a"', text: 'version: 1\n"version": 1\n', expected: ['duplicate_key 2:1'] },
  {
    id: 'Y5',
    what: '1 and "1"',
    text: 'version: 1\nprofiles: { 1: {}, "1": {} }\n',
    expected: ['duplicate_key 2:20'],
  },
  { id: 'Y6', what: 'a null key', text: 'version: 1\n: x\n', expected: ['empty_key 2:1'] },
  { id: 'Y6', what: 'a complex key', text: '? [a]\n: b\n', expected: ['yaml_syntax 1:3'] },
  { id: 'Y7', what: 'two documents', text: 'version: 1\n---\nversion: 1\n', expected: ['several_documents 2:1'] },
  { id: 'Y8', what: 'a scalar', text: 'hello\n', expected: ['not_a_mapping 1:1'], says: /expected a mapping/ },
  { id: 'Y8', what: 'a list', text: '- a\n', expected: ['not_a_mapping 1:1'] },
  { id: 'Y8', what: 'null', text: '~\n', expected: ['empty_file 1:1'] },
  {
    id: 'Y9',
    what: 'anchors and aliases within bounds',
    text: 'version: 1\nprofiles: { a: &a { disabled: true }, b: *a }\n',
    expected: [],
  },
  {
    id: 'Y9',
    what: 'an alias without an anchor',
    text: 'version: 1\nprofiles: &a {}\nprojects: *b\n',
    expected: ['unknown_anchor 3:11'],
  },
  {
    id: 'Y10',
    what: 'billion laughs',
    text: `version: 1\n${laughs}\n`,
    expected: ['alias_expansion 8:7'],
    withinMs: 500,
  },
  {
    id: 'Y11',
    what: 'an alias within its anchor',
    text: 'version: 1\nprofiles: &a { a: *a }\n',
    expected: ['recursive_alias 2:19'],
  },
  { id: 'Y12', what: 'a merge key', text: compute('<<: { disabled: true }'), expected: [] },
  { id: 'Y12', what: 'a merge key without a mapping', text: compute('<<: true'), expected: ['merge_key 8:13'] },
  { id: 'Y13', what: '2,000 merges of 2,000 keys', text: `version: 1\n${merges}\n`, expected: ['alias_expansion 2:7'] },
  { id: 'Y14', what: 'an unknown tag', text: 'version: !!js/function "x"\n', expected: ['custom_tag 1:10'] },
  { id: 'Y14', what: 'a local tag', text: 'version: 1\nprojects: !foo {}\n', expected: ['custom_tag 2:11'] },
  {
    id: 'Y14',
    what: '!!binary and !!set',
    text: 'version: !!binary aGk=\nprojects: !!set { a }\n',
    expected: ['custom_tag 1:10', 'custom_tag 2:11'],
  },
  { id: 'Y15', what: '%YAML 1.1', text: '%YAML 1.1\n---\nversion: 1\n', expected: ['yaml_version 1:1'] },
  {
    id: 'Y15',
    what: '%TAG',
    text: '%TAG ! tag:example.com,2000:\n---\nversion: 1\n',
    expected: ['yaml_directive 1:1'],
  },
  { id: 'Y15', what: '%YAML 1.2 is fine', text: '%YAML 1.2\n---\nversion: 1\n', expected: [] },
  { id: 'Y16', what: '5,000 nested brackets', text: `version: 1\nx: ${'['.repeat(5000)}`, expected: ['too_deep 2:67'] },
  {
    id: 'Y16',
    what: '200,000 nested brackets',
    text: `x: ${'['.repeat(200_000)}`,
    expected: ['too_deep 1:67'],
    withinMs: 8000,
  },
  {
    id: 'Y17',
    what: '3,000 nested mappings',
    text: Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    expected: ['too_deep 65:65'],
    withinMs: 8000,
  },
  { id: 'Y17', what: 'depth by aliases', text: `version: 1\n${chain(80)}`, expected: ['too_deep 66:12'] },
  {
    id: 'Y18',
    what: '3,000 keys, each twice',
    text: `version: 1\nprojects:\n${manyKeys(5)}\n${manyKeys(3000)}\n`,
    expected: [0, 1, 2, 3, 4].map((at) => `duplicate_key ${at + 8}:3`),
  },
  {
    id: 'Y20',
    what: '__proto__, constructor, prototype',
    text: 'version: 1\n__proto__: { polluted: true }\nconstructor: 1\nprototype: 2\n',
    expected: ['unknown_key 2:1', 'unknown_key 3:1', 'unknown_key 4:1'],
  },
  {
    id: 'Y20',
    what: '__proto__ as a label',
    text: 'version: 1\nprojects: { __proto__: { id: a } }\n',
    expected: ['unknown_key 2:13'],
  },
  {
    id: 'Y20',
    what: 'constructor is a label like any other',
    text: 'version: 1\nprojects: { constructor: {} }\n',
    expected: [],
  },
  {
    id: 'Y21',
    what: 'a: b: c',
    text: 'version: 1\nprojects: a: b: c\n',
    expected: ['yaml_syntax 2:11'],
    says: /quotes/,
  },
  {
    id: 'Y22',
    what: 'a Cyrillic letter in a key',
    text: compute('disаbled: true'),
    expected: ['unknown_key 8:9'],
    says: /U\+0430/,
  },
  {
    id: 'Y23',
    what: 'another case',
    text: compute('Disabled: true'),
    expected: ['unknown_key 8:9'],
    says: /Did you mean `disabled`/,
  },
  {
    id: 'Y24',
    what: 'a value lost to a comment',
    text: compute('id: #ep-a-1'),
    expected: ['wrong_type 8:9'],
    says: /comment/,
  },
  {
    id: 'Y25',
    what: 'an escaped lone surrogate',
    text: compute('name: "\\ud800"'),
    expected: ['control_character 8:15'],
    says: /U\+D800/,
  },
]);

/** Each anchor wraps the one before: flat as written, deep once expanded. */
function chain(length: number): string {
  return Array.from(
    { length },
    (_, at) => `${'x'.repeat(2)}${String(at).padStart(2, '0')}: &c${at} [${at === 0 ? '1' : `*c${at - 1}`}]`,
  ).join('\n');
}
