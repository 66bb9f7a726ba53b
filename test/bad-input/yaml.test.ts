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
  ['a tab as indentation', 'version: 1\nprojects:\n\tshop: {}\n', ['tab_indent 3:1'], /spaces/],
  ['an unclosed bracket', 'version: 1\nprojects: { a: [b\n', ['yaml_syntax 3:1']],
  ['an unclosed quote', 'version: 1\nexpect: "abc\nprojects: {}\n', ['yaml_syntax 4:1']],
  ['bad indentation', 'version: 1\nprojects:\n    a: {}\n  b: {}\n', ['yaml_syntax 4:1']],
  ['a duplicate key', 'version: 1\nversion: 1\n', ['duplicate_key 2:1']],
  ['a and "a"', 'version: 1\n"version": 1\n', ['duplicate_key 2:1']],
  ['1 and "1"', 'version: 1\nprofiles: { 1: {}, "1": {} }\n', ['duplicate_key 2:20']],
  ['a null key', 'version: 1\n: x\n', ['empty_key 2:1']],
  ['a complex key', '? [a]\n: b\n', ['yaml_syntax 1:3']],
  ['two documents', 'version: 1\n---\nversion: 1\n', ['several_documents 2:1']],
  ['a scalar', 'hello\n', ['not_a_mapping 1:1'], /expected a mapping/],
  ['a list', '- a\n', ['not_a_mapping 1:1']],
  ['null', '~\n', ['empty_file 1:1']],
  ['anchors and aliases within bounds', 'version: 1\nprofiles: { a: &a { disabled: true }, b: *a }\n', []],
  ['an alias without an anchor', 'version: 1\nprofiles: &a {}\nprojects: *b\n', ['unknown_anchor 3:11']],
  ['billion laughs', `version: 1\n${laughs}\n`, ['alias_expansion 8:7']],
  ['an alias within its anchor', 'version: 1\nprofiles: &a { a: *a }\n', ['recursive_alias 2:19']],
  ['a merge key', compute('<<: { disabled: true }'), []],
  ['a merge key without a mapping', compute('<<: true'), ['merge_key 8:13']],
  ['2,000 merges of 2,000 keys', `version: 1\n${merges}\n`, ['alias_expansion 2:7']],
  ['an unknown tag', 'version: !!js/function "x"\n', ['custom_tag 1:10']],
  ['a local tag', 'version: 1\nprojects: !foo {}\n', ['custom_tag 2:11']],
  ['!!binary and !!set', 'version: !!binary aGk=\nprojects: !!set { a }\n', ['custom_tag 1:10', 'custom_tag 2:11']],
  ['%YAML 1.1', '%YAML 1.1\n---\nversion: 1\n', ['yaml_version 1:1']],
  ['%TAG', '%TAG ! tag:example.com,2000:\n---\nversion: 1\n', ['yaml_directive 1:1']],
  ['%YAML 1.2 is fine', '%YAML 1.2\n---\nversion: 1\n', []],
  ['5,000 nested brackets', `version: 1\nx: ${'['.repeat(5000)}`, ['too_deep 2:67']],
  ['200,000 nested brackets', `x: ${'['.repeat(200_000)}`, ['too_deep 1:67']],
  ['nested mappings', Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), ['too_deep 65:65']],
  ['depth by aliases', `version: 1\n${chain(80)}`, ['too_deep 66:12']],
  [
    '3,000 keys, each twice',
    `version: 1\nprojects:\n${manyKeys(5)}\n${manyKeys(3000)}\n`,
    [0, 1, 2, 3, 4].map((at) => `duplicate_key ${at + 8}:3`),
  ],
  [
    '__proto__, constructor, prototype',
    'version: 1\n__proto__: { polluted: true }\nconstructor: 1\nprototype: 2\n',
    ['unknown_key 2:1', 'unknown_key 3:1', 'unknown_key 4:1'],
  ],
  ['__proto__ as a label', 'version: 1\nprojects: { __proto__: { id: a } }\n', ['unknown_key 2:13']],
  ['constructor is a label like any other', 'version: 1\nprojects: { constructor: {} }\n', []],
  ['a: b: c', 'version: 1\nprojects: a: b: c\n', ['yaml_syntax 2:11'], /quotes/],
  ['a Cyrillic letter in a key', compute('disаbled: true'), ['unknown_key 8:9'], /U\+0430/],
  ['another case', compute('Disabled: true'), ['unknown_key 8:9'], /Did you mean `disabled`/],
  ['a value lost to a comment', compute('id: #ep-a-1'), ['wrong_type 8:9'], /comment/],
  ['an escaped lone surrogate', compute('name: "\\ud800"'), ['control_character 8:15'], /U\+D800/],
]);

/** Each anchor wraps the one before: flat as written, deep once expanded. */
function chain(length: number): string {
  return Array.from(
    { length },
    (_, at) => `${'x'.repeat(2)}${String(at).padStart(2, '0')}: &c${at} [${at === 0 ? '1' : `*c${at - 1}`}]`,
  ).join('\n');
}
